import { isWellFormed, toWellFormed } from '../../base/strings.ts';
import { MAX_SECONDS } from '../../lang/operators/time.ts';
import { readValue, type Value } from '../../lang/value.ts';
import type { EventList, StringCodes } from '../../queries/in-memory/event-table.ts';
import type { GrowingColumn } from '../../queries/in-memory/growing-column.ts';
import type { LineWalker } from '../input/line-walker.ts';

/** The slots of an event whose properties are in an object of their own, or beside its name. */
interface Slots {
  readonly user: number;
  readonly time: number;
  readonly insertId: number;
  readonly values: readonly number[];
  /** The other properties that the walker reads. */
  readonly others: readonly number[];
}

/** The properties that the walker reads to tell what a record is. */
const OTHERS = ['event', '$distinct_id', 'properties', '$properties'];

/**
 * Adds plain events from where a walker found them, without an object for each: those with a name, a user and a time in
 * their standard places, which an import stores as they are. Most events of most files are plain.
 */
export class PlainEvents {
  /** The `$insert_id` of the event that was read. */
  insertId: string | undefined;
  private readonly name: number;
  private readonly properties: number;
  private readonly profile: number;
  private readonly nested: Slots;
  private readonly flat: Slots;
  private readonly columns: readonly GrowingColumn[];
  private readonly names: SlotCodes;
  private readonly users: SlotCodes;
  /** The values of the event that was read, one for each column. */
  private readonly values: Value[] = [];
  private slots: Slots;

  /** @param columns the properties to read, all of which the walker knows */
  constructor(
    private readonly walker: LineWalker,
    private readonly list: EventList,
    columns: ReadonlyMap<string, GrowingColumn>,
  ) {
    const find = (parent?: string): Slots => ({
      user: walker.findSlot('distinct_id', parent),
      time: walker.findSlot('time', parent),
      insertId: walker.findSlot('$insert_id', parent),
      values: Array.from(columns.keys(), (name) => walker.findSlot(name, parent)),
      others: OTHERS.map((name) => walker.findSlot(name, parent)),
    });
    this.name = walker.findSlot('event');
    this.properties = walker.findSlot('properties');
    this.profile = walker.findSlot('$properties');
    this.nested = find('properties');
    this.flat = find();
    this.slots = this.flat;
    this.columns = [...columns.values()];
    this.names = new SlotCodes(walker, list.names);
    this.users = new SlotCodes(walker, list.users);
  }

  /** Reads the line that the walker found. Returns false if it is not plain: only a record tells what it is. */
  read(): boolean {
    const { walker, values } = this;
    if (walker.isParent(this.properties)) this.slots = this.nested;
    else if (!walker.isAbsent(this.properties) || walker.isParent(this.profile)) return false;
    else this.slots = this.flat;
    const { slots } = this;
    if (!walker.isText(this.name) || !walker.isText(slots.user) || !isTime(walker.readSlot(slots.time))) return false;
    if (walker.isAbsent(slots.insertId)) this.insertId = undefined;
    else if (!walker.isText(slots.insertId)) return false;
    else this.insertId = walker.readSlot(slots.insertId) as string;
    for (const slot of slots.others) if (!walker.isAbsent(slot) && !isScalar(walker.readSlot(slot))) return false;
    for (let at = 0; at < slots.values.length; at++) {
      const value = walker.readSlot(slots.values[at] as number);
      if (!isScalar(value)) return false;
      values[at] = readValue(value);
    }
    return true;
  }

  /** Adds the event that was read. */
  add(): void {
    const { walker, list, columns, values, slots } = this;
    for (let at = 0; at < columns.length; at++) {
      columns[at]?.reserve(list.length);
      columns[at]?.set(list.length, values[at]);
    }
    const time = walker.readSlot(slots.time) as number;
    list.addCodes(this.names.getCode(this.name), time, this.users.getCode(slots.user));
  }
}

/** Finds the codes of strings where a walker found them. Most strings were read before, and are not decoded again. */
class SlotCodes {
  /** The code of each string that the walker has numbered. */
  private readonly codes: (number | undefined)[] = [];

  constructor(
    private readonly walker: LineWalker,
    private readonly strings: StringCodes,
  ) {}

  getCode(slot: number): number {
    const number = this.walker.numberText(slot);
    if (number === undefined) return this.strings.getCode(repair(this.walker.readSlot(slot) as string));
    const known = this.codes[number];
    if (known !== undefined) return known;
    const code = this.strings.getCode(this.walker.readSlot(slot) as string);
    this.codes[number] = code;
    return code;
  }
}

function isTime(time: unknown): boolean {
  return typeof time === 'number' && Number.isInteger(time) && time >= 1 && time <= MAX_SECONDS;
}

/** Returns whether an import takes a value whatever is in it: not so lists, objects and infinite numbers. */
function isScalar(value: unknown): boolean {
  return typeof value === 'number' ? Number.isFinite(value) : typeof value !== 'object' || value === null;
}

/** Replaces lone surrogates, as imports do, which write UTF-8. */
export function repair(text: string): string {
  return isWellFormed(text) ? text : (toWellFormed(text) as string);
}
