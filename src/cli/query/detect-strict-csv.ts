import { isUtf8 } from 'node:buffer';
import { stat } from 'node:fs/promises';
import { describeRepeatedName } from '../../data/problems.ts';
import { peek, readFileChunks, skipBom } from '../input/chunks.ts';
import { detectFormat } from '../input/detect-format.ts';
import { gunzipChunks, isGzipped } from '../input/gunzip-chunks.ts';
import { readCsvRows } from '../input/read-csv-rows.ts';
import { splitLineBlocks } from '../input/split-line-blocks.ts';

/** A CSV file that every reader of RFC 4180 reads the same way. */
export interface StrictCsv {
  /** The cells of the header row. */
  readonly header: readonly string[];
  /** Whether a cell has a line break in it. */
  readonly hasLineBreaks: boolean;
  readonly isGzipped: boolean;
}

/** What a file is if it is CSV without anything that readers differ about; nothing for any other, and for what can be read only once. */
export async function detectStrictCsv(file: string): Promise<StrictCsv | undefined> {
  try {
    if (!(await stat(file)).isFile()) return undefined;
    const { head, all: packed } = await peek(readFileChunks(file), (head) => head.length >= 2);
    const { format, all } = await detectFormat(file, skipBom(gunzipChunks(packed)));
    const found = format === 'csv' ? await strictRows(all) : undefined;
    await packed.return(undefined);
    return found && { ...found, isGzipped: isGzipped(head) };
  } catch {
    return undefined; // Whoever reads the file says what is wrong with it.
  }
}

async function strictRows(chunks: AsyncIterable<Buffer>): Promise<Omit<StrictCsv, 'isGzipped'> | undefined> {
  const rules = new CsvRules();
  let header: readonly string[] | undefined;
  for await (const { bytes, problem } of splitLineBlocks(chunks)) {
    if (problem !== undefined || !isUtf8(bytes) || !rules.holdIn(bytes)) return undefined;
    header ??= await cellsOf(bytes.subarray(0, rules.headerBytes));
    if (header === undefined) return undefined;
  }
  if (header === undefined || rules.isOpen) return undefined;
  return { header, hasLineBreaks: rules.hasLineBreaks };
}

/** The cells of the first row, which all differ; nothing where there are no bytes. */
async function cellsOf(bytes: Buffer): Promise<readonly string[] | undefined> {
  async function* chunks() {
    yield bytes;
  }
  for await (const rows of readCsvRows(chunks(), MAX_ROW_BYTES)) {
    const [row] = rows;
    if (row !== undefined) return (row.problem ?? describeRepeatedName(row.cells, 'columns')) ? undefined : row.cells;
  }
  return undefined;
}

/** Less than any reader takes. */
const MAX_ROW_BYTES = 2 ** 20;

const [NUL, LINE_FEED, CARRIAGE_RETURN, QUOTE, COMMA] = [0x00, 0x0a, 0x0d, 0x22, 0x2c];

/**
 * Whether rows are as RFC 4180 has them: as wide as the first one, none of them blank, quotes only around whole cells and twice in
 * them, carriage returns only before line feeds. Beyond that, no cell has a NUL, no name of a column a line break (DuckDB then loses
 * rows), and no row is longer than any reader takes.
 */
class CsvRules {
  /** How many bytes the first row takes; 0 as long as it has not ended. */
  headerBytes = 0;
  hasLineBreaks = false;
  private headerCommas = 0;
  /** What the row that is not at its end has so far. */
  private commas = 0;
  private bytes = 0;
  /** Whether a cell is open whose quote is not closed. */
  isOpen = false;

  /** Whether the rules hold in whole lines, which follow those before. */
  holdIn(lines: Buffer): boolean {
    let { isOpen, commas } = this;
    let rowAt = -this.bytes;
    let cellAt = rowAt;
    for (let at = 0; at < lines.length; at++) {
      const byte = lines[at] as number;
      // Letters and digits, which most bytes are, are greater.
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
