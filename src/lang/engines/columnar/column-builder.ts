import type { BatchColumn } from '../../plan/batch-column.ts';
import { NUMBER, type TypeSet, UNDEFINED } from '../../types.ts';
import { getType, type Value } from '../../value.ts';

/** Where a column has other values too, its numbers are entries as well if each has on average at least as many rows. */
const ROWS_A_NUMBER = 16;

/** Collects the values of rows, in any order, into a column. A row that is never set is undefined. */
export class ColumnBuilder {
  private types: TypeSet = UNDEFINED;
  private numbers: Float64Array | undefined;
  private readonly codes: Uint32Array;
  // The first entry is undefined, so that the codes need no filling.
  private readonly dictionary: Value[] = [undefined];
  private readonly known = new Map<Value, number>([[undefined, 0]]);
  /** Lists by their JSON: equal ones share an entry. */
  private readonly knownLists = new Map<string, number>();

  constructor(private readonly rows: number) {
    this.codes = new Uint32Array(rows);
  }

  set(row: number, value: Value): void {
    if (typeof value === 'number') this.setNumber(row, value);
    else if (value !== undefined) this.codes[row] = this.codeOf(value);
  }

  setNumber(row: number, number: number): void {
    this.numbers ??= new Float64Array(this.rows).fill(Number.NaN);
    this.numbers[row] = number;
  }

  /** Sets a row to an entry that {@link codeOf} gave. */
  setCode(row: number, code: number): void {
    this.codes[row] = code;
  }

  /** The entry of a value, a new one where it is seen for the first time. */
  codeOf(value: Value): number {
    return typeof value === 'object' && value !== null
      ? this.entry(this.knownLists, JSON.stringify(value), value)
      : this.entry(this.known, value, value);
  }

  finish(): BatchColumn {
    const { codes, dictionary, rows } = this;
    const isMixed = this.numbers !== undefined && dictionary.length > 1;
    if (isMixed && new Set(this.numbers).size * ROWS_A_NUMBER <= rows) this.codeNumbers();
    const types = this.numbers ? this.types | NUMBER : this.types;
    return { types, numbers: this.numbers, codes: dictionary.length > 1 ? codes : undefined, dictionary };
  }

  /** Makes the numbers entries, so that a row is looked up in one place, not in two. */
  private codeNumbers(): void {
    for (const [row, number] of this.numbers?.entries() ?? []) {
      if (!Number.isNaN(number)) this.setCode(row, this.codeOf(number + 0));
    }
    this.numbers = undefined;
  }

  private entry<Key>(known: Map<Key, number>, key: Key, value: Value): number {
    const found = known.get(key);
    if (found !== undefined) return found;
    const code = this.dictionary.push(value) - 1;
    known.set(key, code);
    this.types |= getType(value);
    return code;
  }
}
