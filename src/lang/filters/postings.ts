/** The slots of the filters that share a key. */
export class Posting<Access = unknown> {
  slots: readonly number[] = [];

  /** @param access What the filters share that have no other key. */
  constructor(readonly access?: Access) {}

  get size(): number {
    return this.slots.length;
  }

  add(slot: number): void {
    // Most have few slots, and an array that grows takes room for 16 more: so does one with a spread.
    if (this.slots.length < SHORT) this.slots = this.slots.concat(slot);
    else (this.slots as number[]).push(slot);
  }

  remove(slot: number): void {
    const slots = this.slots as number[];
    const last = slots.pop();
    if (last !== slot && last !== undefined) slots[slots.lastIndexOf(slot)] = last;
  }
}

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

  /** Passes the slots whose ranges can have a number: of those with two ends, the low one is compared. */
  visit(number: number, visit: (slot: number) => void): void {
    const { limits, slots } = this.lows;
    for (let index = 0; index < slots.length && (limits[index] as number) <= number; index++)
      visit(slots[index] as number);
    for (let index = this.highs.countBelow(number); index < this.highs.slots.length; index++)
      visit(this.highs.slots[index] as number);
  }
}

function isOpen(low: number): boolean {
  return low === -Number.MAX_VALUE;
}
