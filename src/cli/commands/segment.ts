import { formatCsvRecord, formatInteger, measureWidth } from '../../base/strings.ts';
import type { TimeUnit } from '../../data/buckets.ts';
import { type CountedSegments, type Segment, Segmentation, type SegmentationResult } from '../../data/segmentation.ts';
import { findTimeZone } from '../../lang/operators/time-zone.ts';
import { printFilterCounts, toJsonCounts } from '../answers/filter-counts.ts';
import { describeMoreSegments, renderSegments } from '../answers/segments.ts';
import { renderCharts } from '../answers/series.ts';
import { UsageError } from '../exit.ts';
import type { Io } from '../io.ts';
import { printMessage } from '../messages.ts';
import { withFileDatabase } from '../query/with-file-database.ts';
import { type Scanned, scan } from '../scan.ts';
import type { OutputStream } from '../terminal/output-stream.ts';
import { formatCell, renderTitledTable, type TerminalColumn } from '../terminal/table.ts';
import { wrapWords } from '../terminal/wrap-words.ts';
import type { Selection } from '../workers/job.ts';

export interface SegmentOptions extends Selection {
  readonly by?: TimeUnit;
  /** Count distinct users instead of records. */
  readonly unique?: boolean;
  /** The maximum number of segments to print. */
  readonly limit: number;
  readonly json?: boolean;
  readonly csv?: boolean;
  /** Draw a chart of each segment. */
  readonly chart?: boolean;
}

/** The options that show more segments. */
const HINT = '(--limit, --json)';

/** Prints the number of records or users of each segment: as a table with bars, as JSON or as CSV. */
export async function runSegment(io: Io, on: string, files: readonly string[], options: SegmentOptions): Promise<void> {
  const [unique, unit] = [options.unique === true, options.by];
  if (options.chart && unit === undefined) throw new UsageError('--chart draws values over time. Add --by day');
  const segmentation = new Segmentation(unique, unit, findTimeZone(options.timeZone ?? 'UTC'));
  const sink = { part: (part: CountedSegments) => segmentation.merge(part) };
  const job = { ...options, kind: 'segment', on, unique, unit } as const;
  const scanned = await withFileDatabase(io, files, options, (found, database) =>
    scan(io, found, job, sink, { database }),
  );
  const result = segmentation.result(options.limit);
  const lines = render(io.out, result, scanned, options);
  await (options.csv ? io.out.printData(lines) : io.out.print(lines));
  if (options.csv && result.rest.segments > 0)
    printMessage(io, 'warning', `${describeMoreSegments(result.rest.segments)} ${HINT}`);
  if (!options.json) await printFilterCounts(io, scanned, options, result.segments.length === 0);
}

function render(
  out: OutputStream,
  result: SegmentationResult,
  scanned: Scanned,
  options: SegmentOptions,
): Iterable<string> {
  const { json, csv, by, unique, chart } = options;
  const counted = unique ? 'users' : 'events';
  if (json) return [JSON.stringify({ ...toJson(result, by !== undefined), ...toJsonCounts(scanned, options) })];
  if (csv) return by === undefined ? csvTotals(result, counted) : csvBuckets(result, by);
  if (by === undefined) return renderTotals(out, result, counted, unique === true);
  return chart ? renderSegmentCharts(out, result, counted) : renderBuckets(out, result, by);
}

function toJson({ segments, rest, series }: SegmentationResult, hasBuckets: boolean): object {
  return {
    segments: segments.map(({ name, count, values }) => ({
      name,
      count,
      ...(hasBuckets && { values: Object.fromEntries(values) }),
    })),
    rest,
    ...(hasBuckets && { series }),
  };
}

function csvTotals({ segments }: SegmentationResult, counted: string): string[] {
  return [formatCsvRecord(['segment', counted]), ...segments.map(({ name, count }) => formatCsvRecord([name, count]))];
}

function* csvBuckets({ segments, series }: SegmentationResult, unit: TimeUnit): Iterable<string> {
  yield formatCsvRecord([unit, ...segments.map(({ name }) => name)]);
  for (const label of series) yield formatCsvRecord([label, ...segments.map(({ values }) => values.get(label) ?? 0)]);
}

/** Renders the top segments with bars. A user can be in several segments, so only events have a sum of the rest. */
function renderTotals(out: OutputStream, result: SegmentationResult, counted: string, unique: boolean): string[] {
  const { segments, count } = result.rest;
  return [
    ...renderSegments(out, result, counted),
    ...describeRest(out, segments, unique ? '' : ` with ${formatInteger(count)} ${counted}`),
  ];
}

/** Renders a line for each bucket and a column for each segment, as many as fit. */
function* renderBuckets(
  out: OutputStream,
  { segments, rest, series }: SegmentationResult,
  unit: TimeUnit,
): Iterable<string> {
  if (segments.length === 0) {
    yield 'No events.';
    return;
  }
  const shown = takeFitting(out, segments, series);
  const columns: TerminalColumn[] = [
    { title: unit, align: 'left' },
    ...shown.map(({ name }) => ({ title: name, align: 'right' }) as const),
  ];
  const rows = series.map((label) => [label, ...shown.map(({ values }) => formatInteger(values.get(label) ?? 0))]);
  yield* renderTitledTable(out, columns, rows);
  yield* describeRest(out, segments.length - shown.length + rest.segments, '');
}

function renderSegmentCharts(
  out: OutputStream,
  { segments, rest, series }: SegmentationResult,
  counted: string,
): string[] {
  const rows = segments.map(({ name, count, values }) => {
    return { name, values: series.map((label) => values.get(label) ?? 0), summary: count };
  });
  return rows.length === 0 ? ['No events.'] : renderCharts(out, series, rows, counted, rest.segments);
}

function takeFitting(out: OutputStream, segments: readonly Segment[], series: readonly string[]): readonly Segment[] {
  let room = out.columns - (series[0]?.length ?? 0);
  const count = segments.findIndex(({ name, count: total }) => {
    room -= 2 + Math.max(measureWidth(formatCell(name)), formatInteger(total).length);
    return room < 0;
  });
  return count === -1 ? segments : segments.slice(0, Math.max(1, count));
}

function describeRest(out: OutputStream, segments: number, counts: string): string[] {
  return segments === 0 ? [] : wrapWords(`… ${describeMoreSegments(segments)}${counts} ${HINT}`, out.room);
}
