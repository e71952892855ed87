/** An answer that is not the one of the interpreter. */
export class Difference extends Error {
  constructor(
    readonly check: string,
    readonly got: unknown,
    readonly expected: unknown,
    /** What answered, if it is not the expression as it is. */
    readonly instead?: string,
  ) {
    super(`${check} differs from the interpreter`);
  }
}
