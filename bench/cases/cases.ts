import type { Case } from './case.ts';
import { HOSTILE_CASES, makeOrChain } from './hostile-cases.ts';
import { REAL_CASES } from './real-cases.ts';
import { SYNTHETIC_CASES } from './synthetic-cases.ts';

/** Chains for the curve of compile time; the last is near the greatest length of a source. */
export const CHAINS: readonly Case[] = [10, 30, 100, 300, 1_000, 2_000].map(makeOrChain);

/** The case of this name, which is how a process is told which one to run. */
export function findCase(name: string): Case {
  const found = [...SYNTHETIC_CASES, ...REAL_CASES, ...HOSTILE_CASES, ...CHAINS].find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no case "${name}"`);
  return found;
}
