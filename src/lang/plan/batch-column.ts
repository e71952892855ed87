import type { TypeSet } from '../types.ts';
import type { Value } from '../value.ts';

/**
 * The values of one property in all rows. Numbers are in `numbers`, unless they are few. All other values are entries
 * of the dictionary. A column of one type is a single array; a column of mixed types has both.
 */
export interface BatchColumn {
  /** The types that the rows can have, always including undefined. */
  readonly types: TypeSet;
  /** The finite number of each row, NaN if its value is not a number. Omitted if no row has a number. */
  readonly numbers?: Float64Array | undefined;
  /** The index in the dictionary for each row without a number. Omitted if these rows are all undefined. */
  readonly codes?: Uint32Array | undefined;
  /** The values of the codes. */
  readonly dictionary: readonly Value[];
  /** Signatures of the tails of the entries, which let a substring search skip most of them ({@link addSignatures}). */
  readonly signatures?: Int32Array | undefined;
  /** The distinct heads of the entries, such as URLs without their last part, if there are signatures. */
  readonly heads?: StringHeads | undefined;
}

/** The beginnings of strings, each of which many strings share. The other part is the tail. */
export interface StringHeads {
  /** The index in the dictionary for each string; 0 if it has none. */
  readonly codes: Uint32Array;
  readonly dictionary: readonly (string | undefined)[];
}

/** Returns the value of a row. */
export function getValue({ numbers, codes, dictionary }: BatchColumn, row: number): Value {
  const number = numbers?.[row] ?? Number.NaN;
  if (!Number.isNaN(number)) return number + 0;
  return codes && dictionary[codes[row] as number];
}
