/** What is used of an Apache Arrow table, as the package `apache-arrow` has it. */
export interface ArrowTable {
  readonly numRows: number;
  readonly schema: { readonly fields: readonly { readonly name: string }[] };
  getChildAt(index: number): ArrowVector | null;
}

/** What is used of a column of a table. */
export interface ArrowVector {
  readonly type: ArrowType;
  readonly length: number;
  readonly nullCount: number;
  /** The chunks, one after the other. */
  readonly data: readonly ArrowData[];
  /** The value of a row, null where there is none. */
  get(index: number): unknown;
  getChildAt(index: number): ArrowVector | null;
}

/** What is used of a chunk. */
export interface ArrowData {
  readonly length: number;
  /** How many of `values` a row has. */
  readonly stride: number;
  /** A typed array, if any; of what the type of the column says. */
  readonly values: unknown;
  /** Where the values of each row begin, a typed array, if any. */
  readonly valueOffsets: unknown;
  readonly children: readonly { readonly length: number }[];
  readonly dictionary?: ArrowVector | undefined;
  getValid(index: number): boolean;
}

/** What is used of a type. */
interface ArrowType {
  /** One of {@link ARROW_KIND}, or another. */
  readonly typeId: number;
}

/** The kinds of columns, by the numbers that `apache-arrow` gives them. */
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
