import { getBucket, listBuckets, type TimeUnit, toLocalSeconds } from '../../data/buckets.ts';
import type { Segment, SegmentationResult } from '../../data/segmentation.ts';
import type { Segments } from '../../lang/engines/columnar/count-segments.ts';
import { findTimeZone, type TimeZone } from '../../lang/operators/time-zone.ts';
import { Cells } from '../../queries/in-memory/cells.ts';
import { type RowSegments, rankTop, readSegments, toRowSegments } from '../../queries/in-memory/row-segments.ts';
import type { EventsQuery, SegmentsResult } from './messages.ts';
import type { RecordColumns } from './record-columns.ts';

/** Segments in the table, as many as `onwhere segment` prints. */
const MAX_SEGMENTS = 60;

/** The events to count. */
interface SegmentedRows {
  readonly rows: Uint32Array;
  readonly segments: RowSegments;
  /** The user of each row, -1 if it has none. */
  readonly users: Int32Array;
  /** The positions of the rows, in order of user. */
  readonly positions: Uint32Array;
}

/**
 * Counts the events and the users of each segment, in total and over time.
 *
 * @param rows the events to count, in the order of the file
 * @param answers their segments
 */
export function countRecordSegments(
  columns: RecordColumns,
  rows: Uint32Array,
  answers: Segments,
  query: Pick<EventsQuery, 'unit' | 'unique' | 'timeZone'>,
): SegmentsResult {
  const segments = toRowSegments(answers);
  const { codes } = columns.numberedUsers;
  const users = new Int32Array(rows.length);
  for (let at = 0; at < rows.length; at++) users[at] = codes[rows[at] as number] as number;
  const segmented = { rows, segments, users, positions: sortByUser(columns, rows) };
  const cells = new Cells(segments.names.length);
  for (const at of segmented.positions) {
    for (const segment of readSegments(segments, at)) cells.add(segment, users[at] as number);
  }
  const [events, ofUsers] = (['general', 'unique'] as const).map((type) => {
    return new Map(segments.names.map((name, segment) => [name, cells.count(segment, type)]));
  }) as [Map<string, number>, Map<string, number>];
  const totals = { ...summarize(query.unique ? ofUsers : events, () => new Map()), series: [] };
  const shown = totals.segments.map(({ name }) => name);
  return {
    totals,
    events: selectNames(events, shown),
    users: selectNames(ofUsers, shown),
    overTime: countOverTime(segmented, columns.fields.times, query),
    missing: {
      time: rows.reduce((count, row) => count + Number(Number.isNaN(columns.fields.times[row])), 0),
      distinct_id: users.reduce((count, user) => count + Number(user === -1), 0),
    },
  };
}

/** Returns the positions of rows: first of those without a user, then in order of user. */
function sortByUser({ numberedUsers: users, length }: RecordColumns, rows: Uint32Array): Uint32Array {
  const positionOf = new Int32Array(length).fill(-1);
  const positions = new Uint32Array(rows.length);
  let count = 0;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number;
    positionOf[row] = at;
    if (users.codes[row] === -1) positions[count++] = at;
  }
  for (const row of users.order) {
    const at = positionOf[row] as number;
    if (at !== -1) positions[count++] = at;
  }
  return positions;
}

function countOverTime(
  { rows, segments, users, positions }: SegmentedRows,
  times: Float64Array,
  { unit, unique, timeZone }: Pick<EventsQuery, 'unit' | 'unique' | 'timeZone'>,
): SegmentationResult {
  const zone = findTimeZone(timeZone);
  const labels = new BucketLabels(unit, zone);
  const counted = positions.filter((at) => {
    const isCounted = !Number.isNaN(times[rows[at] as number]) && !(unique && users[at] === -1);
    return isCounted && readSegments(segments, at).length > 0;
  });
  const buckets = counted.map((at) => labels.getIndex(times[rows[at] as number] as number));
  const type = unique ? 'unique' : 'general';
  const totals = new Cells(segments.names.length);
  for (const at of counted) for (const segment of readSegments(segments, at)) totals.add(segment, users[at] as number);
  const amounts = new Map(segments.names.map((name, segment) => [name, totals.count(segment, type)]));
  const top = rankTop(amounts, MAX_SEGMENTS);
  const ranks = new Map(top.map((name, rank) => [name, rank]));
  const rankOf = segments.names.map((name) => ranks.get(name));
  const { length } = labels.texts;
  const cells = new Cells(top.length * length);
  for (let index = 0; index < counted.length; index++) {
    const at = counted[index] as number;
    for (const segment of readSegments(segments, at)) {
      const rank = rankOf[segment];
      if (rank !== undefined) cells.add(rank * length + (buckets[index] as number), users[at] as number);
    }
  }
  const readValues = (name: string): Map<string, number> => {
    const first = (ranks.get(name) as number) * length;
    const values = labels.texts.map((label, bucket) => [label, cells.count(first + bucket, type)] as const);
    return new Map(values.filter(([, count]) => count > 0).sort());
  };
  const sorted = [...labels.texts].sort();
  const [first, last] = [sorted[0], sorted.at(-1)];
  const series = first === undefined || last === undefined ? [] : listBuckets(first, last, unit, zone);
  return { ...summarize(amounts, readValues), series };
}

function summarize(
  amounts: ReadonlyMap<string, number>,
  readValues: (name: string) => ReadonlyMap<string, number>,
): Pick<SegmentationResult, 'segments' | 'rest'> {
  const found = new Map([...amounts].filter(([, count]) => count > 0));
  const top = rankTop(found, MAX_SEGMENTS);
  const segments = top.map((name): Segment => ({ name, count: found.get(name) as number, values: readValues(name) }));
  const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0);
  const rest = sum(found.values()) - sum(segments.map(({ count }) => count));
  return { segments, rest: { segments: found.size - top.length, count: rest } };
}

function selectNames(amounts: ReadonlyMap<string, number>, names: readonly string[]): Map<string, number> {
  return new Map(names.map((name) => [name, amounts.get(name) ?? 0] as const).filter(([, count]) => count > 0));
}

/** Numbers the buckets of times, in order of first appearance. */
class BucketLabels {
  readonly texts: string[] = [];
  private readonly byHour = new Map<number, number>();
  private readonly byText = new Map<string, number>();

  constructor(
    private readonly unit: TimeUnit,
    private readonly zone: TimeZone | undefined,
  ) {}

  /** @param time in Unix seconds */
  getIndex(time: number): number {
    const local = toLocalSeconds(time, this.unit, this.zone);
    const hour = Math.floor(local / 3600);
    const known = this.byHour.get(hour);
    if (known !== undefined) return known;
    const text = getBucket(local, this.unit);
    const index = this.byText.get(text) ?? this.texts.push(text) - 1;
    this.byText.set(text, index);
    this.byHour.set(hour, index);
    return index;
  }
}
