import { parseJson } from '../../base/parse-json.ts';
import { LINE_WALKER } from './line-walker-module.ts';

/** The exports of scripts/line-walker/line-walker.ts. Addresses and sizes are in bytes. */
interface Exports {
  readonly memory: WebAssembly.Memory;
  allocate(size: number): number;
  addName(address: number, length: number, group: number): void;
  reserveSearches(count: number): void;
  addSearch(address: number, length: number, hasAlternative: boolean): void;
  begin(groups: number): number;
  open(size: number): number;
  getFound(): number;
  next(at: number, end: number): number;
  findString(at: number, length: number): number;
}

/** The kinds of values in slots. */
const ABSENT = 0;
const NULL = 1;
const FALSE = 2;
const TRUE = 3;
const OBJECT = 4;
const PARENT = 5;
const NUMBER = 6;
const PLAIN_STRING = 7;
const OTHER = 8;

const QUOTE = 0x22;

const SLOT_BYTES = 16;

/** The bytes of the longest string that the walker numbers. */
const MAX_NUMBERED = 40;

/** `findString` returns it if there is no room for another string. */
const NO_ROOM = -(2 ** 31);

/** No line contains it. */
const LINE_FEED = '\n';

/** Compiled once. Undefined where WebAssembly or its vectors are missing. */
let compiled: WebAssembly.Module | undefined;

function compile(): WebAssembly.Module | undefined {
  try {
    compiled ??= new WebAssembly.Module(Buffer.from(LINE_WALKER, 'base64'));
  } catch {
    // `JSON.parse` reads all lines.
  }
  return compiled;
}

/**
 * Walks lines of NDJSON and reads only the wanted properties of each object and of its `parents`. Checks that the rest
 * is JSON. Values equal those of `JSON.parse`, except that objects are empty unless they are parents.
 */
export class LineWalker {
  /** The start of the line that `next` found. */
  at = 0;
  /** The number of lines that the last `next` walked, including the one it found. */
  lines = 0;
  /** The number of these that lack a required string. */
  skipped = 0;
  private readonly names: readonly string[];
  /** The number of the group of slots of each parent; 0 for other names. */
  private readonly groups: readonly number[];
  private readonly slots: number;
  private readonly found: number;
  /** The strings that the walker numbers. */
  private readonly strings: string[] = [];
  private memory: Buffer = Buffer.alloc(0);
  private integers = new Uint32Array();
  private numbers = new Float64Array();
  private base = 0;
  private end = 0;

  private constructor(
    private readonly walker: Exports,
    names: readonly string[],
    parents: readonly string[],
    searches: readonly (readonly string[])[],
  ) {
    this.names = [...new Set([...parents, ...names])];
    this.groups = this.names.map((name) => parents.indexOf(name) + 1);
    for (const [index, name] of this.names.entries()) walker.addName(...this.write(name), this.groups[index] as number);
    const required = searches.map((alternatives) => (alternatives.length === 0 ? [LINE_FEED] : alternatives));
    walker.reserveSearches(required.flat().length);
    for (const alternatives of required) {
      for (const [index, text] of alternatives.entries())
        walker.addSearch(...this.write(text), index < alternatives.length - 1);
    }
    this.slots = walker.begin(parents.length);
    this.found = walker.getFound();
  }

  /**
   * Creates a walker; undefined if this machine cannot run it.
   *
   * @param searches Lines must contain one string of each list, or they are skipped.
   */
  static create(
    names: readonly string[],
    parents: readonly string[],
    searches: readonly (readonly string[])[],
  ): LineWalker | undefined {
    const module = compile();
    if (module === undefined) return undefined;
    const { exports } = new WebAssembly.Instance(module);
    return new LineWalker(exports as unknown as Exports, names, parents, searches);
  }

  /** Starts a block of whole lines, which must be UTF-8. */
  open(bytes: Buffer): void {
    const { walker } = this;
    this.base = walker.open(bytes.length);
    this.end = this.base + bytes.length;
    // Memory that grows has a new buffer.
    if (walker.memory.buffer !== this.memory.buffer) {
      this.memory = Buffer.from(walker.memory.buffer);
      this.integers = new Uint32Array(walker.memory.buffer);
      this.numbers = new Float64Array(walker.memory.buffer);
    }
    this.memory.set(bytes, this.base);
  }

