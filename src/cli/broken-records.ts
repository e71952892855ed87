import { counted } from '../util/counted.ts';
import type { BrokenRecord } from './input/read-file.ts';
import { say } from './say.ts';

/** Those that are named one by one; of the rest, only the number is told. */
const NAMED = 10;

/** Tells of the records that cannot be read. */
export class BrokenRecords {
  private count = 0;

  add({ file, line, reason }: BrokenRecord): void {
    this.count++;
    if (this.count <= NAMED) say('warning', `${file}:${line}: ${reason}; skipped`);
  }

  /** To be called at the end. */
  tell(): void {
    if (this.count > 0) say('warning', `${counted(this.count, 'broken record')} skipped`);
  }
}
