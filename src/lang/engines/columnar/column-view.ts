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
          numbers: numbers && gatherNumbers(numbers, selection, count, this.blockBuffers.numbers),
          codes: codes && gatherCodes(codes, selection, count, this.blockBuffers.codes),
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
    const values = among.isWhole
      ? numbers
      : gatherNumbers(numbers, among.list(), among.size, this.subsetBuffers.numbers);
    return { values, mask: -1 };
  }

  /** Returns the dictionary entries of some rows. The next call overwrites them. The column must have codes. */
  getCodes(among: Subset): Uint32Array {
    const codes = this.block.codes as Uint32Array;
    return among.isWhole ? codes : gatherCodes(codes, among.list(), among.size, this.subsetBuffers.codes);
  }

  getValue(position: number): Value {
    return getValue(this.block, position);
  }
}

/** Buffers that are allocated on first use: most queries need few. */
class Buffers {
  private numberBuffer: Float64Array | undefined;
  private codeBuffer: Uint32Array | undefined;

  constructor(private readonly length: number) {}

  get numbers(): Float64Array {
    this.numberBuffer ??= new Float64Array(this.length);
    return this.numberBuffer;
  }

  get codes(): Uint32Array {
    this.codeBuffer ??= new Uint32Array(this.length);
    return this.codeBuffer;
  }
}

function gatherNumbers(numbers: Float64Array, rows: Uint32Array, count: number, out: Float64Array): Float64Array {
  for (let index = 0; index < count; index++) out[index] = numbers[rows[index] as number] as number;
  return out;
}

function gatherCodes(codes: Uint32Array, rows: Uint32Array, count: number, out: Uint32Array): Uint32Array {
  for (let index = 0; index < count; index++) out[index] = codes[rows[index] as number] as number;
  // Loops read 32 rows at a time, and look at every code.
  return out.fill(out[count - 1] as number, count, count + 31);
}

/** Returns a column with only the given rows, in the given order. */
export function selectRows(column: BatchColumn, rows: Uint32Array): BatchColumn {
  const { numbers, codes } = column;
  return {
    ...column,
    numbers: numbers && gatherNumbers(numbers, rows, rows.length, new Float64Array(rows.length)),
    codes: codes && gatherCodes(codes, rows, rows.length, new Uint32Array(rows.length)),
  };
}
