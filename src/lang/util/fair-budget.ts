/**
 * A number of things, such as bytes, that several holders share, such as projects. Each may have as many as are still free: one has half of
 * them at most, two have a third each, and nobody leaves nothing to others.
 */
export class FairBudget {
  private readonly held = new Map<string, number>();
  private taken = 0;

  constructor(private readonly most: number) {}

  get used(): number {
    return this.taken;
  }

  /** Whether a holder may take so many now. */
  hasRoom(holder: string, count: number): boolean {
    return this.heldBy(holder) + count <= this.most - this.taken - count;
  }

  /** @returns whether there was room for so many, which are now taken until they are given back */
  take(holder: string, count: number): boolean {
    if (!this.hasRoom(holder, count)) return false;
    this.held.set(holder, this.heldBy(holder) + count);
    this.taken += count;
    return true;
  }

  giveBack(holder: string, count: number): void {
    this.taken -= count;
    const left = this.heldBy(holder) - count;
    if (left > 0) this.held.set(holder, left);
    else this.held.delete(holder);
  }

  private heldBy(holder: string): number {
    return this.held.get(holder) ?? 0;
  }
}
