import type { Measurement } from '../results.ts';
import type { Section } from '../sections.ts';
import { computeGeometricMean } from '../statistics.ts';
import { computeRatio, findMeasurement } from './reference.ts';

/** The numbers of a table, with a row per engine and a column per case. */
export interface TableSpec {
  readonly section: Section;
  readonly metric: string;
  readonly cases: readonly string[];
}

/**
 * Renders a Markdown table. An engine with a number for each case has the geometric mean of its ratios to the
 * reference.
 */
export function renderTable(measurements: readonly Measurement[], { section, metric, cases }: TableSpec): string {
  const present = cases.filter((name) => measurements.some((one) => one.section === section && one.case === name));
  const shownHere = measurements.filter((one) => one.section === section && (one.failed ?? one.metrics?.[metric]));
  const engines = [...new Set(shownHere.map(({ engine }) => engine))];
  const rows = engines.map((engine) => {
    const ratios = present.map((name) => computeRatio(measurements, { section, case: name, engine, metric }));
    const cells = present.map((name) =>
      renderCell(findMeasurement(measurements, { section, case: name, engine }), metric),
    );
    const known = ratios.filter((one) => one !== undefined);
    return [engine, ...cells, known.length === present.length ? `${formatNumber(computeGeometricMean(known))} ×` : ''];
  });
  return renderMarkdownTable(['', ...present, 'mean ratio'], rows);
}

function renderCell(measurement: Measurement | undefined, metric: string): string {
  const summary = measurement?.metrics?.[metric];
  return summary === undefined ? (measurement?.failed ?? '') : formatNumber(summary.median);
}

/** Renders a Markdown table. All columns except the first contain numbers. */
export function renderMarkdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|---|${'--:|'.repeat(head.length - 1)}`, ...rows.map(line)].join('\n');
}

const FORMAT = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/** Formats a number with three significant digits and thousands separators. */
export function formatNumber(value: number): string {
  return FORMAT.format(value);
}
