import { stat } from 'node:fs/promises';
import { formatInteger } from '../../base/strings.ts';
import { formatDuration, formatPercent } from '../answers/figures.ts';
import type { Io } from '../io.ts';
import { drawBar } from './table.ts';

const DELAY_MS = 700;
const INTERVAL_MS = 100;

/** The weight of the latest rate. The time left should not jump with each chunk. */
const SMOOTHING = 0.1;

const MIN_BAR_WIDTH = 8;
const MAX_BAR_WIDTH = 30;

/** Shows the progress of a long read, with the time left, on one line of standard error, if that is a terminal. */
export class Progress {
  private read = 0;
  private nextAt: number;
  private isShown = false;
  /** The time and the bytes read when the rate was last measured. */
  private measured: { readonly at: number; readonly read: number };
  /** Bytes per millisecond, smoothed. */
  private rate: number | undefined;

  private constructor(
    private readonly io: Pick<Io, 'err' | 'now'>,
    private readonly total: number | undefined,
    private readonly isEnabled: boolean,
  ) {
    this.nextAt = io.now() + DELAY_MS;
    this.measured = { at: io.now(), read: 0 };
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
    this.measureRate();
    const counted = records === undefined ? '' : `${formatInteger(records)} records · `;
    const amount = `${counted}${(this.read / 1e6).toFixed(1)} MB`;
    // A line that wraps could not be overwritten.
    const columns = err.columns - 1;
    const text = this.total === undefined || this.total === 0 ? amount : this.renderShare(this.total, amount, columns);
    // Clearing the line first would make it flicker.
    err.write(`\r${text.slice(0, columns)}\x1b[K`);
  }

  private measureRate(): void {
    const now = this.io.now();
    const { at, read } = this.measured;
    if (now <= at) return;
    const current = (this.read - read) / (now - at);
    this.rate = this.rate === undefined ? current : this.rate + SMOOTHING * (current - this.rate);
    this.measured = { at: now, read: this.read };
  }

  /** Renders a bar, the share and the time left, and what was read if there is room. */
  private renderShare(total: number, amount: string, columns: number): string {
    // Files can grow while they are read.
    const share = Math.min(1, this.read / total);
    const seconds = this.rate ? Math.ceil((total - this.read) / this.rate / 1000) : undefined;
    const left = seconds === undefined || seconds <= 0 ? '' : ` · ${formatDuration(seconds)} left`;
    const end = ` ${formatPercent(share).padStart(4)}${left}`;
    const whole = `${end} · ${amount}`;
    const shown = columns - whole.length >= MIN_BAR_WIDTH ? whole : end;
    const width = Math.min(MAX_BAR_WIDTH, columns - shown.length);
    return width < MIN_BAR_WIDTH ? shown.trimStart() : drawBar(share, width).padEnd(width, '░') + shown;
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
