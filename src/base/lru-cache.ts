/** An LRU cache with a maximum number of entries and a maximum total length of their keys. */
export class LruCache<Value> {
  private readonly entries = new Map<string, Value>();
  private characters = 0;

  constructor(
    private readonly max: number,
    private readonly maxCharacters: number,
  ) {}

  /** Returns the value of a key, created if the cache has none. Does not keep it if the key is too long. */
  get(key: string, create: () => Value): Value {
    const cached = this.entries.get(key);
    const value = cached === undefined ? create() : cached;
    this.remove(key);
    if (key.length > this.maxCharacters) return value;
    // A map keeps the order of insertion.
    this.entries.set(key, value);
    this.characters += key.length;
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= this.max && this.characters <= this.maxCharacters) break;
      this.remove(oldest);
    }
    return value;
  }

  private remove(key: string): void {
    if (this.entries.delete(key)) this.characters -= key.length;
  }
}
