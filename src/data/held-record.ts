/** Longer records are reported and skipped, so that no file can fill the memory. */
const MAX_RECORD_BYTES = 2 ** 26;

/** Collects the bytes of a record that spans chunks. Drops them if the record exceeds the limit. */
export class HeldRecord {
  private parts: Uint8Array[] = [];
  private size = 0;

  constructor(readonly limit = MAX_RECORD_BYTES) {}

  get isEmpty(): boolean {
    return this.size === 0;
  }

  /** Whether the record exceeds the limit. */
  get isOver(): boolean {
    return this.size > this.limit;
  }

  add(part: Uint8Array): void {
    this.size += part.length;
    if (this.isOver) this.parts = [];
    else this.parts.push(part);
  }

  /** Returns the parts of the record and resets. Returns undefined if it exceeds the limit. */
  take(): Uint8Array[] | undefined {
    const { parts, size } = this;
    this.parts = [];
    this.size = 0;
    return size > this.limit ? undefined : parts;
  }
}
