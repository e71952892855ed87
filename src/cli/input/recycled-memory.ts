/** The size of the memory that is used again: room for a chunk of a file and the start of a line before it. */
const MEMORY_BYTES = 2 ** 19 + 2 ** 16;

/** More would only be free at the same time if blocks waited for many threads. */
const MAX_FREE = 8;

/**
 * Lends memory for bytes of a file, and lends it again when it is given back. Fresh memory takes twice as long to map
 * as a file takes to read.
 */
export class RecycledMemory {
  private readonly free: ArrayBuffer[] = [];
  private readonly lent = new WeakSet<ArrayBufferLike>();

  /** Returns uninitialized bytes that share their memory with no others. */
  take(size: number): Buffer {
    if (size > MEMORY_BYTES) return Buffer.allocUnsafeSlow(size);
    const memory = this.free.pop() ?? (Buffer.allocUnsafeSlow(MEMORY_BYTES).buffer as ArrayBuffer);
    this.lent.add(memory);
    return Buffer.from(memory, 0, size);
  }

  /**
   * Takes memory back. The bytes must not be used any more. Ignores memory that it did not lend.
   *
   * @param memory The memory, if it came back from another thread as another object.
   */
  give({ buffer }: Buffer, memory: ArrayBufferLike = buffer): void {
    if (this.lent.delete(buffer) && this.free.length < MAX_FREE) this.free.push(memory as ArrayBuffer);
  }
}
