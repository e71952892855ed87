import { type BatchColumn, getValue } from '../../plan/batch-column.ts';
import type { Value } from '../../value.ts';
import type { Subset } from './subset.ts';
import type { NumberVector } from './vector.ts';

/** A column as one block after the other sees it, by position in the block. */
export class ColumnView {
  private block: BatchColumn;
  private readonly blockBuffers: Buffers;
  private readonly subsetBuffers: Buffers;

  /** For blocks of at most so many rows. */
  constructor(
    readonly column: BatchColumn,
    limit: number,
  ) {
    this.block = column;
    this.blockBuffers = new Buffers(limit);
    this.subsetBuffers = new Buffers(limit);
  }

  /** Goes on to the rows from `first` on or, where these are not one after the other, to those of a selection. */
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

  /** The numbers of some rows; good until the next call. The column must have numbers. */
  numbersOf(among: Subset): NumberVector {
    const numbers = this.block.numbers as Float64Array;
    const values = among.isWhole
      ? numbers
      : gatherNumbers(numbers, among.list(), among.size, this.subsetBuffers.numbers);
    return { values, mask: -1 };
  }

  /** The entries of some rows; good until the next call. The column must have codes. */
  codesOf(among: Subset): Uint32Array {
    const codes = this.block.codes as Uint32Array;
    return among.isWhole ? codes : gatherCodes(codes, among.list(), among.size, this.subsetBuffers.codes);
  }

  /** The value at a position. */
  at(position: number): Value {
    return getValue(this.block, position);
  }
}

/** Made when they are needed first: most queries need few. */
class Buffers {
  private ofNumbers: Float64Array | undefined;
  private ofCodes: Uint32Array | undefined;

  constructor(private readonly length: number) {}

  get numbers(): Float64Array {
    this.ofNumbers ??= new Float64Array(this.length);
    return this.ofNumbers;
  }

  get codes(): Uint32Array {
    this.ofCodes ??= new Uint32Array(this.length);
    return this.ofCodes;
  }
}

function gatherNumbers(numbers: Float64Array, rows: Uint32Array, count: number, out: Float64Array): Float64Array {
  for (let index = 0; index < count; index++) out[index] = numbers[rows[index] as number] as number;
  return out;
}

function gatherCodes(codes: Uint32Array, rows: Uint32Array, count: number, out: Uint32Array): Uint32Array {
  for (let index = 0; index < count; index++) out[index] = codes[rows[index] as number] as number;
  return out;
}

/** Only those rows of a column, in that order. */
export function selectRows(column: BatchColumn, rows: Uint32Array): BatchColumn {
  const { numbers, codes } = column;
  return {
    ...column,
    numbers: numbers && gatherNumbers(numbers, rows, rows.length, new Float64Array(rows.length)),
    codes: codes && gatherCodes(codes, rows, rows.length, new Uint32Array(rows.length)),
  };
}
