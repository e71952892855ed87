import { cpSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OpenForWriting } from '../../../src/service/storage/log-file-writer.ts';
import { LogWriteError } from '../../../src/service/storage/log-write-error.ts';
import { RecordLog } from '../../../src/service/storage/record-log.ts';
import { runs } from '../../runs.ts';
import { findNewest, readContent, readLines, temporaryFolders } from './log-folder.ts';

const newFolder = temporaryFolders();

/** The operations of the disk that fail. */
interface Faults {
  /** The number of bytes that are written before a write fails. */
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

/** Opens files on a disk that writes at most 50 bytes at once and has the current faults. */
function faultyDisk(faults: () => Faults): OpenForWriting {
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
        // The bytes may be on disk even though the sync fails.
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

/** Returns what would be in the log if the process were killed now. */
async function readAfterKill(folder: string): Promise<string[][]> {
  const copy = newFolder();
  cpSync(folder, copy, { recursive: true });
  const log = await RecordLog.open(copy, { report: () => undefined });
  const content = await readContent(log);
  await log.close();
  return content;
}

describe('a log on a failing disk', () => {
  it('holds exactly the acknowledged batches, and continues when the disk works again', async () => {
    const step = fc.record({ faults: anyFaults, batches: fc.integer({ min: 1, max: 3 }), isSealed: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const folder = newFolder();
        let faults: Faults = {};
        const openFile = faultyDisk(() => faults);
        const log = await RecordLog.open(folder, { report: () => undefined, fileBytes: 300, openFile });
        const acknowledged: string[][] = [];
        let id = 0;
        for (const step of [...steps, { faults: {}, batches: 1, isSealed: true }]) {
          faults = step.faults;
          const batches = Array.from({ length: step.batches }, () => [`{"event":"${id++}"}`, `{"event":"${id++}"}`]);
          const results = await Promise.allSettled(batches.map((batch) => log.append(batch)));
          for (const [index, batch] of batches.entries()) {
            const result = results[index];
            if (result?.status === 'rejected') expect(result.reason).toBeInstanceOf(LogWriteError);
            else acknowledged.push(batch);
          }
          expect(log.isEmpty).toBe(acknowledged.length === 0);
          expect(await readAfterKill(folder)).toEqual(acknowledged);
          if (!step.isSealed) continue;
          const sealed = await log.seal().catch((error) => error);
          if (!(sealed instanceof LogWriteError)) expect(readLines(sealed)).toEqual(acknowledged);
          else expect(step.faults).not.toEqual({});
        }
        expect(acknowledged.at(-1)).toEqual([`{"event":"${id - 2}"}`, `{"event":"${id - 1}"}`]);
        expect(await readContent(log)).toEqual(acknowledged);
        await log.close();
      }),
      { numRuns: runs(100) },
    );
  });

  it('adds nothing before the remains of a failed write are removed', async () => {
    const folder = newFolder();
    let faults: Faults = {};
    const log = await RecordLog.open(folder, { report: () => undefined, openFile: faultyDisk(() => faults) });
    await log.append(['{"event":"kept"}']);
    faults = { datasync: true, truncate: true };
    const inTheWay = `${findNewest(folder)}.tmp`;
    mkdirSync(inTheWay);
    await expect(log.append(['{"event":"rejected"}'])).rejects.toThrow('EIO');
    faults = {};
    await expect(log.append(['{"event":"rejected too"}'])).rejects.toThrow('EISDIR');
    await expect(log.seal()).rejects.toThrow('EISDIR');
    rmdirSync(inTheWay);
    await log.append(['{"event":"added"}']);
    expect(await readAfterKill(folder)).toEqual([['{"event":"kept"}'], ['{"event":"added"}']]);
    await log.close();
  });

  it('reports which log cannot be written because the disk is full', async () => {
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

  it('cannot be opened if its folder is a file', async () => {
    const path = newFolder();
    writeFileSync(path, '');
    const error = await RecordLog.open(path, { report: () => undefined }).catch((error) => error);
    expect(error).toBeInstanceOf(LogWriteError);
    expect(error.isDiskFull).toBe(false);
    expect(error.message).toContain(`The log in ${path} cannot be read or written. Check the disk and the permissions`);
  });
});
