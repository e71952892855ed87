const INITIAL_CAPACITY = 64;

/** Assigns indexes to doubles, from 0. It is a hash table that, unlike `Map`, does not box each number. */
export class Float64Map {
  /** The double in each slot. The number of slots is a power of two; at most half of them are taken. */
  private doubles = new Float64Array(INITIAL_CAPACITY);
  /** The index plus one; 0 in a free slot. */
  private indexes = new Uint32Array(INITIAL_CAPACITY);
  private size = 0;
  /** Scratch memory for one double, and its bits as two words. */
  private readonly double = new Float64Array(1);
  private readonly words = new Uint32Array(this.double.buffer);

  /** Returns the index of a double, or adds it with the next index. It must not be NaN. Negative zero is zero. */
  getOrAddIndex(double: number): number {
    const slot = this.findSlot(double);
    const found = this.indexes[slot] as number;
    if (found !== 0) return found - 1;
    this.setSlot(slot, double, this.size + 1);
    this.size++;
    if (this.size * 2 > this.doubles.length) this.grow();
    return this.size - 1;
  }

  /** Returns the slot of the double, or the free slot where it belongs. */
  private findSlot(double: number): number {
    const mask = this.doubles.length - 1;
    this.double[0] = double + 0;
    const [low, high] = [this.words[0] as number, this.words[1] as number];
    const mixed = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b);
    let slot = (mixed ^ (mixed >>> 15)) & mask;
    while (this.indexes[slot] !== 0 && this.doubles[slot] !== double) slot = (slot + 1) & mask;
    return slot;
  }

  private setSlot(slot: number, double: number, index: number): void {
    this.doubles[slot] = double;
    this.indexes[slot] = index;
  }

  private grow(): void {
    const { doubles, indexes } = this;
    this.doubles = new Float64Array(doubles.length * 2);
    this.indexes = new Uint32Array(doubles.length * 2);
    for (const [slot, index] of indexes.entries()) {
      const double = doubles[slot] as number;
      if (index !== 0) this.setSlot(this.findSlot(double), double, index);
    }
  }
}
