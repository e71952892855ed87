import type { Unit } from '../../segmentation/buckets.ts';
import { type Segment, Segmentation, type SegmentationResult } from '../../segmentation/segmentation.ts';
import { displayWidth } from '../../util/display-width.ts';
import { Output } from '../output.ts';
import { say } from '../say.ts';
import { scan } from '../scan.ts';
import { bar, type Column, cell, csvRecord, grouped, tableLines } from '../table.ts';
import { columnsOf, styled } from '../terminal.ts';
import type { Selection } from '../work/task.ts';

export interface SegmentOptions extends Selection {
  readonly by?: Unit;
  /** Count distinct users, not records. */
  readonly unique?: boolean;
  /** How many segments to print. */
  readonly limit: number;
  readonly json?: boolean;
  readonly csv?: boolean;
}

const LONGEST_BAR = 40;
const SHORTEST_BAR = 8;

/** Prints how many records, or users, each segment has: as a table with bars, as JSON or as CSV. */
export async function segment(on: string, files: readonly string[], options: SegmentOptions): Promise<void> {
  const [unique, unit] = [options.unique === true, options.by];
  const segmentation = new Segmentation(unique, unit);
  await scan(files, { ...options, kind: 'segment', on, unique, unit }, { part: (part) => segmentation.merge(part) });
  const result = segmentation.result(options.limit);
  await Output.print(report(result, options));
  if (options.csv && result.rest.segments > 0) say('warning', moreSegments(result.rest.segments, ''));
}

function report(result: SegmentationResult, { json, csv, by, unique }: SegmentOptions): Iterable<string> {
  const counted = unique ? 'users' : 'events';
  if (json) return [JSON.stringify(toJson(result, by !== undefined))];
  if (csv) return by === undefined ? csvTotals(result, counted) : csvBuckets(result, by);
  return by === undefined ? totals(result, counted, unique === true) : buckets(result, by);
}

function toJson({ segments, rest, series }: SegmentationResult, cut: boolean): object {
  return {
    segments: segments.map(({ name, count, values }) => ({
      name,
      count,
      ...(cut && { values: Object.fromEntries(values) }),
    })),
    rest,
    ...(cut && { series }),
  };
}

function csvTotals({ segments }: SegmentationResult, counted: string): string[] {
  return [csvRecord(['segment', counted]), ...segments.map(({ name, count }) => csvRecord([name, count]))];
}

function* csvBuckets({ segments, series }: SegmentationResult, unit: Unit): Iterable<string> {
  yield csvRecord([unit, ...segments.map(({ name }) => name)]);
  for (const label of series) yield csvRecord([label, ...segments.map(({ values }) => values.get(label) ?? 0)]);
}

/** A line a segment, with a bar as long as its share of the greatest. */
function totals({ segments, rest }: SegmentationResult, counted: string, unique: boolean): string[] {
  if (segments.length === 0) return ['No events.'];
  const columns: Column[] = [
    { title: 'segment', align: 'left' },
    { title: counted, align: 'right' },
  ];
  const [title = '', ...lines] = tableLines(
    columns,
    segments.map(({ name, count }) => [name, grouped(count)]),
  );
  const widest = lines.reduce((width, line) => Math.max(width, displayWidth(line)), 0);
  const room = columnsOf(process.stdout) - widest - 2;
  const width = room < SHORTEST_BAR ? 0 : Math.min(LONGEST_BAR, room);
  const greatest = segments[0]?.count ?? 0;
  const barred = lines.map((line, index) => {
    const share = greatest === 0 ? 0 : (segments[index]?.count ?? 0) / greatest;
    return `${line}  ${styled(process.stdout, 'cyan', bar(share, width))}`.trimEnd();
  });
  return [
    styled(process.stdout, 'bold', title),
    ...barred,
    ...more(rest.segments, unique ? '' : ` with ${grouped(rest.count)} ${counted}`),
  ];
}

/** A line a bucket and a column a segment, as many as fit. */
function* buckets({ segments, rest, series }: SegmentationResult, unit: Unit): Iterable<string> {
  if (segments.length === 0) {
    yield 'No events.';
    return;
  }
  const shown = fitting(segments, series);
  const columns: Column[] = [
    { title: unit, align: 'left' },
    ...shown.map(({ name }) => ({ title: name, align: 'right' }) as const),
  ];
  const rows = series.map((label) => [label, ...shown.map(({ values }) => grouped(values.get(label) ?? 0))]);
  const [title = '', ...lines] = tableLines(columns, rows);
  yield styled(process.stdout, 'bold', title);
  yield* lines;
  yield* more(segments.length - shown.length + rest.segments, '');
}

function fitting(segments: readonly Segment[], series: readonly string[]): readonly Segment[] {
  let room = columnsOf(process.stdout) - (series[0]?.length ?? 0);
  const count = segments.findIndex(({ name, count: total }) => {
    room -= 2 + Math.max(displayWidth(cell(name)), grouped(total).length);
    return room < 0;
  });
  return count === -1 ? segments : segments.slice(0, Math.max(1, count));
}

/** Users of one segment can be users of another too, so that only events can be added up. */
function more(segments: number, counts: string): string[] {
  return segments === 0 ? [] : [`… ${moreSegments(segments, counts)}`];
}

function moreSegments(segments: number, counts: string): string {
  return `and ${grouped(segments)} more ${segments === 1 ? 'segment' : 'segments'}${counts} (--limit, --json)`;
}
