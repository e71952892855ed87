/** A longer record is reported and skipped, so that no file can fill the memory. */
const MAX_RECORD_BYTES = 2 ** 26;

/** The bytes so far of a record that more chunks may continue. Those of one over the limit are not kept. */
export class HeldRecord {
  private parts: Uint8Array[] = [];
  private size = 0;

  constructor(readonly limit = MAX_RECORD_BYTES) {}

  get isEmpty(): boolean {
    return this.size === 0;
  }

  add(part: Uint8Array): void {
    this.size += part.length;
    if (this.size <= this.limit) this.parts.push(part);
    else this.parts = [];
  }

  /** The parts of the whole record; undefined if it is over the limit. The next one begins empty. */
  take(): Uint8Array[] | undefined {
    const { parts, size } = this;
    this.parts = [];
    this.size = 0;
    return size > this.limit ? undefined : parts;
  }
}
