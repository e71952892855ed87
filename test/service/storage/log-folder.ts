import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { LogFile } from '../../../src/service/storage/log-files.ts';
import type { RecordLog } from '../../../src/service/storage/record-log.ts';

/** Creates a folder for the tests of a file. Returns a function that returns a new path in it with each call. */
export function temporaryFolders(): () => string {
  let folder: string;
  let next = 0;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'onwhere-storage-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  return () => join(folder, String(next++));
}

/** Returns the batches of an undamaged file with their offsets, without the code under test. */
export function readBatches(path: string): { lines: string[]; start: number; end: number }[] {
  const text = readFileSync(path, 'latin1');
  let end = 0;
  return text.split(/(?<=\n\{"batch":.*\n)/).flatMap((batch) => {
    const start = end;
    end += batch.length;
    return batch === '' ? [] : [{ lines: batch.split('\n').slice(0, -2), start, end }];
  });
}

/** Returns the lines of each batch in log files. */
export function readLines(files: readonly LogFile[]): string[][] {
  return files.flatMap(({ path }) => readBatches(path).map(({ lines }) => lines));
}

/** Returns the lines of each batch in a log. */
export async function readContent(log: RecordLog): Promise<string[][]> {
  return readLines(await log.seal());
}

/** Returns the path of the newest file. */
export function findNewest(folder: string): string | undefined {
  const name = readdirSync(folder)
    .sort()
    .findLast((name) => name.endsWith('.ndjson'));
  return name && join(folder, name);
}
