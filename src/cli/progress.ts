import { stat } from 'node:fs/promises';
import { grouped } from '../util/counted.ts';
import { columnsOf } from './terminal.ts';

const FIRST_SHOWN_MS = 700;
const REDRAWN_MS = 100;

/** One line on standard error that says how far a long reading has come; nothing where that is not a terminal. */
export class Progress {
  private read = 0;
  private due = Date.now() + FIRST_SHOWN_MS;
  private shown = false;

  private constructor(
    private readonly total: number | undefined,
    private readonly wanted: boolean,
  ) {}

  static readonly none = new Progress(undefined, false);

  /** Progress over files; over standard input the total is not known. */
  static async over(files: readonly string[]): Promise<Progress> {
    const sizes = await Promise.all(files.map((file) => (file === '-' ? undefined : sizeOfFile(file))));
    const known = sizes.filter((size) => size !== undefined);
    const total = known.length === sizes.length ? known.reduce((sum, size) => sum + size, 0) : undefined;
    return new Progress(total, process.stderr.isTTY);
  }

  bytes(count: number): void {
    this.read += count;
  }

  show(records?: number): void {
    if (!this.wanted || Date.now() < this.due) return;
    this.due = Date.now() + REDRAWN_MS;
    this.shown = true;
    const part = this.total ? ` · ${Math.floor((100 * this.read) / this.total)} %` : '';
    const counted = records === undefined ? '' : `${grouped(records)} records · `;
    const text = `${counted}${(this.read / 1e6).toFixed(1)} MB${part}`;
    // A line that wraps could not be drawn over.
    process.stderr.write(`\r\x1b[K${text.slice(0, columnsOf(process.stderr) - 1)}`);
  }

  clear(): void {
    if (this.shown) process.stderr.write('\r\x1b[K');
    this.shown = false;
  }
}

/** How many bytes a file has; undefined where it cannot be read, for whoever reads it to say why. */
export async function sizeOfFile(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch {
    return undefined;
  }
}
