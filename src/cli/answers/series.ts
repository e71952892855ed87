import { formatInteger } from '../../lang/util/strings.ts';
import type { OutputStream } from '../terminal/output-stream.ts';
import { numberColumns, renderBars, renderDrawnTable } from '../terminal/table.ts';
import { drawSparkline } from './figures.ts';

/** An answer of `/segmentation/`, `/events/` and others: numbers over time. */
export interface SeriesAnswer {
  readonly data: {
    /** The labels of the buckets. */
    readonly series: readonly string[];
    readonly values: Readonly<Record<string, Readonly<Record<string, number>>>>;
  };
}

/** An answer of `/segmentation/sum/` and `/segmentation/average/`. */
export interface ResultsAnswer {
  readonly results: Readonly<Record<string, number | null>>;
}

export interface SeriesStyle {
  /** Whether numbers of several buckets add up; those of users do not. */
  readonly adds: boolean;
  /** Whether the greatest series come first. Else they come as they are. */
  readonly sorted: boolean;
}

interface Row {
  readonly name: string;
  readonly values: readonly number[];
  /** Of all buckets, or where they do not add up of each on average. */
  readonly whole: number;
}

/** A bar for each bucket of one series, or a line with the course of each of several. */
export function renderSeries(
  out: OutputStream,
  { data: { series, values } }: SeriesAnswer,
  { adds, sorted }: SeriesStyle,
): string[] {
  const rows = Object.entries(values).map(([name, byBucket]): Row => {
    const numbers = series.map((bucket) => byBucket[bucket] ?? 0);
    const sum = numbers.reduce((total, value) => total + value, 0);
    return { name, values: numbers, whole: adds ? sum : sum / numbers.length };
  });
  const [first] = rows;
  if (first === undefined || series.length === 0) return ['No events.'];
  const whole = adds ? 'total' : 'mean';
  if (rows.length === 1 && series.length > 1) return bucketLines(out, series, first, whole);
  // JSON has names that are whole numbers before all others.
  return courseLines(out, series, sorted ? rows.toSorted((left, right) => right.whole - left.whole) : rows, whole);
}

/** A bar for each bucket. */
export function renderResults(out: OutputStream, { results }: ResultsAnswer, name: string): string[] {
  const rows = Object.entries(results).map(([bucket, value]) => [
    bucket,
    value === null ? 'undefined' : formatInteger(value),
  ]);
  const values = Object.values(results).map((value) => value ?? 0);
  return renderBars(out, numberColumns('', name), rows, values);
}

function bucketLines(
  out: OutputStream,
  series: readonly string[],
  { name, values, whole }: Row,
  wholeName: string,
): string[] {
  return renderBars(out, numberColumns('', name), rowsOf([...series, wholeName], [...values, whole]), values);
}

/** The course of each series has a height of its own. */
function courseLines(out: OutputStream, series: readonly string[], rows: readonly Row[], wholeName: string): string[] {
  const wholes = rows.map(({ whole }) => whole);
  const names = rows.map(({ name }) => name);
  const [from = '', to = from] = [series[0], series.at(-1)];
  if (series.length === 1) return renderBars(out, numberColumns('', from), rowsOf(names, wholes), wholes);
  const lines = renderDrawnTable(out, numberColumns('', wholeName), rowsOf(names, wholes), (row, width) =>
    drawSparkline(rows[row]?.values ?? [], width),
  );
  return [`${from} to ${to}`, ...lines];
}

function rowsOf(names: readonly string[], values: readonly number[]): string[][] {
  return names.map((name, index) => [name, formatInteger(values[index] ?? 0)]);
}
