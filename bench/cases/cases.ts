import type { Case } from './case.ts';
import { HOSTILE_CASES, makeOrChain } from './hostile-cases.ts';
import { REAL_CASES } from './real-cases.ts';
import { SYNTHETIC_CASES } from './synthetic-cases.ts';

/** Chains for the curve of compile times. The last one is near the maximum length of a source. */
export const CHAINS: readonly Case[] = [10, 30, 100, 300, 1_000, 2_000].map(makeOrChain);

/** Returns the case with a name, by which child processes receive it. */
export function findCase(name: string): Case {
  const found = [...SYNTHETIC_CASES, ...REAL_CASES, ...HOSTILE_CASES, ...CHAINS].find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no case "${name}".`);
  return found;
}
