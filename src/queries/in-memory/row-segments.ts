import type { Segments } from '../../lang/engines/columnar/count-segments.ts';
import { listSegments } from '../../lang/operators/coercions.ts';
import { compareStrings } from '../../lang/value.ts';
import { assertAnswerSize, limitSeries } from '../answer-limits.ts';

/** The segments of some rows. A row with a list is in several or none. */
export interface RowSegments {
  /** The distinct names. */
  readonly names: readonly string[];
  /** For each distinct value the segments of the rows that have it: indexes of names. */
  readonly ofValues: readonly (readonly number[])[];
  /** The index of the value of each row. */
  readonly values: Uint32Array;
}

/** The segments of rows that are in none. */
export const NO_SEGMENTS: RowSegments = { names: [], ofValues: [], values: new Uint32Array(0) };

/** Returns the segments of rows by their values. */
export function toRowSegments({ answers, codes }: Segments): RowSegments {
  const indexes = new Map<string, number>();
  const getIndex = (name: string): number => {
    const known = indexes.get(name);
    if (known !== undefined) return known;
    indexes.set(name, indexes.size);
    return indexes.size - 1;
  };
  const ofValues = answers.map((value) => listSegments(value).map(getIndex));
  return { names: [...indexes.keys()], ofValues, values: codes };
}

/** Returns the segments of the row at a position. */
export function readSegments({ ofValues, values }: RowSegments, position: number): readonly number[] {
  return ofValues[values[position] as number] ?? [];
}

/** Compares the rows at two positions by the first names that differ, in order of code points; a prefix comes first. */
export function compareSegments(segments: RowSegments, position: number, other: number): number {
  if (segments.values[position] === segments.values[other]) return 0;
  const [ours, theirs] = [position, other].map((each) => {
    return readSegments(segments, each)
      .map((segment) => segments.names[segment] as string)
      .sort(compareStrings);
  }) as [string[], string[]];
  const at = ours.findIndex((name, index) => name !== theirs[index]);
  if (at === -1) return ours.length - theirs.length;
  return at < theirs.length ? compareStrings(ours[at] as string, theirs[at] as string) : 1;
}

/** The segments of an answer, highest amount first. */
export interface TopSegments {
  readonly names: readonly string[];
  /** The place of each segment of the rows in the answer, -1 of those that are not in it. */
  readonly ranks: Int32Array;
}

/**
 * Returns the segments with the highest amounts, then by name; none without an amount.
 *
 * @param known the names of all segments
 * @param size the number of numbers of a segment in the answer
 * @throws {QueryError} if the answer would be too large
 */
export function selectTopSegments(
  known: readonly string[],
  amounts: ArrayLike<number>,
  limit: number,
  size: number,
): TopSegments {
  const found = known.map((name, segment) => [name, amounts[segment] as number] as const);
  const top = rankTop(new Map(found.filter(([, amount]) => amount > 0)), limitSeries(limit, size));
  return selectSegments(known, top, size);
}

/**
 * Returns some segments by their names, in the given order.
 *
 * @throws {QueryError} if the answer would be too large
 */
export function selectSegments(known: readonly string[], names: readonly string[], size: number): TopSegments {
  assertAnswerSize(names.length * size, names.join('').length);
  const places = new Map(names.map((name, rank) => [name, rank]));
  return { names, ranks: Int32Array.from(known, (name) => places.get(name) ?? -1) };
}

/** Returns the names with the highest amounts, highest first, then by name. */
export function rankTop(amounts: ReadonlyMap<string, number>, limit: number): string[] {
  return [...amounts]
    .sort(([name, amount], [other, otherAmount]) => otherAmount - amount || compareStrings(name, other))
    .slice(0, limit)
    .map(([name]) => name);
}
