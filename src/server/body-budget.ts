/** The bytes that all bodies under way, of requests or of answers, may take together. */
export class BodyBudget {
  private taken = 0;

  constructor(private readonly bytes: number) {}

  get used(): number {
    return this.taken;
  }

  /** @returns whether so many bytes were left, and are now taken until they are given back */
  take(bytes: number): boolean {
    if (this.taken + bytes > this.bytes) return false;
    this.taken += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.taken -= bytes;
  }
}
