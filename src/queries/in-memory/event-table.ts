import { extendArray } from '../../base/extend-array.ts';
import type { PropertyRead } from '../../lang/check/check.ts';
import { selectRows } from '../../lang/engines/columnar/column-view.ts';
import type { BatchColumn } from '../../lang/plan/batch-column.ts';
import { isInRange, type TimeRange } from '../time-range.ts';

/** Returns the values of a property, one for each row of the list of events; undefined if no event has it. */
export type ReadColumn = (read: PropertyRead) => BatchColumn | undefined;

const ALL_TIME: TimeRange = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** Numbers distinct strings from 0, in order of first appearance. */
export class StringCodes {
  readonly strings: string[] = [];
  private readonly codes = new Map<string, number>();

  getCode(string: string): number {
    const known = this.codes.get(string);
    if (known !== undefined) return known;
    this.codes.set(string, this.strings.length);
    return this.strings.push(string) - 1;
  }
}

/** The fields of events in columns. A row is the place of an event in a list. */
export interface EventColumns {
  /** Whole Unix seconds. */
  readonly times: Float64Array;
  /** Indexes of `eventNames`. */
  readonly nameCodes: Uint32Array;
  /** Indexes of `userIds`. */
  readonly userCodes: Uint32Array;
  readonly eventNames: readonly string[];
  readonly userIds: readonly string[];
}

/** Collects the events of a table, in the order of adding. */
export class EventList {
  readonly names = new StringCodes();
  readonly users = new StringCodes();
  private times = new Float64Array(1024);
  private nameCodes = new Uint32Array(1024);
  private userCodes = new Uint32Array(1024);
  private added = 0;

  get length(): number {
    return this.added;
  }

  /** @param time whole Unix seconds */
  add(event: string, time: number, user: string): void {
    this.addCodes(this.names.getCode(event), time, this.users.getCode(user));
  }

  /** Adds an event by the codes of its name and its user. */
  addCodes(name: number, time: number, user: number): void {
    if (this.added === this.times.length) this.grow();
    this.times[this.added] = time;
    this.nameCodes[this.added] = name;
    this.userCodes[this.added] = user;
    this.added++;
  }

  /** Returns the columns of all events. */
  get columns(): EventColumns {
    const { times, nameCodes, userCodes, names, users, added } = this;
    return {
      times: times.subarray(0, added),
      nameCodes: nameCodes.subarray(0, added),
      userCodes: userCodes.subarray(0, added),
      eventNames: names.strings,
      userIds: users.strings,
    };
  }

  private grow(): void {
    const length = 2 * this.added;
    this.times = extendArray(this.times, length);
    this.nameCodes = extendArray(this.nameCodes, length);
    this.userCodes = extendArray(this.userCodes, length);
  }
}

/** Events in columns, in order of user, then of time, then as they were added. */
export class EventTable {
  /** Whole Unix seconds. */
  readonly times: Float64Array;
  /** Indexes of `eventNames`. */
  readonly events: Uint32Array;
  /** Indexes of `userIds`, in ascending order. */
  readonly users: Uint32Array;
  readonly eventNames: readonly string[];
  readonly userIds: readonly string[];
  /** The row of each event in the list. */
  readonly order: Uint32Array;
  private readonly columns = new Map<string, BatchColumn | undefined>();

  constructor(
    { times, nameCodes, userCodes, eventNames, userIds }: EventColumns,
    private readonly readColumn: ReadColumn,
  ) {
    this.eventNames = eventNames;
    this.userIds = userIds;
    this.order = sortByUserAndTime(userCodes, userIds.length, times);
    this.times = gather(times, this.order);
    this.events = gather(nameCodes, this.order);
    this.users = gather(userCodes, this.order);
  }

  get length(): number {
    return this.times.length;
  }

  /** Returns the values of a property of the events or of their users; undefined if none has it. */
  getColumn(read: PropertyRead): BatchColumn | undefined {
    const key = `${read.scope} ${read.name}`;
    if (!this.columns.has(key)) {
      const column = this.readColumn(read);
      this.columns.set(key, column && selectRows(column, this.order));
    }
    return this.columns.get(key);
  }

