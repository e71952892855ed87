import { isUtf8 as isUtf8Text } from 'node:buffer';
import { stat } from 'node:fs/promises';
import type { FormatOptions } from '../../data/file-format.ts';
import { describeRepeatedName } from '../../data/problems.ts';
import { peek, readFileChunks } from '../input/chunks.ts';
import { isGzipped } from '../input/decompress.ts';
import { openInput } from '../input/open-input.ts';
import { readCsvRows } from '../input/read-csv-rows.ts';
import { splitLineBlocks } from '../input/split-line-blocks.ts';

/** A CSV file that all readers of RFC 4180 read alike. */
export interface StrictCsv {
  /** The cells of the header row. */
  readonly header: readonly string[];
  /** Whether a cell contains a line break. */
  readonly hasLineBreaks: boolean;
  readonly isGzipped: boolean;
}

/** Checks that a file is CSV that all readers read alike. Returns undefined for other files, and for pipes. */
export async function detectStrictCsv(file: string, options?: FormatOptions): Promise<StrictCsv | undefined> {
  // DuckDB would read other numbers and rows.
  if (options?.columns !== undefined || options?.header === false || options?.decimal !== undefined) return undefined;
  try {
    if (!(await stat(file)).isFile()) return undefined;
    const { head, all: packed } = await peek(readFileChunks(file), (head) => head.length >= 2);
    const { format, all, delimiter, isUtf8 } = await openInput(file, file, packed, options);
    const found = format === 'csv' && delimiter === ',' && isUtf8 ? await checkRows(all) : undefined;
    await packed.return(undefined);
    return found && { ...found, isGzipped: isGzipped(head) };
  } catch {
    return undefined; // Reading the file line by line reports the error.
  }
}

async function checkRows(chunks: AsyncIterable<Buffer>): Promise<Omit<StrictCsv, 'isGzipped'> | undefined> {
  const rules = new CsvRules();
  let header: readonly string[] | undefined;
  for await (const { bytes, problem } of splitLineBlocks(chunks)) {
    if (problem !== undefined || !isUtf8Text(bytes) || !rules.check(bytes)) return undefined;
    header ??= await readHeader(bytes.subarray(0, rules.headerBytes));
    if (header === undefined) return undefined;
  }
  if (header === undefined || rules.isOpen) return undefined;
  return { header, hasLineBreaks: rules.hasLineBreaks };
}

/** Returns the distinct cells of the first row; undefined if it is missing, broken, too wide or repeats a name. */
async function readHeader(bytes: Buffer): Promise<readonly string[] | undefined> {
  async function* chunks() {
    yield bytes;
  }
  for await (const rows of readCsvRows(chunks(), MAX_ROW_BYTES)) {
    const [row] = rows;
    if (row === undefined) continue;
    if (row.cells.length > MAX_COLUMNS) return undefined;
    return (row.problem ?? describeRepeatedName(row.cells, 'columns')) ? undefined : row.cells;
  }
  return undefined;
}

/** DuckDB takes minutes to plan queries of files with many thousand columns. */
const MAX_COLUMNS = 1000;

/** Lower than the limit of any reader. */
const MAX_ROW_BYTES = 2 ** 20;

const [NUL, LINE_FEED, CARRIAGE_RETURN, QUOTE, COMMA] = [0x00, 0x0a, 0x0d, 0x22, 0x2c];

/**
 * Checks that rows follow RFC 4180: all as wide as the first, none blank, quotes only around whole cells and doubled in
 * them, carriage returns only before line feeds. Also refuses NUL in cells, line breaks in column names (DuckDB then
 * loses rows) and rows over {@link MAX_ROW_BYTES}.
 */
class CsvRules {
  /** The size of the first row in bytes; 0 until it ends. */
  headerBytes = 0;
  hasLineBreaks = false;
  private headerCommas = 0;
  /** The commas and bytes of the unfinished row. */
  private commas = 0;
  private bytes = 0;
  /** Whether a quote is open. */
  isOpen = false;

  /** Checks the next whole lines. */
  check(lines: Buffer): boolean {
    let { isOpen, commas } = this;
    let rowAt = -this.bytes;
    let cellAt = rowAt;
    for (let at = 0; at < lines.length; at++) {
      const byte = lines[at] as number;
      // Most bytes are letters or digits, which are larger.
      if (byte > COMMA) continue;
      if (byte === NUL) return false;
      if (isOpen) {
        const next = lines[at + 1];
        if (byte === LINE_FEED) {
          if (this.headerBytes === 0) return false;
          this.hasLineBreaks = true;
        }
        if (byte === CARRIAGE_RETURN && next !== LINE_FEED) return false;
        if (byte !== QUOTE) continue;
        if (next === QUOTE) at++;
        else if (next === COMMA || next === LINE_FEED || next === CARRIAGE_RETURN) isOpen = false;
        else return false;
      } else if (byte === COMMA) {
        commas++;
        cellAt = at + 1;
      } else if (byte === QUOTE) {
        if (at !== cellAt) return false;
        isOpen = true;
      } else if (byte === CARRIAGE_RETURN) {
        if (at === rowAt || lines[at + 1] !== LINE_FEED) return false;
      } else if (byte === LINE_FEED) {
        if (at === rowAt || !this.isRow(commas, at + 1 - rowAt)) return false;
        commas = 0;
        rowAt = cellAt = at + 1;
      }
    }
    [this.isOpen, this.commas, this.bytes] = [isOpen, commas, lines.length - rowAt];
    return true;
  }

  private isRow(commas: number, bytes: number): boolean {
    if (this.headerBytes === 0) [this.headerBytes, this.headerCommas] = [bytes, commas];
    return commas === this.headerCommas && bytes <= MAX_ROW_BYTES;
  }
}
