import { listSegments } from '../../operators/coercions.ts';
import type { BatchColumn } from '../../plan/batch-column.ts';
import type { Value } from '../../value.ts';
import { Float64Map } from './float64-map.ts';

/** The segments of the rows of a batch. */
export interface Segments {
  /**
   * The number of rows in each segment by name, in order of first appearance. A row with a list is in several segments
   * or none.
   */
  readonly counts: ReadonlyMap<string, number>;
  /** The distinct values, in order of first appearance. `listSegments` returns the segments of a value. */
  readonly answers: readonly Value[];
  /** The index in `answers` of the value of each row, in the order of the rows read. */
  readonly codes: Uint32Array;
}

/** Counts the rows in each segment of a column of values (language, section 5). */
export function countSegments({ numbers, codes, dictionary }: BatchColumn, rows: number): Segments {
  const answers: Value[] = [];
  const rowCounts: number[] = [];
  const rowCodes = new Uint32Array(rows);
  const codeByEntry: (number | undefined)[] = [];
  const codeByNumber: (number | undefined)[] = [];
  const numberIndexes = new Float64Map();
  const add = (value: Value) => {
    rowCounts.push(0);
    return answers.push(value) - 1;
  };
  for (let row = 0; row < rows; row++) {
    const number = numbers ? (numbers[row] as number) : Number.NaN;
    const isNumber = !Number.isNaN(number);
    const known = isNumber ? codeByNumber : codeByEntry;
    const index = isNumber ? numberIndexes.getOrAddIndex(number) : ((codes?.[row] ?? 0) as number);
    known[index] ??= add(isNumber ? number + 0 : dictionary[index]);
    const code = known[index];
    rowCodes[row] = code;
    rowCounts[code] = (rowCounts[code] as number) + 1;
  }
  const counts = new Map<string, number>();
  for (const [code, value] of answers.entries()) {
    for (const name of listSegments(value)) counts.set(name, (counts.get(name) ?? 0) + (rowCounts[code] as number));
  }
  return { counts, answers, codes: rowCodes };
}
