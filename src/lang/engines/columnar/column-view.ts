import { type BatchColumn, getValue } from '../../plan/batch-column.ts';
import type { Value } from '../../value.ts';
import type { Subset } from './subset.ts';
import type { NumberVector } from './vector.ts';

/** Reads a column one block after another, by position in the block. */
export class ColumnView {
  private block: BatchColumn;
  private readonly blockBuffers: Buffers;
  private readonly subsetBuffers: Buffers;

  /** @param limit The maximum number of rows in a block. */
  constructor(
    readonly column: BatchColumn,
    limit: number,
  ) {
    this.block = column;
    this.blockBuffers = new Buffers(limit);
    this.subsetBuffers = new Buffers(limit);
  }

  /** Moves to `count` rows: those of the selection if there is one, else the rows from `first`. */
  moveTo(first: number, count: number, selection: Uint32Array | undefined): void {
    const { numbers, codes, types, dictionary } = this.column;
    this.block = selection
      ? {
          types,
          dictionary,
          numbers: numbers && this.blockBuffers.gatherNumbers(numbers, selection, count),
          codes: codes && this.blockBuffers.gatherCodes(codes, selection, count),
        }
      : {
          types,
          dictionary,
          numbers: numbers?.subarray(first, first + count),
          codes: codes?.subarray(first, first + count),
        };
  }

  /** Returns the numbers of some rows. The next call overwrites them. The column must have numbers. */
  getNumbers(among: Subset): NumberVector {
    const numbers = this.block.numbers as Float64Array;
    const values = among.isWhole ? numbers : this.subsetBuffers.gatherNumbers(numbers, among.list(), among.size);
    return { values, mask: -1 };
  }

  /** Returns the dictionary entries of some rows. The next call overwrites them. The column must have codes. */
  getCodes(among: Subset): Uint32Array {
    const codes = this.block.codes as Uint32Array;
    return among.isWhole ? codes : this.subsetBuffers.gatherCodes(codes, among.list(), among.size);
  }

  getValue(position: number): Value {
    return getValue(this.block, position);
  }
}

/** Returns a column with only the given rows, in the given order. */
export function selectRows(column: BatchColumn, rows: Uint32Array): BatchColumn {
  const { numbers, codes } = column;
  const buffers = new Buffers(rows.length);
  return {
    ...column,
    numbers: numbers && buffers.gatherNumbers(numbers, rows, rows.length),
    codes: codes && buffers.gatherCodes(codes, rows, rows.length),
  };
}

/** Buffers for rows of a column. They are allocated on first use: most queries need few. */
class Buffers {
  private numbers: Float64Array | undefined;
  private codes: Uint32Array | undefined;

  constructor(private readonly length: number) {}

  gatherNumbers(numbers: Float64Array, rows: Uint32Array, count: number): Float64Array {
    this.numbers ??= new Float64Array(this.length);
    const out = this.numbers;
    for (let index = 0; index < count; index++) out[index] = numbers[rows[index] as number] as number;
    return out;
  }

  gatherCodes(codes: Uint32Array, rows: Uint32Array, count: number): Uint32Array {
    this.codes ??= new Uint32Array(this.length);
    const out = this.codes;
    for (let index = 0; index < count; index++) out[index] = codes[rows[index] as number] as number;
    // Loops read 32 rows at a time, and look at every code.
    return out.fill(out[count - 1] as number, count, count + 31);
  }
}
