/** Keeps the entries used last, up to a number of them and of characters in their keys. The one unused for longest goes first. */
export class LruCache<Value> {
  private readonly entries = new Map<string, Value>();
  private characters = 0;

  constructor(
    private readonly most: number,
    private readonly mostCharacters: number,
  ) {}

  /** The entry of a key, made where there is none. One whose making throws is not kept, nor is one whose key is too long. */
  get(key: string, make: () => Value): Value {
    const known = this.entries.get(key);
    const value = known === undefined ? make() : known;
    this.remove(key);
    if (key.length > this.mostCharacters) return value;
    // A map keeps the order of insertion.
    this.entries.set(key, value);
    this.characters += key.length;
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= this.most && this.characters <= this.mostCharacters) break;
      this.remove(oldest);
    }
    return value;
  }

  private remove(key: string): void {
    if (this.entries.delete(key)) this.characters -= key.length;
  }
}
