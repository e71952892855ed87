import { totalmem } from 'node:os';
import type { FormatOptions } from '../../data/file-format.ts';

/** The time and memory limits of reading files. */
export type FileLimits = { readonly [Limit in 'timeLimit' | 'memoryLimit']-?: NonNullable<FormatOptions[Limit]> };

/** Seconds. */
export const DEFAULT_TIME_LIMIT = 600;

/** Returns 4 GB, or 80 % of the memory of the machine if that is less. */
export function chooseMemoryLimit(): string {
  return `${Math.min(4000, Math.floor((0.8 * totalmem()) / 1e6))}MB`;
}
