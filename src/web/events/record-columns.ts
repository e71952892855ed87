import type { EventRecord } from '../../data/event-record.ts';
import { EVENT_PROPERTY } from '../../data/field-mapping.ts';
import type { PropertyRead } from '../../lang/check/check.ts';
import { ColumnBuilder } from '../../lang/engines/columnar/column-builder.ts';
import type { Batch } from '../../lang/plan/batch.ts';
import type { BatchColumn } from '../../lang/plan/batch-column.ts';
import { readProperty } from '../../lang/value.ts';

/** The users of records. */
interface RecordUsers {
  readonly count: number;
  /** The number of the user of each record, -1 if it has none. */
  readonly codes: Int32Array;
  /** The records with a user, in order of user. */
  readonly order: Uint32Array;
}

/** The records of a file in columns, in the order of the file. A column is made when it is first read. */
export class RecordColumns {
  private readonly columns = new Map<string, BatchColumn>();
  private knownTimes: Float64Array | undefined;
  private knownUsers: RecordUsers | undefined;

  constructor(private readonly records: readonly EventRecord[]) {}

  get length(): number {
    return this.records.length;
  }

  /** Returns the properties that an expression reads. The name of the event is one, as for commands that read files. */
  createBatch(reads: readonly PropertyRead[]): Batch {
    const columns = { properties: new Map<string, BatchColumn>(), user: new Map<string, BatchColumn>() };
    for (const read of reads) columns[read.scope].set(read.name, this.getColumn(read));
    return { length: this.length, ...columns };
  }

  /** The Unix seconds of each record, NaN if it has none. */
  get times(): Float64Array {
    this.knownTimes ??= Float64Array.from(this.records, ({ time = Number.NaN }) => time);
    return this.knownTimes;
  }

  get users(): RecordUsers {
    this.knownUsers ??= numberUsers(this.records);
    return this.knownUsers;
  }

  getColumn(read: PropertyRead): BatchColumn {
    const key = `${read.scope} ${read.name}`;
    const column = this.columns.get(key) ?? readColumn(this.records, read);
    this.columns.set(key, column);
    return column;
  }
}

function readColumn(records: readonly EventRecord[], { scope, name }: PropertyRead): BatchColumn {
  const builder = new ColumnBuilder(records.length);
  const isEventName = scope === 'properties' && name === EVENT_PROPERTY;
  for (const [row, record] of records.entries()) {
    const properties = record[scope];
    const value = readProperty(properties, name);
    builder.set(row, isEventName && !Object.hasOwn(properties ?? {}, name) ? record.event : value);
  }
  return builder.finish();
}

function numberUsers(records: readonly EventRecord[]): RecordUsers {
  const numbers = new Map<string, number>();
  const codes = new Int32Array(records.length).fill(-1);
  for (const [row, { distinctId }] of records.entries()) {
    if (distinctId === undefined) continue;
    const code = numbers.get(distinctId) ?? numbers.size;
    numbers.set(distinctId, code);
    codes[row] = code;
  }
  const rows = Uint32Array.from(codes.keys()).filter((row) => codes[row] !== -1);
  return {
    count: numbers.size,
    codes,
    order: rows.sort((row, other) => (codes[row] as number) - (codes[other] as number)),
  };
}
