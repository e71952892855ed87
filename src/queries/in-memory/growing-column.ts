import { extendArray } from '../../base/extend-array.ts';
import { ColumnBuilder } from '../../lang/engines/columnar/column-builder.ts';
import type { BatchColumn } from '../../lang/plan/batch-column.ts';

/** Small, since a hostile file could have a new property in each event. */
const FIRST_ROWS = 16;

/** Collects a column whose number of rows is not known before. */
export class GrowingColumn extends ColumnBuilder {
  constructor() {
    super(0);
  }

  /** Adds rows up to a given one. */
  reserve(row: number): void {
    this.rows = Math.max(this.rows, row + 1);
    if (row < this.codes.length) return;
    const length = Math.max(FIRST_ROWS, 2 * row);
    const { codes, numbers } = this;
    this.codes = extendArray(codes, length);
    this.numbers = numbers && extendArray(numbers, length).fill(Number.NaN, numbers.length);
  }

  override finish(): BatchColumn {
    this.codes = this.codes.subarray(0, this.rows);
    this.numbers = this.numbers?.subarray(0, this.rows);
    return super.finish();
  }
}
