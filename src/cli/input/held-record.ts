import { isUtf8 } from 'node:buffer';
import { NOT_UTF8, tooLong } from './problems.ts';
import type { RawRecord } from './raw-record.ts';

/** A longer record is reported and skipped, so that no file can fill the memory. */
const MAX_RECORD_BYTES = 2 ** 26;

const NOTHING = Buffer.alloc(0);

/** The bytes so far of a record that more chunks may continue. Those of one over the limit are not kept. */
export class HeldRecord {
  private readonly limit: number;
  private parts: Buffer[] = [];
  private size = 0;

  constructor(limit = MAX_RECORD_BYTES) {
    this.limit = limit;
  }

  add(part: Buffer): void {
    this.size += part.length;
    if (this.size <= this.limit) this.parts.push(part);
    else this.parts = [];
  }

  /** The whole record, which began on this line. The next one begins empty. */
  take(line: number): RawRecord {
    const { parts, size } = this;
    this.parts = [];
    this.size = 0;
    if (size > this.limit) return { line, problem: tooLong(this.limit) };
    const bytes = parts.length > 1 ? Buffer.concat(parts) : (parts[0] ?? NOTHING);
    return isUtf8(bytes) ? { line, text: bytes.toString() } : { line, problem: NOT_UTF8 };
  }
}
