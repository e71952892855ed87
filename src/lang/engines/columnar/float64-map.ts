const FIRST_CAPACITY = 64;

/** Numbers the doubles that it is asked for, from 0 on: a hash table without a box around each number, as a `Map` has. */
export class Float64Map {
  /** By slot; a power of two of them, at most half of which are taken. */
  private doubles = new Float64Array(FIRST_CAPACITY);
  /** The index plus one; 0 in a free slot. */
  private indexes = new Uint32Array(FIRST_CAPACITY);
  private size = 0;
  /** One double, and its bits as two words. */
  private readonly double = new Float64Array(1);
  private readonly words = new Uint32Array(this.double.buffer);

  /** The index of a double that is not NaN; the next one where it was never asked for. Negative zero is zero. */
  indexOf(double: number): number {
    const slot = this.slotOf(double);
    const found = this.indexes[slot] as number;
    if (found !== 0) return found - 1;
    this.take(slot, double, this.size + 1);
    this.size++;
    if (this.size * 2 > this.doubles.length) this.grow();
    return this.size - 1;
  }

  /** Where the double is, or the free slot where it belongs. */
  private slotOf(double: number): number {
    const mask = this.doubles.length - 1;
    this.double[0] = double + 0;
    const [low, high] = [this.words[0] as number, this.words[1] as number];
    const mixed = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b);
    let slot = (mixed ^ (mixed >>> 15)) & mask;
    while (this.indexes[slot] !== 0 && this.doubles[slot] !== double) slot = (slot + 1) & mask;
    return slot;
  }

  private take(slot: number, double: number, index: number): void {
    this.doubles[slot] = double;
    this.indexes[slot] = index;
  }

  private grow(): void {
    const { doubles, indexes } = this;
    this.doubles = new Float64Array(doubles.length * 2);
    this.indexes = new Uint32Array(doubles.length * 2);
    for (const [slot, index] of indexes.entries()) {
      const double = doubles[slot] as number;
      if (index !== 0) this.take(this.slotOf(double), double, index);
    }
  }
}
