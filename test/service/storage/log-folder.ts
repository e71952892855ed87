import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { RecordLog } from '../../../src/service/storage/record-log.ts';
import type { LogSegment } from '../../../src/service/storage/segment-folder.ts';

/** A folder for the tests of a file; each call makes another folder's name in it. */
export function temporaryFolders(): () => string {
  let folder: string;
  let next = 0;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'onwhere-storage-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  return () => join(folder, String(next++));
}

/** The batches of a file that is whole, each with its place, found without the code under test. */
export function batchesIn(path: string): { lines: string[]; start: number; end: number }[] {
  const text = readFileSync(path, 'latin1');
  let end = 0;
  return text.split(/(?<=\n\{"batch":.*\n)/).flatMap((batch) => {
    const start = end;
    end += batch.length;
    return batch === '' ? [] : [{ lines: batch.split('\n').slice(0, -2), start, end }];
  });
}

/** The batches of segments, as their lines. */
export function linesIn(segments: readonly LogSegment[]): string[][] {
  return segments.flatMap(({ path }) => batchesIn(path).map(({ lines }) => lines));
}

/** What a log holds. */
export async function contentOf(log: RecordLog): Promise<string[][]> {
  return linesIn(await log.seal());
}

/** The path of the newest segment. */
export function newestIn(folder: string): string | undefined {
  const name = readdirSync(folder)
    .sort()
    .findLast((name) => name.endsWith('.ndjson'));
  return name && join(folder, name);
}
