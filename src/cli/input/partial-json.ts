import {
  BACKSLASH,
  CLOSE_BRACE,
  OPEN_BRACE,
  QUOTE,
  skipColon,
  skipComma,
  skipPlainString,
  skipSpace,
  skipValue,
  UNSURE,
} from './skip-json.ts';

/** A property to read, with the bytes of its name between the quotes. */
interface Wanted {
  readonly name: string;
  readonly bytes: Buffer;
  /** Whether to read its own properties too, if it is an object of the outermost one. */
  readonly parent: boolean;
}

const LINE_FEED = 0x0a;
const ZERO = 0x30;
const NINE = 0x39;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;
const FIRST_BEYOND_ASCII = 0x80;

/** A double holds whole numbers of up to this many digits exactly. */
const SAFE_DIGITS = 15;

/**
 * Reads only the wanted properties of a JSON object and of its `parents`. Skips the rest, which must still be JSON.
 * Values equal those of `JSON.parse`, except that objects are empty unless they are parents.
 */
export class PartialJson {
  /** Indexed by the length of the name in bytes, which alone rules out most names. */
  private readonly wanted: Wanted[][] = [];
  private bytes: Buffer = Buffer.alloc(0);
  /** The end of the last object read; after `read`, of its line. */
  end = 0;

  constructor(names: Iterable<string>, parents: readonly string[]) {
    for (const name of new Set([...parents, ...names])) {
      const bytes = Buffer.from(name);
      const sameLength = this.wanted[bytes.length] ?? [];
      this.wanted[bytes.length] = [...sameLength, { name, bytes, parent: parents.includes(name) }];
    }
  }

  /**
   * Reads the object at `at`, which must be alone on its line. Returns undefined if `JSON.parse` must decide. The bytes
   * must be UTF-8.
   */
  read(bytes: Buffer, at: number): Record<string, unknown> | undefined {
    this.bytes = bytes;
    const object = this.object(at, true);
    this.end = skipSpace(bytes, this.end);
    return bytes[this.end] === LINE_FEED ? object : undefined;
  }

  private object(at: number, outermost: boolean): Record<string, unknown> | undefined {
    const { bytes } = this;
    const found: Record<string, unknown> = {};
    this.end = UNSURE;
    let next = skipSpace(bytes, at + 1);
    if (bytes[next] === CLOSE_BRACE) {
      this.end = next + 1;
      return found;
    }
    while (next !== UNSURE) {
      const nameEnd = skipPlainString(bytes, next);
      const value = skipColon(bytes, nameEnd);
      if (value === UNSURE) return undefined;
      const wanted = this.find(next + 1, nameEnd - 1);
      if (wanted === undefined) {
        next = skipValue(bytes, value);
      } else if (wanted.parent && outermost && bytes[value] === OPEN_BRACE) {
        found[wanted.name] = this.object(value, false);
        next = this.end;
      } else {
        next = skipValue(bytes, value);
        if (next === UNSURE) return undefined;
        found[wanted.name] = this.value(value, next);
      }
      next = skipSpace(bytes, next);
      if (bytes[next] === CLOSE_BRACE) {
        this.end = next + 1;
        return found;
      }
      next = skipComma(bytes, next);
    }
    return undefined;
  }

  private find(from: number, to: number): Wanted | undefined {
    const sameLength = this.wanted[to - from];
    if (sameLength !== undefined) {
      for (const wanted of sameLength) if (this.matchesAt(wanted.bytes, from)) return wanted;
    }
    return undefined;
  }

  private matchesAt(name: Buffer, at: number): boolean {
    for (let index = 0; index < name.length; index++) if (this.bytes[at + index] !== name[index]) return false;
    return true;
  }

  private value(from: number, to: number): unknown {
    const { bytes } = this;
    switch (bytes[from]) {
      case QUOTE:
        return this.isPlain(from + 1, to - 1) ? bytes.toString('latin1', from + 1, to - 1) : this.parse(from, to);
      case OPEN_BRACE:
        return {};
      case LOWER_T:
        return true;
      case LOWER_F:
        return false;
      case LOWER_N:
        return null;
      default:
        return this.wholeNumber(from, to) ?? this.parse(from, to);
    }
  }

  private isPlain(from: number, to: number): boolean {
    for (let at = from; at < to; at++) {
      if (this.bytes[at] === BACKSLASH || (this.bytes[at] as number) >= FIRST_BEYOND_ASCII) return false;
    }
    return true;
  }

  private wholeNumber(from: number, to: number): number | undefined {
    if (to - from > SAFE_DIGITS) return undefined;
    let number = 0;
    for (let at = from; at < to; at++) {
      const byte = this.bytes[at] as number;
      if (byte < ZERO || byte > NINE) return undefined;
      number = 10 * number + byte - ZERO;
    }
    return number;
  }

  private parse(from: number, to: number): unknown {
    return JSON.parse(this.bytes.toString('utf8', from, to));
  }
}
