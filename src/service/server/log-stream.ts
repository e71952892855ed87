import type { Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';

/** Some thousands of lines. */
const MAX_WAITING = 1024 * 1024;

/** How long whoever reads the log is waited for at the end. */
const FLUSH_MS = 1000;

/** The lines of a log on their way to a stream. The server never waits for its reader: where too much waits, further lines are dropped. */
export class LogStream {
  constructor(
    private readonly stream: Pick<Writable, 'write' | 'writableLength'>,
    private readonly onDrop: () => void,
    private readonly mostWaiting = MAX_WAITING,
  ) {}

  write(line: string): void {
    if (this.stream.writableLength + line.length > this.mostWaiting) this.onDrop();
    else this.stream.write(line);
  }

  /** Waits until all lines are read, but not for long. */
  async flush(patienceMs = FLUSH_MS): Promise<void> {
    const written = new Promise<void>((resolve) => void this.stream.write('', () => resolve()));
    await Promise.race([written, setTimeout(patienceMs, undefined, { ref: false })]);
  }
}
