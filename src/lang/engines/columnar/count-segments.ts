import { toSegmentNames } from '../../operators/coercions.ts';
import type { BatchColumn } from '../../plan/batch-column.ts';
import type { Value } from '../../value.ts';
import { Float64Map } from './float64-map.ts';

/** How a segmentation divides rows. */
export interface Segments {
  /** How many rows are in each segment, by its name; the segment of the first row first. A list puts a row into several, or none. */
  readonly counts: ReadonlyMap<string, number>;
  /** The distinct values, that of the first row first; `toSegmentNames` of one are the segments of its rows. */
  readonly answers: readonly Value[];
  /** The value of each row that was looked at, in order: its index in `answers`. */
  readonly codes: Uint32Array;
}

/** Counts what a column of answers divides its rows into (language, section 5). */
export function countSegments({ numbers, codes, dictionary }: BatchColumn, rows: number): Segments {
  const answers: Value[] = [];
  const rowsWith: number[] = [];
  const answerCodes = new Uint32Array(rows);
  const ofEntry: (number | undefined)[] = [];
  const ofNumber: (number | undefined)[] = [];
  const distinct = new Float64Map();
  const add = (value: Value) => {
    rowsWith.push(0);
    return answers.push(value) - 1;
  };
  for (let row = 0; row < rows; row++) {
    const number = numbers ? (numbers[row] as number) : Number.NaN;
    const isNumber = !Number.isNaN(number);
    const known = isNumber ? ofNumber : ofEntry;
    const index = isNumber ? distinct.indexOf(number) : ((codes?.[row] ?? 0) as number);
    known[index] ??= add(isNumber ? number + 0 : dictionary[index]);
    const code = known[index];
    answerCodes[row] = code;
    rowsWith[code] = (rowsWith[code] as number) + 1;
  }
  const counts = new Map<string, number>();
  for (const [code, answer] of answers.entries()) {
    for (const name of toSegmentNames(answer)) counts.set(name, (counts.get(name) ?? 0) + (rowsWith[code] as number));
  }
  return { counts, answers, codes: answerCodes };
}
