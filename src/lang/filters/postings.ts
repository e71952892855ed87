/** The slots of the filters that share a key. */
export class Posting {
  /** A single slot without its list, since most keys have one filter. */
  private slots: number | readonly number[] = NO_SLOTS;

  get size(): number {
    return typeof this.slots === 'number' ? 1 : this.slots.length;
  }

  add(slot: number): void {
    const { slots } = this;
    if (typeof slots === 'number') this.slots = [slots, slot];
    else if (slots.length === 0) this.slots = slot;
    // `push` and spreads reserve room for 16 more elements; `concat` does not.
    else if (slots.length < SHORT) this.slots = slots.concat(slot);
    else (slots as number[]).push(slot);
  }

  remove(slot: number): void {
    if (typeof this.slots === 'number') this.slots = NO_SLOTS;
    else {
      const slots = this.slots as number[];
      const last = slots.pop();
      if (last !== slot && last !== undefined) slots[slots.lastIndexOf(slot)] = last;
    }
  }

  /** Adds the slots to a list. */
  collect(found: number[]): void {
    const { slots } = this;
    if (typeof slots === 'number') found.push(slots);
    else for (let index = 0; index < slots.length; index++) found.push(slots[index] as number);
  }
}

const NO_SLOTS: readonly number[] = [];

const SHORT = 16;

/** The slots of filters by a bound on a number, in ascending order of the bounds. */
class Bounds {
  readonly limits: number[] = [];
  readonly slots: number[] = [];

  add(limit: number, slot: number): void {
    const at = this.countBelow(limit);
    this.limits.splice(at, 0, limit);
    this.slots.splice(at, 0, slot);
  }

  remove(limit: number, slot: number): void {
    const at = this.slots.indexOf(slot, this.countBelow(limit));
    this.limits.splice(at, 1);
    this.slots.splice(at, 1);
  }

  /** Returns the number of bounds that are less than a number. */
  countBelow(number: number): number {
    let [from, to] = [0, this.limits.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.limits[middle] as number) < number) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** The slots of filters by a range of numbers. */
export class Ranges {
  /** By the low end. */
  private readonly lows = new Bounds();
  /** Ranges without a low end, by the high end. */
  private readonly highs = new Bounds();

  get size(): number {
    return this.lows.slots.length + this.highs.slots.length;
  }

  add(slot: number, low: number, high: number): void {
    if (isOpen(low)) this.highs.add(high, slot);
    else this.lows.add(low, slot);
  }

  remove(slot: number, low: number, high: number): void {
    if (isOpen(low)) this.highs.remove(high, slot);
    else this.lows.remove(low, slot);
  }

  /** Adds the slots whose ranges can have a number: of those with two ends, the low one is compared. */
  collect(number: number, found: number[]): void {
    const { limits, slots } = this.lows;
    for (let index = 0; index < slots.length && (limits[index] as number) <= number; index++)
      found.push(slots[index] as number);
    for (let index = this.highs.countBelow(number); index < this.highs.slots.length; index++)
      found.push(this.highs.slots[index] as number);
  }
}

function isOpen(low: number): boolean {
  return low === -Number.MAX_VALUE;
}
