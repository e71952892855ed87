import { stat } from 'node:fs/promises';
import { formatInteger } from '../../lang/util/strings.ts';
import type { Io } from '../io.ts';

const DELAY_MS = 700;
const INTERVAL_MS = 100;

/** Shows the progress of a long read on one line of standard error, if that is a terminal. */
export class Progress {
  private read = 0;
  private nextAt: number;
  private isShown = false;

  private constructor(
    private readonly io: Pick<Io, 'err' | 'now'>,
    private readonly total: number | undefined,
    private readonly isEnabled: boolean,
  ) {
    this.nextAt = io.now() + DELAY_MS;
  }

  static none(io: Io): Progress {
    return new Progress(io, undefined, false);
  }

  /** Creates the progress of reading files. The total is unknown for standard input. */
  static async over(io: Io, files: readonly string[]): Promise<Progress> {
    const sizes = await Promise.all(files.map((file) => (file === '-' ? undefined : getFileSize(file))));
    const known = sizes.filter((size) => size !== undefined);
    const total = known.length === sizes.length ? known.reduce((sum, size) => sum + size, 0) : undefined;
    return new Progress(io, total, io.err.isTTY);
  }

  bytes(count: number): void {
    this.read += count;
  }

  show(records?: number): void {
    const { err, now } = this.io;
    if (!this.isEnabled || now() < this.nextAt) return;
    this.nextAt = now() + INTERVAL_MS;
    this.isShown = true;
    const part = this.total ? ` · ${Math.floor((100 * this.read) / this.total)} %` : '';
    const counted = records === undefined ? '' : `${formatInteger(records)} records · `;
    const text = `${counted}${(this.read / 1e6).toFixed(1)} MB${part}`;
    // A line that wraps could not be overwritten.
    err.write(`\r\x1b[K${text.slice(0, err.columns - 1)}`);
  }

  clear(): void {
    if (this.isShown) this.io.err.write('\r\x1b[K');
    this.isShown = false;
  }
}

/** Returns the size of a file in bytes; undefined if it cannot be read, which reading it will report. */
export async function getFileSize(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch {
    return undefined;
  }
}
