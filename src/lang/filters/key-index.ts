import { isPlain } from '../engines/closures/plain.ts';
import { type Properties, readProperty, readValue, type Scalar, type Value } from '../value.ts';
import type { EqualKey, LookupKey } from './access.ts';
import type { ColumnRead } from './column-read.ts';
import { Fact } from './fact.ts';
import { Posting, Ranges } from './postings.ts';

/** An equality is preferred to a range, and a range to presence, unless very many filters share it. */
const BOOLEAN_WEIGHT = 1e2;
const RANGE_WEIGHT = 1e3;
const PRESENT_WEIGHT = 1e6;

/** More names are not looked up one by one. */
const MAX_NAMES = 1000;

/** The filters that have a key on one property, or on a cast of it. */
class KeyColumn {
  readonly equal = new Map<Scalar, Fact>();
  readonly ranges = new Ranges();
  readonly present = new Posting();
  readonly odd = new Posting();
  /** Columns of the casts of the property. */
  readonly casts = new Map<string, KeyColumn>();

  constructor(readonly read: ColumnRead) {}

  get isEmpty(): boolean {
    const { equal, ranges, present, odd, casts } = this;
    return equal.size + ranges.size + present.size + odd.size + casts.size === 0;
  }

  /** Marks the fact that the value is, and adds the filters with a key that the value has. */
  collect(value: Value, record: number, found: number[]): void {
    if (value === undefined) return;
    const { equal, ranges, present, odd, casts } = this;
    const fact = equal.size > 0 ? equal.get(value as Scalar) : undefined;
    if (fact !== undefined) {
      fact.record = record;
      fact.collect(found);
    }
    if (present.size > 0) present.collect(found);
    if (ranges.size > 0 && typeof value === 'number') ranges.collect(value, found);
    if (odd.size > 0 && typeof value !== 'boolean') odd.collect(found);
    if (casts.size > 0)
      for (const column of casts.values()) column.collect(column.read.cast?.evaluate(value), record, found);
  }
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

  /** Adds a key of a filter, and returns an equal key, which it shares with other filters if it can. */
  add(key: LookupKey, slot: number): LookupKey {
    if (key.kind === 'equal') {
      const fact = this.findFact(key);
      fact.add(slot);
      return fact;
    }
    const column = this.findOrCreate(key.read);
    if (key.kind === 'range') column.ranges.add(slot, key.low, key.high);
    else column[key.kind].add(slot);
    return { ...key, read: column.read };
  }

  remove(key: LookupKey, slot: number): void {
    const column = this.findOrCreate(key.read);
    if (key.kind === 'range') column.ranges.remove(slot, key.low, key.high);
    else if (key.kind === 'equal') {
      const fact = this.findFact(key);
      fact.remove(slot);
      this.dropFact(fact);
    } else column[key.kind].remove(slot);
    this.drop(column);
  }

  /** Returns the fact of a key, for one more filter that needs it. */
  take(key: EqualKey): Fact {
    const fact = this.findFact(key);
    fact.uses++;
    return fact;
  }

  /** Gives back a fact that a filter has taken. */
  release(fact: Fact): void {
    fact.uses--;
    this.dropFact(fact);
    this.drop(this.findOrCreate(fact.read));
  }

  /**
   * Marks the facts that a record has with its number, and adds the slots of the filters that share a key with it, some
   * more than once.
   */
  collect(properties: Properties, user: Properties | undefined, record: number, found: number[]): void {
    collectRecord(this.columns.properties, properties, record, found);
    if (user !== undefined && this.columns.user.size > 0) collectRecord(this.columns.user, user, record, found);
  }

  private findFact({ read, value }: EqualKey): Fact {
    const column = this.findOrCreate(read);
    const known = column.equal.get(value);
    if (known !== undefined) return known;
    const fact = new Fact(column.read, value);
    column.equal.set(value, fact);
    return fact;
  }

  /** Removes a fact that no filter needs. */
  private dropFact({ read, value, size, uses }: Fact): void {
    if (size + uses === 0) this.find(read)?.equal.delete(value);
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

function collectRecord(
  columns: ReadonlyMap<string, KeyColumn>,
  properties: Properties,
  record: number,
  found: number[],
): void {
  const names = listNames(properties);
  // A record may have far more properties than filters read.
  if (names === undefined || names.length > MAX_NAMES) {
    for (const [name, column] of columns) column.collect(readProperty(properties, name), record, found);
    return;
  }
  for (const name of names) {
    const column = columns.get(name);
    if (column !== undefined) column.collect(readOwn(properties, name), record, found);
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
