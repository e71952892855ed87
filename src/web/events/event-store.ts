import { check } from '../../api/expressions.ts';
import { ClauseCounter, type FilterCounts } from '../../data/clause-counts.ts';
import type { EventRecord } from '../../data/event-record.ts';
import { createFieldReader, EVENT_PROPERTY } from '../../data/field-mapping.ts';
import { type AbsentName, describeAbsent, NameCensus } from '../../data/name-census.ts';
import { listKeys, listNamed, Occurrences } from '../../data/occurrences.ts';
import { findTimeZone } from '../../lang/operators/time-zone.ts';
import { countColumnValues } from '../../queries/in-memory/count-column-values.ts';
import type { CountedName, CountedValue, PropertyScope } from '../shared/property-catalog.ts';
import { countNames } from './count-names.ts';
import { type MemoryRecords, toMemoryRecords } from './memory-records.ts';
import type { Choice, CountQuery, EventRow, EventsQuery, EventsResult, Page } from './messages.ts';
import { RecordColumns } from './record-columns.ts';
import { runQuery } from './run-query.ts';

/** Milliseconds before the store yields to other messages: a newer query cancels an older one. */
const SLICE_MS = 40;
const RECORDS_PER_STEP = 1000;

const MAX_VALUES = 100;

/** Adds the name of the event as a property, as commands that read files do. */
const addEvent = createFieldReader({ withEvent: true });

/** Holds the events and answers queries about them. */
export class EventStore {
  private records: EventRecord[] = [];
  private matching: Uint32Array = new Uint32Array();
  private others: Uint32Array = new Uint32Array();
  private lastQuery = 0;
  /** Both are created when they are first needed. */
  private memory: MemoryRecords | undefined;
  private columns: RecordColumns | undefined;

  /** Removes all events. */
  clear(): void {
    this.lastQuery++;
    this.memory = undefined;
    this.columns = undefined;
    this.records = [];
    this.matching = new Uint32Array();
    this.others = new Uint32Array();
  }

  get size(): number {
    return this.records.length;
  }

  /** Yields all events with their names as a property, in the order of the file. */
  *all(): Generator<EventRecord> {
    for (const record of this.records) yield addEvent(record);
  }

  add(records: readonly EventRecord[]): void {
    this.memory = undefined;
    this.columns = undefined;
    for (const record of records) this.records.push(record);
  }

  /** Returns the events and people as the queries of a server read them. */
  toMemory(): MemoryRecords {
    this.memory ??= toMemoryRecords(this.records);
    return this.memory;
  }

  /** Runs a query over all events. */
  query(query: EventsQuery): EventsResult {
    this.lastQuery++;
    const { result, matching, others } = runQuery(this.getColumns(), query);
    this.matching = matching;
    this.others = others;
    return result;
  }

  /**
   * Finds properties and values that the expressions of the last query name and no event has. Finds none if a newer
   * query has started.
   */
  async findAbsent({ where, on, now }: EventsQuery): Promise<AbsentName[]> {
    const id = this.lastQuery;
    const sources = [where, on].filter((source) => source.trim() !== '');
    const named = listNamed({ sources, now });
    const missing = new Set(listKeys(named));
    const occurrences = new Occurrences(named);
    await this.scan(id, (from, to) => {
      for (let index = from; index < to; index++) occurrences.add(this.readWithEvent(index));
      for (const key of occurrences.take()) missing.delete(key);
      return missing.size > 0;
    });
    if (missing.size === 0 || this.size === 0) return [];
    const census = new NameCensus(named);
    const isDone = await this.scan(id, (from, to) => {
      for (let index = from; index < to; index++) census.add(this.readWithEvent(index));
      return true;
    });
    if (!isDone) return [];
    return [...describeAbsent(named, (key) => missing.has(key), census, { scope: '', isWhole: true })];
  }

  /** Counts how many events each part of a filter matches. Returns `undefined` if a newer query has started. */
  async count({ where, now, timeZone }: CountQuery): Promise<FilterCounts | undefined> {
    const counter = new ClauseCounter(where, now, findTimeZone(timeZone));
    const withEvent = check(where).properties.some(({ name }) => name === EVENT_PROPERTY);
    const read = createFieldReader({ withEvent });
    const isDone = await this.scan(this.lastQuery, (from, to) => {
      for (let index = from; index < to; index++) {
        const { properties, user } = read(this.records[index] as EventRecord);
        counter.add(properties, user);
      }
      return true;
    });
    return isDone ? counter.counts : undefined;
  }

  /** Counts the properties of all events. */
  countProperties(scope: PropertyScope): CountedName[] {
    return countNames(this.records, scope);
  }

  /** Counts the values of a property of all events. */
  countValues(scope: PropertyScope, name: string): CountedValue[] {
    const counts = countColumnValues(this.getColumns().getColumn({ scope, name }), this.size, MAX_VALUES);
    return counts.map(({ name: value, type, count }) => ({ value, type, count }));
  }

  private getColumns(): RecordColumns {
    this.columns ??= new RecordColumns(this.records);
    return this.columns;
  }

  /**
   * Processes all events in parts, until `process` returns false, and lets the worker handle messages in between.
   * Returns whether no newer query has started.
   */
  private async scan(id: number, process: (from: number, to: number) => boolean): Promise<boolean> {
    let due = performance.now() + SLICE_MS;
    for (let from = 0; from < this.size; from += RECORDS_PER_STEP) {
      if (!process(from, Math.min(from + RECORDS_PER_STEP, this.size))) break;
      if (performance.now() < due) continue;
      await yieldToMessages();
      if (id !== this.lastQuery) return false;
      due = performance.now() + SLICE_MS;
    }
    return true;
  }

  private readWithEvent(index: number): EventRecord {
    return addEvent(this.records[index] as EventRecord);
  }

  /** Returns up to `limit` events from an index on, with the outcome of the last query. */
  list(choice: Choice, from: number, limit: number): Page {
    const chosen = choice === 'all' ? undefined : this[choice];
    const count = chosen?.length ?? this.size;
    const indexes = Array.from({ length: Math.max(0, Math.min(limit, count - from)) }, (_, at) => {
      return chosen === undefined ? from + at : (chosen[from + at] as number);
    });
    return { rows: indexes.map((index) => this.row(index)), count };
  }

  private row(index: number): EventRow {
    const { text: _, whole: __, ...record } = this.readWithEvent(index);
    return { ...record, index, matches: this.getOutcome(index) };
  }

  private getOutcome(index: number): boolean | undefined {
    if (includes(this.matching, index)) return true;
    return includes(this.others, index) ? false : undefined;
  }
}

/** Lets the worker handle messages that have arrived. */
function yieldToMessages(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Tells whether a sorted array includes a number. */
function includes(ascending: Uint32Array, wanted: number): boolean {
  let [from, to] = [0, ascending.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ascending[middle] as number) < wanted) from = middle + 1;
    else to = middle;
  }
  return ascending[from] === wanted;
}
