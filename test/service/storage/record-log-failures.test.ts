import { cpSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LogWriteError } from '../../../src/service/storage/log-write-error.ts';
import { RecordLog } from '../../../src/service/storage/record-log.ts';
import type { OpenSegmentFile } from '../../../src/service/storage/segment-writer.ts';
import { contentOf, linesIn, newestIn, temporaryFolders } from './log-folder.ts';

const newFolder = temporaryFolders();

/** What goes wrong with the disk, until it is set right. */
interface Faults {
  /** How many bytes a write takes before it fails. */
  write?: number;
  datasync?: boolean;
  truncate?: boolean;
  open?: boolean;
}

const anyFaults: fc.Arbitrary<Faults> = fc.record(
  {
    write: fc.nat({ max: 200 }),
    datasync: fc.constant(true),
    truncate: fc.constant(true),
    open: fc.constant(true),
  },
  { requiredKeys: [] },
);

const failure = (code: string) => Object.assign(new Error(`${code}: made up`), { code });

/** A disk that writes at most 50 bytes at once, and has the faults of the moment. */
function faultyDisk(faults: () => Faults): OpenSegmentFile {
  return async (path, flags) => {
    if (faults().open) throw failure('EMFILE');
    const file = await open(path, flags);
    let taken = 0;
    return {
      async writev(parts, position) {
        const room = (faults().write ?? Number.POSITIVE_INFINITY) - taken;
        if (room <= 0) throw failure('ENOSPC');
        const bytes = Buffer.concat(parts);
        const { bytesWritten } = await file.write(bytes, 0, Math.min(bytes.length, 50, room), position);
        taken += bytesWritten;
        return { bytesWritten };
      },
      async datasync() {
        taken = 0;
        // What was written may be on disk all the same.
        await file.datasync();
        if (faults().datasync) throw failure('EIO');
      },
      async truncate(length) {
        taken = 0;
        if (faults().truncate) throw failure('EIO');
        await file.truncate(length);
      },
      close: () => file.close(),
    };
  };
}

/** What a process leaves behind that is killed now. */
async function contentAfterKill(folder: string): Promise<string[][]> {
  const copy = newFolder();
  cpSync(folder, copy, { recursive: true });
  const log = await RecordLog.open(copy, { report: () => undefined });
  const content = await contentOf(log);
  await log.close();
  return content;
}

describe('a log on a disk that fails', () => {
  it('holds what was acknowledged and nothing else, and goes on when the disk does', async () => {
    const step = fc.record({ faults: anyFaults, batches: fc.integer({ min: 1, max: 3 }), isSealed: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const folder = newFolder();
        let faults: Faults = {};
        const openFile = faultyDisk(() => faults);
        const log = await RecordLog.open(folder, { report: () => undefined, segmentBytes: 300, openFile });
        const acknowledged: string[][] = [];
        let id = 0;
        for (const step of [...steps, { faults: {}, batches: 1, isSealed: true }]) {
          faults = step.faults;
          const batches = Array.from({ length: step.batches }, () => [`{"event":"${id++}"}`, `{"event":"${id++}"}`]);
          const results = await Promise.allSettled(batches.map((batch) => log.append(batch)));
          for (const [at, batch] of batches.entries()) {
            const result = results[at];
            if (result?.status === 'rejected') expect(result.reason).toBeInstanceOf(LogWriteError);
            else acknowledged.push(batch);
          }
          expect(log.isEmpty).toBe(acknowledged.length === 0);
          expect(await contentAfterKill(folder)).toEqual(acknowledged);
          if (!step.isSealed) continue;
          const sealed = await log.seal().catch((error) => error);
          if (!(sealed instanceof LogWriteError)) expect(linesIn(sealed)).toEqual(acknowledged);
          else expect(step.faults).not.toEqual({});
        }
        expect(acknowledged.at(-1)).toEqual([`{"event":"${id - 2}"}`, `{"event":"${id - 1}"}`]);
        expect(await contentOf(log)).toEqual(acknowledged);
        await log.close();
      }),
      { numRuns: 100 },
    );
  });

  it('adds nothing before what a failure left behind is gone', async () => {
    const folder = newFolder();
    let faults: Faults = {};
    const log = await RecordLog.open(folder, { report: () => undefined, openFile: faultyDisk(() => faults) });
    await log.append(['{"event":"kept"}']);
    faults = { datasync: true, truncate: true };
    const inTheWay = `${newestIn(folder)}.tmp`;
    mkdirSync(inTheWay);
    await expect(log.append(['{"event":"rejected"}'])).rejects.toThrow('EIO');
    faults = {};
    await expect(log.append(['{"event":"rejected too"}'])).rejects.toThrow('EISDIR');
    await expect(log.seal()).rejects.toThrow('EISDIR');
    rmdirSync(inTheWay);
    await log.append(['{"event":"added"}']);
    expect(await contentAfterKill(folder)).toEqual([['{"event":"kept"}'], ['{"event":"added"}']]);
    await log.close();
  });

  it('says that the disk is full and where', async () => {
    const folder = newFolder();
    const log = await RecordLog.open(folder, { report: () => undefined, openFile: faultyDisk(() => ({ write: 10 })) });
    const error = await log.append(['{"event":"a"}']).catch((error) => error);
    expect(error).toBeInstanceOf(LogWriteError);
    expect(error.isDiskFull).toBe(true);
    expect(error.message).toBe(
      `The log in ${folder} cannot be written because the disk is full. Free some space: ENOSPC: made up`,
    );
    await log.close();
  });

  it('cannot be opened where its folder cannot be', async () => {
    const path = newFolder();
    writeFileSync(path, '');
    const error = await RecordLog.open(path, { report: () => undefined }).catch((error) => error);
    expect(error).toBeInstanceOf(LogWriteError);
    expect(error.isDiskFull).toBe(false);
    expect(error.message).toContain(`The log in ${path} cannot be read or written. Check the disk and the permissions`);
  });
});
