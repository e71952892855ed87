/**
 * A budget, such as bytes of memory, that several holders, such as projects, share. A holder can have at most as much
 * as is still free: one holder gets at most half, two get a third each. Something is always left for others.
 */
export class FairBudget {
  private readonly held = new Map<string, number>();
  private total = 0;

  constructor(private readonly max: number) {}

  /** The amount that all holders have. */
  get used(): number {
    return this.total;
  }

  /** Returns whether a holder can take an amount now. */
  hasRoom(holder: string, count: number): boolean {
    return this.getHeld(holder) + count <= this.max - this.total - count;
  }

  /** Takes an amount until {@link giveBack}. Returns false if there is no room. */
  take(holder: string, count: number): boolean {
    if (!this.hasRoom(holder, count)) return false;
    this.held.set(holder, this.getHeld(holder) + count);
    this.total += count;
    return true;
  }

  giveBack(holder: string, count: number): void {
    this.total -= count;
    const left = this.getHeld(holder) - count;
    if (left > 0) this.held.set(holder, left);
    else this.held.delete(holder);
  }

  private getHeld(holder: string): number {
    return this.held.get(holder) ?? 0;
  }
}
