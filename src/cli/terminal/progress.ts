import { stat } from 'node:fs/promises';
import { formatInteger } from '../../lang/util/strings.ts';
import type { Io } from '../io.ts';

const FIRST_SHOWN_MS = 700;
const REDRAWN_MS = 100;

/** One line on standard error that says how far a long reading has come; nothing where that is not a terminal. */
export class Progress {
  private read = 0;
  private due: number;
  private shown = false;

  private constructor(
    private readonly io: Pick<Io, 'err' | 'now'>,
    private readonly total: number | undefined,
    private readonly wanted: boolean,
  ) {
    this.due = io.now() + FIRST_SHOWN_MS;
  }

  static none(io: Io): Progress {
    return new Progress(io, undefined, false);
  }

  /** Progress over files; over standard input the total is not known. */
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
    if (!this.wanted || now() < this.due) return;
    this.due = now() + REDRAWN_MS;
    this.shown = true;
    const part = this.total ? ` · ${Math.floor((100 * this.read) / this.total)} %` : '';
    const counted = records === undefined ? '' : `${formatInteger(records)} records · `;
    const text = `${counted}${(this.read / 1e6).toFixed(1)} MB${part}`;
    // A line that wraps could not be drawn over.
    err.write(`\r\x1b[K${text.slice(0, err.columns - 1)}`);
  }

  clear(): void {
    if (this.shown) this.io.err.write('\r\x1b[K');
    this.shown = false;
  }
}

/** How many bytes a file has; undefined where it cannot be read, for whoever reads it to say why. */
export async function getFileSize(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch {
    return undefined;
  }
}
