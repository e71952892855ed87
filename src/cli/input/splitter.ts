import type { RawRecord } from './raw-record.ts';

/** Cuts records out of a file that comes in chunks, wherever these are split. */
export interface Splitter {
  /** The records that the chunk completes. */
  feed(chunk: Buffer): RawRecord[];
  /** What the end of the file completes. */
  end(): RawRecord[];
}
