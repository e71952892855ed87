/** The members used of an Apache Arrow table of the package `apache-arrow`. */
export interface ArrowTable {
  readonly numRows: number;
  readonly schema: { readonly fields: readonly { readonly name: string }[] };
  getChildAt(index: number): ArrowVector | null;
}

/** The members used of a column. */
export interface ArrowVector {
  readonly type: ArrowType;
  readonly length: number;
  readonly nullCount: number;
  /** The chunks, one after the other. */
  readonly data: readonly ArrowData[];
  /** Returns the value of a row, or null if it has none. */
  get(index: number): unknown;
  getChildAt(index: number): ArrowVector | null;
}

/** The members used of a chunk. */
export interface ArrowData {
  readonly length: number;
  /** The number of elements of `values` per row. */
  readonly stride: number;
  /** A typed array, if any. The type of the column determines its elements. */
  readonly values: unknown;
  /** The index of each row's first value: a typed array, if any. */
  readonly valueOffsets: unknown;
  readonly children: readonly { readonly length: number }[];
  readonly dictionary?: ArrowVector | undefined;
  getValid(index: number): boolean;
}

/** The members used of a type. */
interface ArrowType {
  /** One of {@link ARROW_KIND}, or another number. */
  readonly typeId: number;
}

/** The type numbers of `apache-arrow`. */
export const ARROW_KIND = {
  dictionary: -1,
  int: 2,
  float: 3,
  utf8: 5,
  bool: 6,
  decimal: 7,
  date: 8,
  timestamp: 10,
  list: 12,
  fixedSizeList: 16,
  largeUtf8: 20,
  largeList: 21,
  utf8View: 24,
} as const;
