import { closeSync, ftruncateSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { encodeBatch } from '../../../src/service/storage/encode-batch.ts';
import { scanLogFile } from '../../../src/service/storage/scan-log-file.ts';
import { collectGarbage } from '../../collect-garbage.ts';
import { temporaryFolders } from './log-folder.ts';

const newPath = temporaryFolders();

const CHUNK_BYTES = 2 ** 20;

describe('scanLogFile', () => {
  it('finds a batch line at any offset within a chunk', async () => {
    const path = newPath();
    const next = encodeBatch(['{"event":"next"}']);
    const around = encodeBatch(['']).length;
    for (let before = -1; before <= around + 1; before++) {
      const batch = encodeBatch(['x'.repeat(CHUNK_BYTES - around + before)]);
      const damaged = Buffer.concat([batch, Buffer.from('damaged'), next, next]);
      writeFileSync(path, damaged);
      const scan = await scanLogFile(path);
      const end = batch.length;
      expect(scan).toEqual({
        records: 3,
        whole: [
          { start: 0, end },
          { start: end + 7, end: damaged.length },
        ],
        damaged: [{ start: end, end: end + 7 }],
        torn: undefined,
      });
    }
  });

  it('skips hundreds of megabytes without a line break in constant memory', async () => {
    const path = newPath();
    const [first, last] = [encodeBatch(['{"event":"first"}']), encodeBatch(['{"event":"last"}'])];
    const end = 300 * 2 ** 20;
    const file = openSync(path, 'w');
    writeSync(file, first);
    ftruncateSync(file, end);
    writeSync(file, last, 0, last.length, end);
    closeSync(file);
    collectGarbage();
    const before = process.memoryUsage().arrayBuffers;
    const scan = await scanLogFile(path);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * 2 ** 20);
    expect(scan.records).toBe(2);
    expect(scan.damaged).toEqual([{ start: first.length, end }]);
  });

  it('reports bytes after the last whole batch as torn, unless they contain a batch line', async () => {
    const path = newPath();
    const whole = encodeBatch(['{"event":"whole"}']);
    const start = whole.length;
    const other = encodeBatch(['{"event":"other"}', '{"event":"one more"}']);
    for (let length = 1; length < other.length; length++) {
      writeFileSync(path, Buffer.concat([whole, other.subarray(0, length)]));
      expect(await scanLogFile(path)).toMatchObject({ damaged: [], torn: { start, end: start + length } });
    }
    for (let at = 0; at < other.length; at++) {
      const flipped = Buffer.from(other);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      writeFileSync(path, Buffer.concat([whole, flipped]));
      const tail = { start, end: start + other.length };
      const { records, damaged, torn } = await scanLogFile(path);
      expect({ records, tail: damaged[0] ?? torn }).toEqual({ records: 1, tail });
      if (at < other.indexOf('\n{"batch"')) expect(torn).toBe(undefined);
    }
  });

  it('counts a repeated batch line once', async () => {
    const path = newPath();
    const batch = encodeBatch(['{"event":"a"}']);
    const line = batch.subarray(batch.indexOf('{"batch"'));
    writeFileSync(path, Buffer.concat([batch, line, batch]));
    const again = batch.length + line.length;
    expect(await scanLogFile(path)).toMatchObject({ records: 2, damaged: [{ start: batch.length, end: again }] });
  });
});
