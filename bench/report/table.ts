import type { Measurement } from '../results.ts';
import type { Section } from '../sections.ts';
import { geometricMean } from '../statistics.ts';
import { find, ratio } from './reference.ts';

/** Which numbers stand in a table: a row an engine, a column a case. */
export interface TableSpec {
  readonly section: Section;
  readonly metric: string;
  readonly cases: readonly string[];
}

/**
 * A Markdown table, with the geometric mean of the ratios to the reference where an engine has a number for each
 * case.
 */
export function table(measurements: readonly Measurement[], { section, metric, cases }: TableSpec): string {
  const present = cases.filter((asked) => measurements.some((one) => one.section === section && one.case === asked));
  const shownHere = measurements.filter((one) => one.section === section && (one.failed ?? one.metrics?.[metric]));
  const engines = [...new Set(shownHere.map(({ engine }) => engine))];
  const rows = engines.map((engine) => {
    const ratios = present.map((asked) => ratio(measurements, { section, case: asked, engine, metric }));
    const cells = present.map((asked) => cell(find(measurements, { section, case: asked, engine }), metric));
    const known = ratios.filter((one) => one !== undefined);
    return [engine, ...cells, known.length === present.length ? `${shown(geometricMean(known))} ×` : ''];
  });
  return markdown(['', ...present, 'mean ratio'], rows);
}

function cell(measurement: Measurement | undefined, metric: string): string {
  const summary = measurement?.metrics?.[metric];
  return summary === undefined ? (measurement?.failed ?? '') : shown(summary.median);
}

/** Rows of cells under a head; all but the first column are numbers. */
export function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|---|${'--:|'.repeat(head.length - 1)}`, ...rows.map(line)].join('\n');
}

const FORMAT = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/** A number as it is read: three digits and thousands apart. */
export function shown(value: number): string {
  return FORMAT.format(value);
}
