import { open } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LeaseLostError } from '../../../src/service/storage/folder-hold.ts';
import type { OpenForWriting } from '../../../src/service/storage/log-file-writer.ts';
import { RecordLog } from '../../../src/service/storage/record-log.ts';
import { runs, splitRuns } from '../../runs.ts';
import { readContent, temporaryFolders } from './log-folder.ts';

const newFolder = temporaryFolders();

/** A lease that is lost during the sync with a given number, after the disk has everything. */
class FailingLease {
  private syncs = 0;

  constructor(private readonly lostAt: number) {}

  assertHeld(): void {
    if (this.syncs >= this.lostAt) throw new LeaseLostError('p1');
  }

  /** Opens files whose syncs are counted. */
  readonly openFile: OpenForWriting = async (path, flags) => {
    const file = await open(path, flags);
    return {
      writev: (parts, position) => file.writev(parts, position),
      datasync: async () => {
        await file.datasync();
        this.syncs++;
      },
      truncate: (length) => file.truncate(length),
      close: () => file.close(),
    };
  };
}

it('a log acknowledges nothing once another machine may have its folder, and that one finds the rest', async () => {
  const step = fc.record({ batches: fc.integer({ min: 1, max: 3 }), isSealed: fc.boolean() });
  let [kept, refused] = [0, 0];
  const law = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), fc.nat(12), async (steps, lostAt) => {
    const folder = newFolder();
    const hold = new FailingLease(lostAt);
    const options = { report: () => undefined, fileBytes: 200, openFile: hold.openFile, hold };
    const log = await RecordLog.open(folder, options);
    const [acknowledged, sent]: [string[][], string[][]] = [[], []];
    for (const { batches, isSealed } of steps) {
      const added = Array.from({ length: batches }, (_, index) => [`{"event":"${sent.length + index}"}`]);
      sent.push(...added);
      const results = await Promise.allSettled(added.map((batch) => log.append(batch)));
      for (const [index, result] of results.entries()) {
        if (result.status === 'fulfilled') acknowledged.push(added[index] as string[]);
        else expect(result.reason).toBeInstanceOf(LeaseLostError);
      }
      // Nothing that follows is acknowledged either.
      if (results.at(-1)?.status === 'rejected') await expect(log.append(['{}'])).rejects.toThrow(LeaseLostError);
      if (isSealed) await log.seal().catch((error) => expect(error).toBeInstanceOf(LeaseLostError));
    }
    const next = await RecordLog.open(folder, { report: () => undefined });
    const found = (await readContent(next)).filter(([line]) => line !== '{}');
    // Records that were written but not acknowledged may be there. None is there twice.
    expect(found.slice(0, acknowledged.length)).toEqual(acknowledged);
    expect(found).toEqual(sent.slice(0, found.length));
    kept += acknowledged.length;
    refused += sent.length - acknowledged.length;
    await next.close();
    await log.close().catch(() => undefined);
  });
  const { seeded, fresh } = splitRuns(runs(100));
  await fc.assert(law, seeded);
  expect(Math.min(kept, refused)).toBeGreaterThan(seeded.numRuns / 2);
  await fc.assert(law, fresh);
});
