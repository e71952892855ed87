import type { Case } from '../value-first.ts';

/** Compares a slow implementation with the interpreter, many cases at once. */
export interface SlowCheck {
  /**
   * Returns the number of compared results.
   *
   * @throws {Difference} for the first result that differs.
   */
  compare(cases: readonly Case[]): Promise<number>;
  close(): Promise<void>;
}
