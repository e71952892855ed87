/** A seeded random number generator (mulberry32). The same seed gives the same sequence on every machine. */
export class Random {
  constructor(private state: number) {}

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  fraction(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns a whole number from `first` to `last`, both inclusive. */
  integer(first: number, last: number): number {
    return first + Math.floor(this.fraction() * (last - first + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** Returns one of the choices with a probability proportional to its weight. */
  weighted<Choice>(choices: readonly (readonly [choice: Choice, weight: number])[]): Choice {
    let left = this.fraction() * choices.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [choice, weight] of choices) {
      left -= weight;
      if (left < 0) return choice;
    }
    return (choices.at(-1) as readonly [Choice, number])[0];
  }
}
