import { formatInteger } from '../../base/strings.ts';
import { renderColumnChart } from '../terminal/column-chart.ts';
import type { OutputStream } from '../terminal/output-stream.ts';
import { numberColumns, renderBars, renderDrawnTable } from '../terminal/table.ts';
import { drawSparkline } from './figures.ts';

/** A response of `/segmentation/`, `/events/` and others: numbers over time. */
export interface SeriesAnswer {
  readonly data: {
    /** The labels of the buckets. */
    readonly series: readonly string[];
    readonly values: Readonly<Record<string, Readonly<Record<string, number>>>>;
  };
}

/** A response of `/segmentation/sum/` and `/segmentation/average/`. */
export interface ResultsAnswer {
  readonly results: Readonly<Record<string, number | null>>;
}

export interface SeriesStyle {
  /** Whether buckets can be added up. Users cannot, because buckets share users; nor can averages. */
  readonly adds: boolean;
  /** The length of a bucket. */
  readonly unit: string;
  /** If buckets do not add up: the number of each series over all dates, if it is known. */
  readonly inAll?: ReadonlyMap<string, number> | undefined;
  /** Whether to sort the series, largest first. */
  readonly sorted: boolean;
  /** Whether to draw a chart for each series. */
  readonly charted: boolean;
}

/** More series are not drawn. */
const MAX_CHARTS = 6;

/** A series to draw. */
export interface SeriesRow {
  readonly name: string;
  readonly values: readonly number[];
  /** The number over all buckets. */
  readonly summary: number;
}

/** Renders one series as a bar for each bucket, several series as a sparkline each. */
export function renderSeries(
  out: OutputStream,
  { data: { series, values } }: SeriesAnswer,
  { adds, unit, inAll, sorted, charted }: SeriesStyle,
): string[] {
  const rows = Object.entries(values).map(([name, byBucket]): SeriesRow => {
    const numbers = series.map((bucket) => byBucket[bucket] ?? 0);
    const sum = numbers.reduce((total, value) => total + value, 0);
    return { name, values: numbers, summary: adds ? sum : (inAll?.get(name) ?? sum / numbers.length) };
  });
  // `JSON.parse` moves keys that are whole numbers to the front, so the order of the server is lost.
  const ordered = sorted ? rows.toSorted((left, right) => right.summary - left.summary) : rows;
  const [first] = ordered;
  if (first === undefined || series.length === 0) return ['No events.'];
  const summary = nameSummary(adds, inAll !== undefined || series.length === 1, unit);
  if (charted) return renderCharts(out, series, ordered, summary);
  if (rows.length === 1 && series.length > 1) return renderBuckets(out, series, first, summary);
  return renderSparklines(out, series, ordered, summary);
}

function nameSummary(adds: boolean, isWhole: boolean, unit: string): string {
  if (adds) return 'total';
  return isWhole ? 'in all' : `mean per ${unit}`;
}

/** Renders a chart for each of the first series, and counts the others: those of `rows`, and `omitted` ones. */
export function renderCharts(
  out: OutputStream,
  labels: readonly string[],
  rows: readonly SeriesRow[],
  summaryName: string,
  omitted = 0,
): string[] {
  const charts = rows.slice(0, MAX_CHARTS).flatMap(({ name, values, summary }, index) => {
    const title = `${name}  ${summaryName} ${formatInteger(summary)}`;
    return [...(index === 0 ? [] : ['']), ...renderColumnChart(out, { title, labels, values })];
  });
  const rest = Math.max(0, rows.length - MAX_CHARTS) + omitted;
  return rest > 0 ? [...charts, '', `… and ${formatInteger(rest)} more series (--json)`] : charts;
}

/** Renders a bar for each bucket. */
export function renderResults(out: OutputStream, { results }: ResultsAnswer, name: string, charted: boolean): string[] {
  const rows = Object.entries(results).map(([bucket, value]) => [
    bucket,
    value === null ? 'undefined' : formatInteger(value),
  ]);
  const values = Object.values(results).map((value) => value ?? 0);
  if (charted) return renderColumnChart(out, { title: name, labels: Object.keys(results), values });
  return renderBars(out, numberColumns('', name), rows, values);
}

function renderBuckets(
  out: OutputStream,
  series: readonly string[],
  { name, values, summary }: SeriesRow,
  summaryName: string,
): string[] {
  return renderBars(out, numberColumns('', name), toRows([...series, summaryName], [...values, summary]), values);
}

/** Renders a line for each series. Each sparkline has its own scale. */
function renderSparklines(
  out: OutputStream,
  series: readonly string[],
  rows: readonly SeriesRow[],
  summaryName: string,
): string[] {
  const summaries = rows.map(({ summary }) => summary);
  const names = rows.map(({ name }) => name);
  const [from = '', to = from] = [series[0], series.at(-1)];
  if (series.length === 1) return renderBars(out, numberColumns('', from), toRows(names, summaries), summaries);
  const lines = renderDrawnTable(out, numberColumns('', summaryName), toRows(names, summaries), (row, width) =>
    drawSparkline(rows[row]?.values ?? [], width),
  );
  return [`${from} to ${to}`, ...lines];
}

function toRows(names: readonly string[], values: readonly number[]): string[][] {
  return names.map((name, index) => [name, formatInteger(values[index] ?? 0)]);
}
