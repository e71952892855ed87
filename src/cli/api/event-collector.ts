import { toWellFormed } from '../../base/strings.ts';
import { EVENT_PROPERTY } from '../../data/field-mapping.ts';
import type { PropertyRead } from '../../lang/check/check.ts';
import type { ColumnBuilder } from '../../lang/engines/columnar/column-builder.ts';
import type { BatchColumn } from '../../lang/plan/batch-column.ts';
import { type Properties, readProperty, type Value } from '../../lang/value.ts';
import { EventList, EventTable } from '../../queries/in-memory/event-table.ts';
import { GrowingColumn } from '../../queries/in-memory/growing-column.ts';
import type { MemoryPerson } from '../../queries/in-memory/memory-context.ts';
import { readUserColumn } from '../../queries/in-memory/user-column.ts';
import type { EventLine, PersonLine } from '../../service/store/log-line.ts';
import { PersonDraft } from '../../service/store/person-draft.ts';
import { PERSON_OPERATIONS } from '../../service/store/person-operations.ts';
import type { LineWalker } from '../input/line-walker.ts';
import { PlainEvents, repair } from './plain-events.ts';

/** The records of files: what queries read of events in a table, and whole people. */
export interface CollectedRecords {
  readonly table: EventTable;
  readonly people: readonly MemoryPerson[];
  /** Returns all properties of the event at a row of the table, if they are kept. */
  readonly readProperties: ((row: number) => Properties) | undefined;
}

/** Collects the records of files. */
export class EventCollector {
  private readonly list = new EventList();
  private readonly columns: ReadonlyMap<string, GrowingColumn>;
  private readonly people = new Map<string, PersonDraft>();

  /** All properties of the events, in the order of adding; undefined if they are not kept. */
  private readonly properties: Properties[] | undefined;

  /**
   * @param reads the properties that the queries read
   * @param keepsWhole whether to keep all properties, too
   */
  constructor(reads: readonly PropertyRead[], keepsWhole = false) {
    this.properties = keepsWhole ? [] : undefined;
    const names = reads.flatMap(({ scope, name }) => (scope === 'properties' ? [name] : []));
    this.columns = new Map(names.map((name) => [name, new GrowingColumn()]));
  }

  addEvent({ event, time, distinct_id, properties }: EventLine): void {
    const row = this.list.length;
    for (const [name, column] of this.columns) {
      column.reserve(row);
      const value = readProperty(properties, name);
      column.set(row, value === undefined && name === EVENT_PROPERTY ? event : value);
    }
    this.list.add(repair(event), time, repair(distinct_id));
    this.properties?.push(properties);
  }

  /** Returns what adds events from where a walker finds them. */
  createPlainEvents(walker: LineWalker): PlainEvents {
    return new PlainEvents(walker, this.list, this.columns);
  }

  /** Updates a person. */
  addPerson({ $distinct_id, ...operations }: PersonLine): void {
    const id = repair($distinct_id);
    const draft = this.people.get(id) ?? new PersonDraft(undefined);
    this.people.set(id, draft);
    for (const [name, argument] of Object.entries(toWellFormed(operations) as Properties)) {
      PERSON_OPERATIONS.get(name)?.apply(draft, argument as never);
    }
  }

  finish(): CollectedRecords {
    const { list, properties: whole } = this;
    const people = Array.from(this.people, ([distinctId, draft]) => {
      const properties = draft.finish();
      return properties && { distinctId, properties };
    }).filter((person) => person !== undefined);
    const profiles = new Map(people.map(({ distinctId, properties }) => [distinctId, properties]));
    const columns = new Map(Array.from(this.columns, ([name, column]) => [name, finishColumn(column)]));
    const events = list.columns;
    const table = new EventTable(events, ({ scope, name }) => {
      return scope === 'properties' ? columns.get(name) : readUserColumn(events, profiles, name);
    });
    return { table, people, readProperties: whole && ((row) => whole[table.order[row] as number] as Properties) };
  }
}

function finishColumn(builder: ColumnBuilder): BatchColumn {
  const column = builder.finish();
  return { ...column, dictionary: column.dictionary.map((value) => toWellFormed(value) as Value) };
}
