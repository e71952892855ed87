import type { EventRecord } from '../../data/event-record.ts';

/** Reads a record again from its text. */
export type RestoreRecord = (text: string, line: number) => EventRecord;

/** Consecutive records. */
interface RecordBlock {
  /** The row of the first record. */
  readonly first: number;
  readonly get: (at: number) => EventRecord;
}

/**
 * Holds the records of a file by row. It keeps only their text if they can be read again, because millions of objects
 * would stop each question while the browser collects its garbage.
 */
export class RecordList {
  private readonly blocks: RecordBlock[] = [];
  private added = 0;

  get length(): number {
    return this.added;
  }

  add(records: readonly EventRecord[], restore: RestoreRecord | undefined): void {
    if (records.length === 0) return;
    const get = restore === undefined ? (at: number) => records[at] as EventRecord : packRecords(records, restore);
    this.blocks.push({ first: this.added, get });
    this.added += records.length;
  }

  /** Returns the record at a row. */
  get(row: number): EventRecord {
    let [from, to] = [0, this.blocks.length];
    while (to - from > 1) {
      const middle = (from + to) >> 1;
      if ((this.blocks[middle] as RecordBlock).first <= row) from = middle;
      else to = middle;
    }
    const { first, get } = this.blocks[from] as RecordBlock;
    return get(row - first);
  }
}

/** Joins the texts of records into one. */
function packRecords(records: readonly EventRecord[], restore: RestoreRecord): RecordBlock['get'] {
  const texts = records.map(({ text }) => text());
  const lines = Uint32Array.from(records, ({ line }) => line);
  const ends = new Uint32Array(records.length);
  let end = 0;
  for (const [at, text] of texts.entries()) ends[at] = end += text.length;
  const packed = texts.join('');
  return (at) => restore(packed.slice(ends[at - 1] ?? 0, ends[at]), lines[at] as number);
}
