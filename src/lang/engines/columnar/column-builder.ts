import type { BatchColumn } from '../../plan/batch-column.ts';
import { NUMBER, type TypeSet, UNDEFINED } from '../../types.ts';
import { getType, type Value } from '../../value.ts';

/** In a mixed column, numbers become dictionary entries if each has on average at least this many rows. */
const MIN_ROWS_PER_NUMBER = 16;

/** Collects the values of rows, in any order, into a column. A row that is never set is undefined. */
export class ColumnBuilder {
  private types: TypeSet = UNDEFINED;
  protected numbers: Float64Array | undefined;
  protected codes: Uint32Array;
  // The first entry is undefined, so new codes, which are 0, need no initialization.
  private readonly dictionary: Value[] = [undefined];
  private readonly codeByValue = new Map<Value, number>([[undefined, 0]]);
  /** The keys are lists as JSON, so that equal lists share an entry. */
  private readonly codeByListJson = new Map<string, number>();

  constructor(protected rows: number) {
    this.codes = new Uint32Array(rows);
  }

  set(row: number, value: Value): void {
    if (typeof value === 'number') this.setNumber(row, value);
    else if (value !== undefined) this.codes[row] = this.getCode(value);
  }

  setNumber(row: number, number: number): void {
    this.numbers ??= new Float64Array(this.codes.length).fill(Number.NaN);
    this.numbers[row] = number;
  }

  /** Sets a row to an entry from `getCode`. */
  setCode(row: number, code: number): void {
    this.codes[row] = code;
  }

  /** Returns the dictionary entry of a value, and adds one if the value is new. */
  getCode(value: Value): number {
    return typeof value === 'object' && value !== null
      ? this.addEntry(this.codeByListJson, JSON.stringify(value), value)
      : this.addEntry(this.codeByValue, value, value);
  }

  finish(): BatchColumn {
    const { codes, dictionary, rows } = this;
    const isMixed = this.numbers !== undefined && dictionary.length > 1;
    if (isMixed && new Set(this.numbers).size * MIN_ROWS_PER_NUMBER <= rows) this.encodeNumbers();
    const types = this.numbers ? this.types | NUMBER : this.types;
    return { types, numbers: this.numbers, codes: dictionary.length > 1 ? codes : undefined, dictionary };
  }

  /** Turns the numbers into dictionary entries, so that a row needs one lookup, not two. */
  private encodeNumbers(): void {
    for (const [row, number] of this.numbers?.entries() ?? []) {
      if (!Number.isNaN(number)) this.setCode(row, this.getCode(number + 0));
    }
    this.numbers = undefined;
  }

  private addEntry<Key>(codes: Map<Key, number>, key: Key, value: Value): number {
    const found = codes.get(key);
    if (found !== undefined) return found;
    const code = this.dictionary.push(value) - 1;
    codes.set(key, code);
    this.types |= getType(value);
    return code;
  }
}
