import type { Case } from '../value-first.ts';

/** Compares something that takes long to answer with the interpreter: many cases at once. */
export interface SlowCheck {
  /**
   * Returns how many answers were compared.
   *
   * @throws {Difference} for the first that differs.
   */
  compare(cases: readonly Case[]): Promise<number>;
  close(): Promise<void>;
}
