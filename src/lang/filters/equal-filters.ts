/** With more filters of one hash, which only an attacker writes, the others are not found. */
const MAX_OF_HASH = 8;

/**
 * Finds the slot of a filter by its key, which only equal filters have. It holds hashes, because keys would take more
 * memory than the filters.
 */
export class EqualFilters {
  /** The slots of each hash; a single one without its list. */
  private readonly slots = new Map<number, number | readonly number[]>();
  /** The hash of each filter, by slot. */
  private readonly hashes: number[] = [];

  /** Returns the slot of the filter with a key; `getKey` returns that of the filter in a slot. */
  find(key: string, getKey: (slot: number) => string): number | undefined {
    return this.list(hash(key)).find((slot) => getKey(slot) === key);
  }

  add(key: string, slot: number): void {
    const hashed = hash(key);
    const known = this.list(hashed);
    this.hashes[slot] = hashed;
    if (known.length < MAX_OF_HASH) this.slots.set(hashed, known.length === 0 ? slot : [...known, slot]);
  }

  remove(slot: number): void {
    const hashed = this.hashes[slot] as number;
    const [first, ...others] = this.list(hashed).filter((other) => other !== slot);
    if (first === undefined) this.slots.delete(hashed);
    else this.slots.set(hashed, others.length === 0 ? first : [first, ...others]);
  }

  private list(hashed: number): readonly number[] {
    const slots = this.slots.get(hashed);
    if (slots === undefined) return [];
    return typeof slots === 'number' ? [slots] : slots;
  }
}

/** Returns 30 bits of FNV-1a: V8 stores larger numbers on the heap. */
function hash(key: string): number {
  let hashed = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) hashed = Math.imul(hashed ^ key.charCodeAt(index), 0x01000193);
  return hashed >>> 2;
}
