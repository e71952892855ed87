import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { replaceFile } from './files.ts';
import type { LogFileSize } from './log-manifest.ts';
import { type ByteRange, scanLogFile } from './scan-log-file.ts';

/** Bytes of a log file that are not a whole batch. */
export interface LogDamage {
  /** The file they were in. */
  readonly path: string;
  readonly offset: number;
  readonly bytes: number;
  /**
   * The file they were moved to. Absent for a batch that was cut off: the process or the machine stopped while it was
   * written, so it was never acknowledged.
   */
  readonly movedTo?: string;
}

/**
 * Reduces a log file to its whole batches and returns its size. Moves damaged bytes to a file beside it. The last
 * file of a log may end in a batch that was never acknowledged, which is cut off. Killed at any moment, it can be
 * repeated.
 */
export async function repairLogFile(
  path: string,
  isLast: boolean,
  report: (damage: LogDamage) => void,
): Promise<LogFileSize> {
  const { records, whole, damaged, torn } = await scanLogFile(path);
  const found = damaged.map((range) => toDamage(path, range, true));
  if (torn) found.push(toDamage(path, torn, !isLast));
  for (const { offset, bytes, movedTo } of found) {
    if (movedTo !== undefined) await replaceFile(movedTo, readRanges(path, [{ start: offset, end: offset + bytes }]));
  }
  if (found.length > 0) await keepRanges(path, whole);
  for (const damage of found) report(damage);
  return { records, bytes: whole.reduce((sum, { start, end }) => sum + end - start, 0) };
}

/** Reads ranges of a file, one after the other. */
export async function* readRanges(path: string, ranges: readonly ByteRange[]): AsyncGenerator<Uint8Array> {
  for (const { start, end } of ranges) {
    if (start < end) yield* createReadStream(path, { start, end: end - 1 });
  }
}

function toDamage(path: string, { start, end }: ByteRange, isMoved: boolean): LogDamage {
  const damage = { path, offset: start, bytes: end - start };
  return isMoved ? { ...damage, movedTo: `${path}.damaged-${start}` } : damage;
}

async function keepRanges(path: string, ranges: readonly ByteRange[]): Promise<void> {
  if (ranges.every(({ start }) => start === 0)) await cutFile(path, ranges[0]?.end ?? 0);
  else await replaceFile(path, readRanges(path, ranges));
}

/** Truncates a file in place, which works on a full disk too. */
async function cutFile(path: string, bytes: number): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.truncate(bytes);
    await file.datasync();
  } finally {
    await file.close();
  }
}
