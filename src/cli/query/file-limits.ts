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

/** Returns the memory that events of files may take as columns: 2 GB, or 40 % of the memory of the machine if that is less. */
export function chooseTableLimit(): string {
  return `${Math.min(2000, Math.floor((0.4 * totalmem()) / 1e6))}MB`;
}

/** Returns the bytes of a size that settings accept, such as 512MB or 4GiB. */
export function parseSize(size: string): number {
  const [, number = '0', prefix = '', binary] = /^([\d.]+) *([kmgt])(i?)b$/i.exec(size) ?? [];
  return Number(number) * (binary ? 1024 : 1000) ** ('kmgt'.indexOf(prefix.toLowerCase()) + 1);
}