  /**
   * Walks to the next line that has all required strings. Returns the position of its line feed; undefined for a line
   * that `JSON.parse` must read, and at the end of the block.
   */
  next(from: number): number | undefined {
    const { base, integers } = this;
    const end = this.walker.next(base + from, this.end);
    const found = this.found / 4;
    this.at = (integers[found] as number) - base;
    this.lines = integers[found + 1] as number;
    this.skipped = integers[found + 2] as number;
    return end === 0 ? undefined : end - base;
  }

  /** Returns the wanted properties of the line. */
  read(): Record<string, unknown> {
    return this.readGroup(0);
  }

  /**
   * Returns the slot of a property of the line, or of one of its parents.
   *
   * @throws {RangeError} if the walker was not created with these names
   */
  findSlot(name: string, parent?: string): number {
    const { names, groups } = this;
    const [index, group] = [names.indexOf(name), parent === undefined ? 0 : groups[names.indexOf(parent)]];
    if (index === -1 || group === undefined) throw new RangeError(`No slot is for ${name}.`);
    return this.slots + (group * names.length + index) * SLOT_BYTES;
  }

  /** Returns whether the line lacks a property. */
  isAbsent(slot: number): boolean {
    return this.integers[slot >> 2] === ABSENT;
  }

  /** Returns whether a slot has the object of a parent. */
  isParent(slot: number): boolean {
    return this.integers[slot >> 2] === PARENT;
  }

  /** Returns whether a slot has a string of ASCII characters without escapes. */
  isPlainText(slot: number): boolean {
    return this.integers[slot >> 2] === PLAIN_STRING;
  }

  /** Returns whether a slot has a string that is not empty. */
  isText(slot: number): boolean {
    const { integers, memory } = this;
    const at = slot >> 2;
    const from = integers[at + 2] as number;
    const isString = integers[at] === PLAIN_STRING || (integers[at] === OTHER && memory[from] === QUOTE);
    return isString && (integers[at + 3] as number) - from > 2;
  }

  /** Returns the value in a slot, without the properties of a parent; undefined if the line has none. */
  readSlot(slot: number): unknown {
    const kind = this.integers[slot >> 2] as number;
    return kind === ABSENT ? undefined : this.readValue(kind, slot);
  }

  /**
   * Returns the number of the string in a slot. Equal numbers mean equal strings, so that each is looked up once. Returns
   * undefined for other values, and for strings that are not plain or too long, or once there are too many.
   */
  numberText(slot: number): number | undefined {
    if (!this.isPlainText(slot)) return undefined;
    const at = slot >> 2;
    return this.findString((this.integers[at + 2] as number) + 1, (this.integers[at + 3] as number) - 1);
  }

  private readGroup(group: number): Record<string, unknown> {
    const { names, integers } = this;
    const object: Record<string, unknown> = {};
    let slot = this.slots + group * names.length * SLOT_BYTES;
    for (let index = 0; index < names.length; index++, slot += SLOT_BYTES) {
      const kind = integers[slot / 4] as number;
      if (kind === PARENT) object[names[index] as string] = this.readGroup(this.groups[index] as number);
      else if (kind !== ABSENT) object[names[index] as string] = this.readValue(kind, slot);
    }
    return object;
  }

  private readValue(kind: number, slot: number): unknown {
    const { integers, memory } = this;
    const [from, to] = [integers[slot / 4 + 2] as number, integers[slot / 4 + 3] as number];
    switch (kind) {
      case NULL:
        return null;
      case FALSE:
        return false;
      case TRUE:
        return true;
      case OBJECT:
      case PARENT:
        return {};
      case NUMBER:
        return this.numbers[slot / 8 + 1];
      case PLAIN_STRING:
        return this.readString(from + 1, to - 1);
      default:
        return parseJson(memory.toString('utf8', from, to));
    }
  }

  /** Reads a string of ASCII characters. Most strings are not decoded again. */
  private readString(from: number, to: number): string {
    const number = this.findString(from, to);
    return number === undefined ? this.memory.toString('latin1', from, to) : (this.strings[number] as string);
  }

  private findString(from: number, to: number): number | undefined {
    if (to - from > MAX_NUMBERED) return undefined;
    const found = this.walker.findString(from, to - from);
    if (found >= 0) return found;
    if (found === NO_ROOM) return undefined;
    this.strings.push(this.memory.toString('latin1', from, to));
    return ~found;
  }

  /** Writes a text into the memory of the walker for as long as it lives. */
  private write(text: string): [address: number, length: number] {
    const length = Buffer.byteLength(text);
    const address = this.walker.allocate(length);
    Buffer.from(this.walker.memory.buffer).write(text, address);
    return [address, length];
  }
}