  /** Returns the number of events with each name. */
  countNames(): Map<string, number> {
    const counts = new Uint32Array(this.eventNames.length);
    for (const event of this.events) (counts[event] as number)++;
    return new Map(this.eventNames.map((name, event) => [name, counts[event] as number]));
  }

  /** Returns the rows of events with one of the names in a range of time: all names, or all time, if undefined. */
  findRows(names: readonly string[] | undefined, span: TimeRange = ALL_TIME): Uint32Array {
    const { events, times, eventNames, length } = this;
    const wanted = names && new Set(names);
    const isWanted = Uint8Array.from(eventNames, (name) => Number(wanted?.has(name) !== false));
    const { from, to, gaps = [] } = span;
    const rows = new Uint32Array(length);
    let count = 0;
    for (let row = 0; row < length; row++) {
      const time = times[row] as number;
      rows[count] = row;
      count += Number(isWanted[events[row] as number] === 1 && time >= from && time < to);
    }
    const found = rows.subarray(0, count);
    return gaps.length === 0 ? found : this.selectRange(found, span);
  }

  /** Returns the rows of events with a name. */
  selectEvent(rows: Uint32Array, name: string): Uint32Array {
    const { events, eventNames } = this;
    const event = eventNames.indexOf(name);
    return filterRows(rows, (row) => events[row] === event);
  }

  /** Returns the rows of events in a range of time. */
  selectRange(rows: Uint32Array, { from, to, gaps = [] }: TimeRange): Uint32Array {
    const { times } = this;
    const kept = new Uint32Array(rows.length);
    let count = 0;
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] as number;
      kept[count] = row;
      count += Number((times[row] as number) >= from && (times[row] as number) < to);
    }
    const whole = kept.subarray(0, count);
    if (gaps.length === 0) return whole;
    return filterRows(whole, (row) => !gaps.some((gap) => isInRange(times[row] as number, gap)));
  }
}

/** Returns the rows that pass a test. Unlike the method of typed arrays, it makes no list on the way. */
export function filterRows(rows: Uint32Array, test: (row: number, at: number) => boolean): Uint32Array {
  const kept = new Uint32Array(rows.length);
  let count = 0;
  for (let at = 0; at < rows.length; at++) {
    kept[count] = rows[at] as number;
    count += Number(test(rows[at] as number, at));
  }
  return kept.subarray(0, count);
}

/** Returns the elements at some rows. */
export function gather<Column extends Float64Array | Uint32Array>(column: Column, rows: Uint32Array): Column {
  const elements = column.slice(0, rows.length) as Column;
  for (let at = 0; at < rows.length; at++) elements[at] = column[rows[at] as number] as number;
  return elements;
}

/** The rows of each user: those of user `n` are from `ends[n]` to `ends[n + 1]`, in their order. */
interface UserRows {
  readonly order: Uint32Array;
  readonly ends: Uint32Array;
}

/** Returns the rows in order of user, and where those of each user end. */
export function sortByUser(users: Uint32Array, userCount: number): UserRows {
  const ends = new Uint32Array(userCount + 1);
  for (let row = 0; row < users.length; row++) (ends[(users[row] as number) + 1] as number)++;
  for (let user = 0; user < userCount; user++) (ends[user + 1] as number) += ends[user] as number;
  const starts = ends.slice();
  const order = new Uint32Array(users.length);
  for (let row = 0; row < users.length; row++) {
    const user = users[row] as number;
    order[(starts[user] as number)++] = row;
  }
  return { order, ends };
}

/** Returns the rows in order of user, time and row. */
function sortByUserAndTime(users: Uint32Array, userCount: number, times: Float64Array): Uint32Array {
  const { order, ends } = sortByUser(users, userCount);
  for (let user = 0; user < userCount; user++) {
    const [from, to] = [ends[user] as number, ends[user + 1] as number];
    if (isSorted(order, from, to, times)) continue;
    order.subarray(from, to).sort((row, other) => (times[row] as number) - (times[other] as number) || row - other);
  }
  return order;
}

function isSorted(rows: Uint32Array, from: number, to: number, times: Float64Array): boolean {
  for (let at = from + 1; at < to; at++) {
    if ((times[rows[at - 1] as number] as number) > (times[rows[at] as number] as number)) return false;
  }
  return true;
}
