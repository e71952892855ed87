import type { Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';

/** A few thousand lines. */
const MAX_BUFFERED = 1024 * 1024;

/** Time that the reader of the log has at exit. */
const FLUSH_MS = 1000;

/** Writes log lines to a stream without waiting for its reader. Drops lines while the buffer is full. */
export class LogStream {
  constructor(
    private readonly stream: Pick<Writable, 'write' | 'writableLength'>,
    private readonly onDrop: () => void,
    private readonly maxBuffered = MAX_BUFFERED,
  ) {}

  write(line: string): void {
    if (this.stream.writableLength + line.length > this.maxBuffered) this.onDrop();
    else this.stream.write(line);
  }

  /** Waits until all lines are written, for at most the given time. */
  async flush(maxMs = FLUSH_MS): Promise<void> {
    const written = new Promise<void>((resolve) => void this.stream.write('', () => resolve()));
    await Promise.race([written, setTimeout(maxMs, undefined, { ref: false })]);
  }
}
