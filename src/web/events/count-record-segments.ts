import { getBucket, listBuckets, type TimeUnit, toLocalSeconds } from '../../data/buckets.ts';
import type { Segments } from '../../lang/engines/columnar/count-segments.ts';
import { findTimeZone, type TimeZone } from '../../lang/operators/time-zone.ts';
import { Cells } from '../../queries/in-memory/cells.ts';
import { filterRows, gather } from '../../queries/in-memory/event-table.ts';
import { type RowSegments, rankTop, readSegments, toRowSegments } from '../../queries/in-memory/row-segments.ts';
import type { EventsQuery, SegmentsResult } from './messages.ts';
import type { RecordColumns } from './record-columns.ts';

/** Segments in the table, as many as `onwhere segment` prints. */
const MAX_SEGMENTS = 60;

/** The segments of some events, by their positions. */
interface SegmentedEvents {
  readonly segments: RowSegments;
  /** The user of each, -1 if it has none. */
  readonly users: Int32Array;
  readonly type: 'general' | 'unique';
}

/**
 * Counts the events or the users of each segment, in total and over time.
 *
 * @param rows the events to count, in the order of the file
 * @param answers their segments
 */
export function countRecordSegments(
  columns: RecordColumns,
  rows: Uint32Array,
  answers: Segments,
  { unit, unique, timeZone }: Pick<EventsQuery, 'unit' | 'unique' | 'timeZone'>,
): SegmentsResult {
  const segments = toRowSegments(answers);
  const { codes } = columns.numberedUsers;
  const users = new Int32Array(rows.length);
  for (let at = 0; at < rows.length; at++) users[at] = codes[rows[at] as number] as number;
  const times = gather(columns.fields.times, rows);
  const events: SegmentedEvents = { segments, users, type: unique ? 'unique' : 'general' };
  const positions = sortByUser(columns, rows);
  const dated = filterRows(positions, (at) => {
    const isCounted = !Number.isNaN(times[at]) && !(unique && users[at] === -1);
    return isCounted && readSegments(segments, at).length > 0;
  });
  const zone = findTimeZone(timeZone);
  const labels = new BucketLabels(unit, zone);
  const buckets = new Uint32Array(dated.length);
  for (let index = 0; index < dated.length; index++) {
    buckets[index] = labels.getIndex(times[dated[index] as number] as number);
  }
  const sorted = [...labels.texts].sort();
  const [first, last] = [sorted[0], sorted.at(-1)];
  return {
    ...countTop(events, positions),
    series: first === undefined || last === undefined ? [] : listBuckets(first, last, unit, zone),
    overTime: countOverTime(events, dated, buckets, labels.texts),
    missing: {
      time: times.reduce((count, time) => count + Number(Number.isNaN(time)), 0),
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

/** Counts the top segments of the events at some positions. */
function countTop(
  { segments, users, type }: SegmentedEvents,
  positions: Uint32Array,
): Pick<SegmentsResult, 'totals' | 'others'> {
  const cells = new Cells(segments.names.length);
  for (const at of positions) for (const segment of readSegments(segments, at)) cells.add(segment, users[at] as number);
  const amounts = segments.names.map((name, segment) => [name, cells.count(segment, type)] as const);
  const found = new Map(amounts.filter(([, count]) => count > 0));
  const totals = new Map(rankTop(found, MAX_SEGMENTS).map((name) => [name, found.get(name) ?? 0]));
  return { totals, others: found.size - totals.size };
}

/** Counts the top segments in each bucket. */
function countOverTime(
  events: SegmentedEvents,
  positions: Uint32Array,
  buckets: Uint32Array,
  labels: readonly string[],
): SegmentsResult['overTime'] {
  const { segments, users, type } = events;
  const top = [...countTop(events, positions).totals.keys()];
  const ranks = new Map(top.map((name, rank) => [name, rank]));
  const rankOf = segments.names.map((name) => ranks.get(name));
  const cells = new Cells(top.length * labels.length);
  for (let index = 0; index < positions.length; index++) {
    const at = positions[index] as number;
    for (const segment of readSegments(segments, at)) {
      const rank = rankOf[segment];
      if (rank !== undefined) cells.add(rank * labels.length + (buckets[index] as number), users[at] as number);
    }
  }
  const readValues = (rank: number) => {
    const counts = labels.map((label, bucket) => [label, cells.count(rank * labels.length + bucket, type)] as const);
    return new Map(counts.filter(([, count]) => count > 0).sort());
  };
  return new Map(top.map((name, rank) => [name, readValues(rank)]));
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
