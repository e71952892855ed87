/** An LRU cache with a maximum number and total size of entries. The default size is the length of the key. */
export class LruCache<Value> {
  private readonly entries = new Map<string, readonly [value: Value, size: number]>();
  private size = 0;

  constructor(
    private readonly maxSize: number,
    private readonly maxEntries: number,
    /** Is called with each value that leaves the cache, or is too large for it. */
    private readonly onEvict?: (value: Value) => void,
  ) {}

  get(key: string): Value | undefined {
    const entry = this.entries.get(key);
    // A map keeps the order of insertion.
    if (entry && this.entries.delete(key)) this.entries.set(key, entry);
    return entry?.[0];
  }

  /** Adds or replaces an entry, unless it is too large. Returns its value. */
  set(key: string, value: Value, size = key.length): Value {
    this.evict(key);
    this.entries.set(key, [value, size]);
    this.size += size;
    if (size > this.maxSize) this.evict(key);
    for (const oldest of this.entries.keys()) {
      if (this.size <= this.maxSize && this.entries.size <= this.maxEntries) break;
      this.evict(oldest);
    }
    return value;
  }

  private evict(key: string): void {
    const entry = this.entries.get(key);
    if (entry === undefined) return;
    this.entries.delete(key);
    this.size -= entry[1];
    this.onEvict?.(entry[0]);
  }
}
