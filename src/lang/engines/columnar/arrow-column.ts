import { type BatchColumn, getValue } from '../../plan/batch-column.ts';
import { NUMBER, UNDEFINED } from '../../types.ts';
import type { Scalar, Value } from '../../value.ts';
import { readArrowNumbers } from './arrow-numbers.ts';
import { ARROW_KIND, type ArrowData, type ArrowVector } from './arrow-vector.ts';
import { ColumnBuilder } from './column-builder.ts';

/** Sets the rows of a chunk from `before` on. */
type Fill = (data: ArrowData, before: number) => void;

/** A column of an Arrow table as a column here. Null is undefined, and so is each value of a kind that the language has not. */
export function readArrowColumn(vector: ArrowVector): BatchColumn {
  const numbers = readArrowNumbers(vector);
  if (numbers) return { types: NUMBER | UNDEFINED, numbers, dictionary: [undefined] };
  const builder = new ColumnBuilder(vector.length);
  const fill = fillOfKind(vector, builder);
  let before = 0;
  for (const data of vector.data) {
    fill?.(data, before);
    before += data.length;
  }
  return builder.finish();
}

function fillOfKind(vector: ArrowVector, builder: ColumnBuilder): Fill | undefined {
  switch (vector.type.typeId) {
    case ARROW_KIND.dictionary:
      return fillByDictionary(builder);
    case ARROW_KIND.utf8:
    case ARROW_KIND.largeUtf8:
    case ARROW_KIND.utf8View:
    case ARROW_KIND.bool:
      return fillOneByOne(vector, builder);
    case ARROW_KIND.list:
    case ARROW_KIND.largeList:
    case ARROW_KIND.fixedSizeList:
      return fillLists(vector, builder);
    default:
      return undefined;
  }
}

/** An entry is looked at when the first row has it: chunks mostly share a dictionary, of which a slice needs but a part. */
function fillByDictionary(builder: ColumnBuilder): Fill {
  const columns = new Map<ArrowVector, { column: BatchColumn; codes: (number | undefined)[] }>();
  return (data, before) => {
    const { dictionary } = data;
    if (dictionary === undefined) return;
    const { column, codes } = columns.get(dictionary) ?? { column: readArrowColumn(dictionary), codes: [] };
    columns.set(dictionary, { column, codes });
    const indexes = data.values as ArrayLike<number | bigint>;
    for (let index = 0; index < data.length; index++) {
      if (!data.getValid(index)) continue;
      const entry = Number(indexes[index]);
      codes[entry] ??= builder.codeOf(getValue(column, entry));
      builder.setCode(before + index, codes[entry]);
    }
  };
}

function fillOneByOne(vector: ArrowVector, builder: ColumnBuilder): Fill {
  return (data, before) => {
    for (let row = before; row < before + data.length; row++) {
      builder.set(row, (vector.get(row) as string | boolean | null) ?? undefined);
    }
  };
}

/** The elements are a column of their own, in which each list has a part. Null elements are left out. */
function fillLists(vector: ArrowVector, builder: ColumnBuilder): Fill {
  const elements = vector.getChildAt(0);
  const column = elements && readArrowColumn(elements);
  let elementsBefore = 0;
  return (data, before) => {
    const offsets = data.valueOffsets as ArrayLike<number | bigint> | undefined;
    const startOf = (index: number) => elementsBefore + Number(offsets ? offsets[index] : index * data.stride);
    for (let index = 0; index < data.length; index++) {
      if (column && data.getValid(index))
        builder.set(before + index, listOf(column, startOf(index), startOf(index + 1)));
    }
    elementsBefore += data.children[0]?.length ?? 0;
  };
}

function listOf(column: BatchColumn, start: number, end: number): readonly Scalar[] {
  const list: Scalar[] = [];
  for (let row = start; row < end; row++) {
    const value: Value = getValue(column, row);
    if (value !== undefined && (typeof value !== 'object' || value === null)) list.push(value);
  }
  return list;
}
