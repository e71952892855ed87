import { type BatchColumn, getValue } from '../../plan/batch-column.ts';
import { NUMBER, UNDEFINED } from '../../types.ts';
import type { Scalar, Value } from '../../value.ts';
import { readArrowNumbers } from './arrow-numbers.ts';
import { ARROW_KIND, type ArrowData, type ArrowVector } from './arrow-vector.ts';
import { ColumnBuilder } from './column-builder.ts';

/** Sets the rows of a chunk, which starts at `offset`. */
type Fill = (data: ArrowData, offset: number) => void;

/** Converts a column of an Arrow table. Nulls and values of types that the language does not have become undefined. */
export function readArrowColumn(vector: ArrowVector): BatchColumn {
  const numbers = readArrowNumbers(vector);
  if (numbers) return { types: NUMBER | UNDEFINED, numbers, dictionary: [undefined] };
  const builder = new ColumnBuilder(vector.length);
  const fill = createFill(vector, builder);
  let offset = 0;
  for (const data of vector.data) {
    fill?.(data, offset);
    offset += data.length;
  }
  return builder.finish();
}

function createFill(vector: ArrowVector, builder: ColumnBuilder): Fill | undefined {
  switch (vector.type.typeId) {
    case ARROW_KIND.dictionary:
      return createDictionaryFill(builder);
    case ARROW_KIND.utf8:
    case ARROW_KIND.largeUtf8:
    case ARROW_KIND.utf8View:
    case ARROW_KIND.bool:
      return createValueFill(vector, builder);
    case ARROW_KIND.list:
    case ARROW_KIND.largeList:
    case ARROW_KIND.fixedSizeList:
      return createListFill(vector, builder);
    default:
      return undefined;
  }
}

/** Reads a dictionary entry when the first row has it: chunks often share a dictionary, and a slice needs only part. */
function createDictionaryFill(builder: ColumnBuilder): Fill {
  const columns = new Map<ArrowVector, { column: BatchColumn; codes: (number | undefined)[] }>();
  return (data, offset) => {
    const { dictionary } = data;
    if (dictionary === undefined) return;
    const { column, codes } = columns.get(dictionary) ?? { column: readArrowColumn(dictionary), codes: [] };
    columns.set(dictionary, { column, codes });
    const indexes = data.values as ArrayLike<number | bigint>;
    for (let index = 0; index < data.length; index++) {
      if (!data.getValid(index)) continue;
      const entry = Number(indexes[index]);
      codes[entry] ??= builder.getCode(getValue(column, entry));
      builder.setCode(offset + index, codes[entry]);
    }
  };
}

function createValueFill(vector: ArrowVector, builder: ColumnBuilder): Fill {
  return (data, offset) => {
    for (let row = offset; row < offset + data.length; row++) {
      builder.set(row, (vector.get(row) as string | boolean | null) ?? undefined);
    }
  };
}

/** Reads lists from the child column that holds the elements of all lists. Null elements are left out. */
function createListFill(vector: ArrowVector, builder: ColumnBuilder): Fill {
  const elements = vector.getChildAt(0);
  const column = elements && readArrowColumn(elements);
  let elementOffset = 0;
  return (data, offset) => {
    const offsets = data.valueOffsets as ArrayLike<number | bigint> | undefined;
    const getStart = (index: number) => elementOffset + Number(offsets ? offsets[index] : index * data.stride);
    for (let index = 0; index < data.length; index++) {
      if (column && data.getValid(index))
        builder.set(offset + index, readList(column, getStart(index), getStart(index + 1)));
    }
    elementOffset += data.children[0]?.length ?? 0;
  };
}

function readList(column: BatchColumn, start: number, end: number): readonly Scalar[] {
  const list: Scalar[] = [];
  for (let row = start; row < end; row++) {
    const value: Value = getValue(column, row);
    if (value !== undefined && (typeof value !== 'object' || value === null)) list.push(value);
  }
  return list;
}
