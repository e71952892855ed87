/**
 * The bytes that all bodies under way may take together, of requests or of answers. Each holder, such as a project, may have as many as
 * are still free: one has half of them at most, two have a third each, and nobody leaves nothing to others.
 */
export class BodyBudget {
  private readonly held = new Map<string, number>();
  private taken = 0;

  constructor(private readonly bytes: number) {}

  get used(): number {
    return this.taken;
  }

  /** Whether a holder may take so many bytes now. */
  hasRoom(holder: string, bytes: number): boolean {
    return this.heldBy(holder) + bytes <= this.bytes - this.taken - bytes;
  }

  /** @returns whether there was room for so many bytes, which are now taken until they are given back */
  take(holder: string, bytes: number): boolean {
    if (!this.hasRoom(holder, bytes)) return false;
    this.held.set(holder, this.heldBy(holder) + bytes);
    this.taken += bytes;
    return true;
  }

  giveBack(holder: string, bytes: number): void {
    this.taken -= bytes;
    const left = this.heldBy(holder) - bytes;
    if (left > 0) this.held.set(holder, left);
    else this.held.delete(holder);
  }

  private heldBy(holder: string): number {
    return this.held.get(holder) ?? 0;
  }
}
