/** Keeps what was asked for last, up to a number of entries; what was not asked for longest is forgotten first. */
export class Recent<Key, Value> {
  private readonly entries = new Map<Key, Value>();

  constructor(private readonly most: number) {}

  /** The entry of a key, made where there is none. One whose making throws is not kept. */
  get(key: Key, make: () => Value): Value {
    const known = this.entries.get(key);
    const value = known === undefined ? make() : known;
    // A map keeps the order of insertion.
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size > this.most) this.entries.delete(this.entries.keys().next().value as Key);
    return value;
  }
}
