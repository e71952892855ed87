import { isJsonObject } from '../../base/json.ts';

/** A part of an answer that was cut. */
interface Cut {
  /** Where it is: `data.values`, or an empty string for the whole answer. */
  readonly path: string;
  readonly shown: number;
  readonly of: number;
}

interface Bounded {
  readonly answer: unknown;
  /** Empty if the answer is whole. */
  readonly truncated: readonly Cut[];
}

/** The length of the JSON of an answer. A model reads no more at once. */
const MAX_LENGTH = 200_000;

/** Strings in answers are cut here. */
const MAX_STRING = 2_000;

/** More cuts are not listed. */
const MAX_CUTS = 50;

/** Objects with fewer members may be records, whose members are no rows. */
const MIN_MEMBERS = 20;

/**
 * Cuts each list and each object of an answer to its first members, and says where. Cuts to fewer if the answer would still
 * be too long.
 */
export function boundAnswer(answer: unknown, maxRows: number): Bounded {
  let cutter = new Cutter(maxRows, Math.max(maxRows, MIN_MEMBERS));
  let bounded = cutter.cut(answer, '');
  for (let rows = maxRows; rows > 1 && cutter.isTooLong; ) {
    rows = Math.floor(rows / 2);
    cutter = new Cutter(rows, rows);
    bounded = cutter.cut(answer, '');
  }
  return { answer: bounded, truncated: cutter.cuts };
}

/** Cuts an answer, and stops once it is too long. */
class Cutter {
  readonly cuts: Cut[] = [];
  private left = MAX_LENGTH;

  /**
   * @param rows the most items of a list
   * @param members the most members of an object
   */
  constructor(
    private readonly rows: number,
    private readonly members: number,
  ) {}

  get isTooLong(): boolean {
    return this.left < 0;
  }

  cut(value: unknown, path: string): unknown {
    if (this.isTooLong) return undefined;
    if (typeof value === 'string') return this.cutString(value, path);
    const isList = Array.isArray(value);
    if (!isList && !isJsonObject(value)) {
      this.left -= String(value).length + 1;
      return value;
    }
    const all = Object.entries(value);
    const max = isList ? this.rows : this.members;
    if (all.length > max) this.note(path, max, all.length);
    const kept = all.slice(0, max).map(([name, member]) => {
      if (!isList) this.left -= JSON.stringify(name).length + 1;
      return [name, this.cut(member, path === '' ? name : `${path}.${name}`)] as const;
    });
    return isList ? kept.map(([, member]) => member) : Object.fromEntries(kept);
  }

  private cutString(text: string, path: string): string {
    const kept = text.length > MAX_STRING ? text.slice(0, MAX_STRING).replace(/[\ud800-\udbff]$/, '') : text;
    if (kept.length < text.length) this.note(path, kept.length, text.length);
    this.left -= JSON.stringify(kept).length + 1;
    return kept;
  }

  private note(path: string, shown: number, of: number): void {
    if (this.cuts.length < MAX_CUTS) this.cuts.push({ path: path.slice(0, MAX_STRING), shown, of });
  }
}
