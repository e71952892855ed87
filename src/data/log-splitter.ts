import { LineSplitter } from './line-splitter.ts';
import { findLogFormat, type ReadLogLine } from './log-formats.ts';
import type { RawRecord } from './parse-records.ts';

/** Reads the lines of a log that arrives in chunks of any size. The first line decides the format. */
export class LogSplitter {
  private readonly lines = new LineSplitter();
  private readLine: ReadLogLine | undefined;

  /** Returns the records that a chunk completes. */
  feed(chunk: Uint8Array): RawRecord[] {
    return this.read(this.lines.feed(chunk));
  }

  /** Ends the input. Returns its last record, if any. */
  end(): RawRecord[] {
    return this.read(this.lines.end());
  }

  private read(lines: readonly RawRecord[]): RawRecord[] {
    return lines.flatMap((raw) => {
      if (!('text' in raw)) return raw;
      this.readLine ??= findLogFormat(raw.text)?.createReader() ?? (() => 'not a line of a log');
      const found = this.readLine(raw.text);
      if (found === undefined) return [];
      return typeof found === 'string' ? { line: raw.line, problem: found } : { ...raw, object: found };
    });
  }
}
