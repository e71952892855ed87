import { extendArray } from '../../base/extend-array.ts';
import { addValue, createPropertyStats, toPropertySchema } from '../../lang/check/property-stats.ts';
import type { PropertySchema } from '../../lang/check/schema.ts';
import type { BatchColumn } from '../../lang/plan/batch-column.ts';
import { getTypeNames, UNDEFINED } from '../../lang/types.ts';
import type { Value } from '../../lang/value.ts';
import { GrowingColumn } from '../../queries/in-memory/growing-column.ts';

/** The values of a property and the rows of the records that have it, so that a rare property takes little memory. */
export class PropertyColumn {
  private readonly builder = new GrowingColumn();
  private allRows = new Uint32Array(16);
  private finished: BatchColumn | undefined;
  private added = 0;

  /** The number of records that have the property. */
  get count(): number {
    return this.added;
  }

  /** Their rows, in order. */
  get rows(): Uint32Array {
    return this.allRows.subarray(0, this.added);
  }

  /** Their values. Objects and other values that the language does not have are undefined. */
  get values(): BatchColumn {
    this.finished ??= this.builder.finish();
    return this.finished;
  }

  /** Adds the value of a row, which follows those before. */
  add(row: number, value: Value): void {
    const at = this.added++;
    if (at === this.allRows.length) this.allRows = extendArray(this.allRows, 2 * at);
    this.allRows[at] = row;
    this.builder.reserve(at);
    this.builder.set(at, value);
    this.finished = undefined;
  }

  /** Returns a column with the value of each of `length` rows. */
  toColumn(length: number): BatchColumn {
    const { values, rows } = this;
    if (rows.length === length) return values;
    const numbers = values.numbers && new Float64Array(length).fill(Number.NaN);
    const codes = values.codes && new Uint32Array(length);
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] as number;
      if (numbers !== undefined) numbers[row] = values.numbers?.[at] as number;
      if (codes !== undefined) codes[row] = values.codes?.[at] as number;
    }
    return { ...values, numbers, codes };
  }

  /** Counts the values: those of the dictionary by code, and numbers. */
  countValues(): { readonly codes: Uint32Array; readonly numbers: number } {
    const { numbers, codes, dictionary } = this.values;
    const counts = new Uint32Array(dictionary.length);
    let found = 0;
    for (let at = 0; at < this.added; at++) {
      if (numbers !== undefined && !Number.isNaN(numbers[at])) found++;
      else (counts[codes === undefined ? 0 : (codes[at] as number)] as number)++;
    }
    return { codes: counts, numbers: found };
  }

  /** Infers the schema of the property, as `inferSchema` does from records. */
  toSchema(): PropertySchema {
    const { numbers = [], dictionary, types } = this.values;
    const stats = createPropertyStats();
    const counts = this.countValues();
    let scalars = counts.numbers;
    for (const [code, value] of dictionary.entries()) {
      const count = counts.codes[code] as number;
      if (count === 0 || stats.values === undefined) continue;
      addValue(stats, value);
      scalars += count * listScalars(value).length;
    }
    // Strings and numbers do not repeat as often, since few of them are kept.
    for (let at = 0; at < numbers.length && stats.values !== undefined; at++) {
      const number = numbers[at] as number;
      if (!Number.isNaN(number) && !stats.values.has(number + 0)) addValue(stats, number + 0);
    }
    stats.scalars = scalars;
    stats.types.clear();
    for (const type of getTypeNames(counts.codes[0] === 0 ? types & ~UNDEFINED : types)) stats.types.set(type, 1);
    return toPropertySchema(stats);
  }
}

function listScalars(value: Value): readonly Value[] {
  const values: readonly Value[] = Array.isArray(value) ? value : [value];
  return values.filter((each) => each !== null && each !== undefined);
}
