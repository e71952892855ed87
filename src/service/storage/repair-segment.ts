import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { replaceFile } from './files.ts';
import { type ByteRange, scanSegment } from './scan-segment.ts';

/** Bytes of a log that are no whole batch. */
export interface LogDamage {
  /** The segment they were in. */
  readonly path: string;
  readonly offset: number;
  readonly bytes: number;
  /** The file they were moved to. None for a batch that was never acknowledged, since the process or the machine stopped while it was written. */
  readonly movedTo?: string;
}

/** What a segment holds. */
export interface SegmentContent {
  readonly records: number;
  readonly bytes: number;
}

/**
 * Makes sure that a segment holds whole batches only. Damaged bytes are moved to a file beside it; only the last segment of a log may end
 * in a batch that was never acknowledged, which is cut off. Killed at any moment, it does the same again.
 */
export async function repairSegment(
  path: string,
  isLast: boolean,
  report: (damage: LogDamage) => void,
): Promise<SegmentContent> {
  const { records, whole, damaged, torn } = await scanSegment(path);
  const found = damaged.map((range) => damageIn(path, range, true));
  if (torn) found.push(damageIn(path, torn, !isLast));
  for (const { offset, bytes, movedTo } of found) {
    if (movedTo !== undefined) await replaceFile(movedTo, readRanges(path, [{ start: offset, end: offset + bytes }]));
  }
  if (found.length > 0) await keepOnly(whole, path);
  for (const damage of found) report(damage);
  return { records, bytes: whole.reduce((sum, { start, end }) => sum + end - start, 0) };
}

/** The bytes of a file in those ranges, one range after the other. */
export async function* readRanges(path: string, ranges: readonly ByteRange[]): AsyncGenerator<Uint8Array> {
  for (const { start, end } of ranges) {
    if (start < end) yield* createReadStream(path, { start, end: end - 1 });
  }
}

function damageIn(path: string, { start, end }: ByteRange, isMoved: boolean): LogDamage {
  const damage = { path, offset: start, bytes: end - start };
  return isMoved ? { ...damage, movedTo: `${path}.damaged-${start}` } : damage;
}

async function keepOnly(ranges: readonly ByteRange[], path: string): Promise<void> {
  if (ranges.every(({ start }) => start === 0)) await cutFile(path, ranges[0]?.end ?? 0);
  else await replaceFile(path, readRanges(path, ranges));
}

/** Takes no room on the disk. */
async function cutFile(path: string, bytes: number): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.truncate(bytes);
    await file.datasync();
  } finally {
    await file.close();
  }
}
