/** Thrown if a result differs from that of the interpreter. */
export class Difference extends Error {
  constructor(
    readonly check: string,
    readonly got: unknown,
    readonly expected: unknown,
    /** The expression or SQL that was evaluated, if it is not the expression itself. */
    readonly instead?: string,
  ) {
    super(`${check} differs from the interpreter`);
  }
}
