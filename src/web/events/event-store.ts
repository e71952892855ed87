import { check } from '../../api/expressions.ts';
import { ClauseCounter, type FilterCounts } from '../../data/clause-counts.ts';
import type { EventRecord } from '../../data/event-record.ts';
import { createFieldReader } from '../../data/field-mapping.ts';
import type { AbsentName } from '../../data/name-census.ts';
import { listNamed } from '../../data/occurrences.ts';
import type { Schema } from '../../lang/check/schema.ts';
import { findTimeZone } from '../../lang/operators/time-zone.ts';
import { countColumnValues } from '../../queries/in-memory/count-column-values.ts';
import { rankTop } from '../../queries/in-memory/row-segments.ts';
import type { CountedName, CountedValue, PropertyScope } from '../shared/property-catalog.ts';
import { findAbsent } from './find-absent.ts';
import { type MemoryRecords, toMemoryRecords } from './memory-records.ts';
import type { Choice, CountQuery, EventRow, EventsQuery, EventsResult, Page } from './messages.ts';
import { RecordColumns } from './record-columns.ts';
import { RecordList, type RestoreRecord } from './record-list.ts';
import { runQuery } from './run-query.ts';

/** Milliseconds before the store yields to other messages: a newer query cancels an older one. */
const SLICE_MS = 40;
const RECORDS_PER_STEP = 1000;

const MAX_VALUES = 100;
const MAX_NAMES = 255;

/** Adds the name of the event as a property, as commands that read files do. */
const addEvent = createFieldReader({ withEvent: true });

/** Holds the events and answers queries about them. */
export class EventStore {
  private records = new RecordList();
  private columns = new RecordColumns();
  private matching: Uint32Array = new Uint32Array();
  private others: Uint32Array = new Uint32Array();
  private lastQuery = 0;
  /** Created when it is first needed. */
  private memory: MemoryRecords | undefined;

  /** Removes all events. */
  clear(): void {
    this.lastQuery++;
    this.memory = undefined;
    this.records = new RecordList();
    this.columns = new RecordColumns();
    this.matching = new Uint32Array();
    this.others = new Uint32Array();
  }

  get size(): number {
    return this.columns.length;
  }

  /** @param restore reads a record again from its text, if that is possible */
  add(records: readonly EventRecord[], restore?: RestoreRecord): void {
    this.memory = undefined;
    for (const record of records) this.columns.add(record);
    this.records.add(records, restore);
  }

  /** Infers the schema of all events, with their names as a property. */
  inferSchema(): Schema {
    return this.columns.inferSchema();
  }

  /** Returns the events and people as the queries of a server read them. */
  toMemory(): MemoryRecords {
    this.memory ??= toMemoryRecords(this.columns, (row) => this.records.get(row).properties);
    return this.memory;
  }

  /** Runs a query over all events. */
  query(query: EventsQuery): EventsResult {
    this.lastQuery++;
    const { result, matching, others } = runQuery(this.columns, query);
    this.matching = matching;
    this.others = others;
    return result;
  }

  /** Finds properties and values that the expressions of a query name and no event has. */
  findAbsent({ where, on, now }: EventsQuery): AbsentName[] {
    return findAbsent(this.columns, listNamed({ sources: [where, on].filter((source) => source.trim() !== ''), now }));
  }

  /** Counts how many events each part of a filter matches. Returns `undefined` if a newer query has started. */
  async count({ where, now, timeZone }: CountQuery): Promise<FilterCounts | undefined> {
    const counter = new ClauseCounter(where, now, findTimeZone(timeZone));
    const read = this.columns.createReader(check(where).properties);
    const isDone = await this.scan(this.lastQuery, (from, to) => {
      for (let row = from; row < to; row++) {
        const { properties, user } = read(row);
        counter.add(properties, user);
      }
    });
    return isDone ? counter.counts : undefined;
  }

  /** Counts the properties of all events. */
  countProperties(scope: PropertyScope): CountedName[] {
    const counts = this.columns.countNames(scope);
    return rankTop(counts, MAX_NAMES).map((name) => ({ name, count: counts.get(name) as number }));
  }

  /** Counts the values of a property of all events. */
  countValues(scope: PropertyScope, name: string): CountedValue[] {
    const counts = countColumnValues(this.columns.getColumn({ scope, name }), this.size, MAX_VALUES);
    return counts.map(({ name: value, type, count }) => ({ value, type, count }));
  }

  /**
   * Processes all events in parts, and lets the worker handle messages in between. Returns whether no newer query has
   * started.
   */
  private async scan(id: number, process: (from: number, to: number) => void): Promise<boolean> {
    let due = performance.now() + SLICE_MS;
    for (let from = 0; from < this.size; from += RECORDS_PER_STEP) {
      process(from, Math.min(from + RECORDS_PER_STEP, this.size));
      if (performance.now() < due) continue;
      await yieldToMessages();
      if (id !== this.lastQuery) return false;
      due = performance.now() + SLICE_MS;
    }
    return true;
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
    const { text: _, whole: __, ...record } = addEvent(this.records.get(index));
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
