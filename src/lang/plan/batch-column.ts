import type { TypeSet } from '../types.ts';
import type { Value } from '../value.ts';

/**
 * One property of all rows. Numbers stand in `numbers`, unless they are few; every other value, whatever its type, is an entry of the
 * dictionary. So a column of one type is one array, and one of all types costs nothing more than both.
 */
export interface BatchColumn {
  /** The types that its rows can have; always undefined too. */
  readonly types: TypeSet;
  /** The number of each row, finite, and NaN where the row has none. Left out where no row has one. */
  readonly numbers?: Float64Array | undefined;
  /** The entry of each row that has no number. Left out where these are all undefined. */
  readonly codes?: Uint32Array | undefined;
  /** The values that the codes stand for. */
  readonly dictionary: readonly Value[];
  /** By which a search for a text leaves out most entries ({@link computeSignatures}). */
  readonly signatures?: Int32Array | undefined;
}

/** The value of a row. */
export function getValue({ numbers, codes, dictionary }: BatchColumn, row: number): Value {
  const number = numbers?.[row] ?? Number.NaN;
  if (!Number.isNaN(number)) return number + 0;
  return codes && dictionary[codes[row] as number];
}
