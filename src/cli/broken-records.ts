import { pluralize } from '../util/counted.ts';
import type { BrokenRecord } from './input/read-file.ts';
import type { Io } from './io.ts';
import { printMessage } from './say.ts';

/** Those that are named one by one; of the rest, only the number is told. */
const NAMED = 10;

/** Tells of the records that cannot be read. */
export class BrokenRecords {
  private count = 0;

  constructor(private readonly io: Io) {}

  add({ file, line, reason }: BrokenRecord): void {
    this.count++;
    if (this.count <= NAMED) printMessage(this.io, 'warning', `${file}:${line}: ${reason}; skipped`);
  }

  /** To be called at the end. */
  tell(): void {
    if (this.count > 0) printMessage(this.io, 'warning', `${pluralize(this.count, 'broken record')} skipped`);
  }
}
