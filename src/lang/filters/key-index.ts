import { isPlain } from '../engines/closures/plain.ts';
import { type Properties, readProperty, readValue, type Scalar, type Value } from '../value.ts';
import type { FilterAccess, LookupKey } from './access.ts';
import type { ColumnRead } from './column-read.ts';
import { Posting, Ranges } from './postings.ts';

/** An equality is preferred to a range, and a range to presence, unless very many filters share it. */
const BOOLEAN_WEIGHT = 1e2;
const RANGE_WEIGHT = 1e3;
const PRESENT_WEIGHT = 1e6;

/** More names are not looked up one by one. */
const MAX_NAMES = 1000;

/** The filters that have a key on one property, or on a cast of it. */
class KeyColumn {
  readonly equal = new Map<Scalar, Posting<readonly LookupKey[]>>();
  readonly ranges = new Ranges();
  readonly present = new Posting<readonly LookupKey[]>();
  readonly odd = new Posting<readonly LookupKey[]>();
  /** Columns of the casts of the property. */
  readonly casts = new Map<string, KeyColumn>();

  constructor(readonly read: ColumnRead) {}

  get isEmpty(): boolean {
    const { equal, ranges, present, odd, casts } = this;
    return equal.size + ranges.size + present.size + odd.size + casts.size === 0;
  }

  /** Passes the filters with a key that the value has. */
  visit(value: Value, visit: (slot: number) => void): void {
    if (value === undefined) return;
    const { equal, ranges, present, odd, casts } = this;
    const posting = equal.size > 0 ? equal.get(value as Scalar) : undefined;
    if (posting !== undefined) visitAll(posting, visit);
    if (present.size > 0) visitAll(present, visit);
    if (ranges.size > 0 && typeof value === 'number') ranges.visit(value, visit);
    if (odd.size > 0 && typeof value !== 'boolean') visitAll(odd, visit);
    if (casts.size > 0) for (const column of casts.values()) column.visit(column.read.cast?.evaluate(value), visit);
  }
}

function visitAll({ slots }: Posting, visit: (slot: number) => void): void {
  for (let index = 0; index < slots.length; index++) visit(slots[index] as number);
}

/** Finds filters by the properties of a record. */
export class KeyIndex {
  private readonly columns = { properties: new Map<string, KeyColumn>(), user: new Map<string, KeyColumn>() };

  /** Estimates how many filters share a key with a record. */
  weigh(key: LookupKey): number {
    const column = this.find(key.read);
    switch (key.kind) {
      case 'equal':
        return (typeof key.value === 'boolean' ? BOOLEAN_WEIGHT : 1) + (column?.equal.get(key.value)?.size ?? 0);
      case 'range':
        return RANGE_WEIGHT + (column?.ranges.size ?? 0);
      case 'present':
        return PRESENT_WEIGHT + (column?.present.size ?? 0);
      case 'odd':
        return 0;
    }
  }

  /** Adds a filter, and returns an equal access, which it shares with other filters as far as possible. */
  add(access: readonly LookupKey[], slot: number): FilterAccess {
    const added = access.map((key) => this.addKey(key, slot));
    return added.length === 1 ? added[0] : added.flat();
  }

  remove(key: LookupKey, slot: number): void {
    const column = this.findOrCreate(key.read);
    if (key.kind === 'range') column.ranges.remove(slot, key.low, key.high);
    else if (key.kind === 'equal') {
      const posting = column.equal.get(key.value);
      posting?.remove(slot);
      if (posting?.size === 0) column.equal.delete(key.value);
    } else column[key.kind].remove(slot);
    this.drop(column);
  }

  /** Passes the slots of the filters that share a key with a record, some more than once. */
  visit(properties: Properties, user: Properties | undefined, visit: (slot: number) => void): void {
    visitRecord(this.columns.properties, properties, visit);
    if (user !== undefined && this.columns.user.size > 0) visitRecord(this.columns.user, user, visit);
  }

  private addKey(key: LookupKey, slot: number): readonly LookupKey[] {
    const column = this.findOrCreate(key.read);
    const own = [{ ...key, read: column.read }];
    if (key.kind === 'range') {
      column.ranges.add(slot, key.low, key.high);
      return own;
    }
    const posting = key.kind === 'equal' ? (column.equal.get(key.value) ?? new Posting(own)) : column[key.kind];
    posting.add(slot);
    if (key.kind === 'equal') column.equal.set(key.value, posting);
    return posting.access ?? own;
  }

  private find({ scope, name, cast }: ColumnRead): KeyColumn | undefined {
    const column = this.columns[scope].get(name);
    return cast === undefined ? column : column?.casts.get(cast.id);
  }

  private findOrCreate(read: ColumnRead): KeyColumn {
    const { scope, name, cast } = read;
    const whole = getOrCreate(this.columns[scope], name, { scope, name, cast: undefined, missing: undefined });
    return cast === undefined ? whole : getOrCreate(whole.casts, cast.id, read);
  }

  /** Removes a column that has no filters left. */
  private drop({ isEmpty, read: { scope, name, cast } }: KeyColumn): void {
    if (!isEmpty) return;
    const whole = this.columns[scope].get(name);
    if (cast !== undefined) whole?.casts.delete(cast.id);
    if (whole?.isEmpty) this.columns[scope].delete(name);
  }
}

function getOrCreate<Id>(columns: Map<Id, KeyColumn>, id: Id, read: ColumnRead): KeyColumn {
  const known = columns.get(id);
  if (known !== undefined) return known;
  const column = new KeyColumn(read);
  columns.set(id, column);
  return column;
}

function visitRecord(columns: ReadonlyMap<string, KeyColumn>, record: Properties, visit: (slot: number) => void): void {
  const names = listNames(record);
  // A record may have far more properties than filters read.
  if (names === undefined || names.length > MAX_NAMES) {
    for (const [name, column] of columns) column.visit(readProperty(record, name), visit);
    return;
  }
  for (const name of names) {
    const column = columns.get(name);
    if (column !== undefined) column.visit(readOwn(record, name), visit);
  }
}

/** Returns the names of the own properties of a record; undefined if it may hide some. */
function listNames(record: Properties): readonly string[] | undefined {
  try {
    return isPlain(record) ? Object.getOwnPropertyNames(record) : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a property that a record has. */
function readOwn(record: Properties, name: string): Value {
  try {
    const value = record[name];
    return typeof value === 'string' ? value : readValue(value);
  } catch {
    return undefined;
  }
}
