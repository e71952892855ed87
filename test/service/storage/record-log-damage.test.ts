import { appendFileSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecordLog } from '../../../src/service/storage/record-log.ts';
import type { LogDamage } from '../../../src/service/storage/repair-log-file.ts';
import { runs } from '../../runs.ts';
import { anyDamage, applyDamage } from './damage.ts';
import { readBatches, readContent, temporaryFolders } from './log-folder.ts';

const newFolder = temporaryFolders();

const report = (damage: LogDamage) => expect.unreachable(`nothing is damaged, but ${JSON.stringify(damage)}`);

describe('a file that is not the newest', () => {
  it('loses only its damaged batches when it is sealed, even at its end', async () => {
    await fc.assert(
      fc.asyncProperty(anyDamage, async (damage) => {
        const folder = newFolder();
        const log = await RecordLog.open(folder, { report });
        for (const event of ['a', 'b', 'c']) await log.append([JSON.stringify({ event })]);
        const [{ path } = expect.unreachable()] = await log.seal();
        await log.append(['{"event":"later"}']);
        await log.close();

        const whole = readFileSync(path);
        const bytes = applyDamage(whole, damage);
        const kept = readBatches(path).filter(({ start, end }) => bytes.includes(whole.subarray(start, end)));
        writeFileSync(path, bytes);
        const reports: LogDamage[] = [];
        const again = await RecordLog.open(folder, { report: (damage) => reports.push(damage) });
        expect(await readContent(again)).toEqual([...kept.map(({ lines }) => lines), ['{"event":"later"}']]);
        const moved = reports.map(({ movedTo = '' }) => statSync(movedTo).size);
        const left = kept.map(({ start, end }) => end - start);
        expect([...moved, ...left].reduce((sum, size) => sum + size, 0)).toBe(bytes.length);
        await again.close();
      }),
      { numRuns: runs(100) },
    );
  });
});

describe('the losses of a log', () => {
  /** Writes a log of three closed files and the newest one. */
  async function fillLog(folder: string): Promise<void> {
    const log = await RecordLog.open(folder, { report, fileBytes: 150 });
    for (let id = 0; id < 8; id++) await log.append([`{"event":"one of ${id}"}`, `{"event":"two of ${id}"}`]);
    await log.close();
  }

  /** Opens a log, seals it and returns its losses. Checks that it still has losses when it is opened again. */
  async function findLost(folder: string, options: { flushed?: string; isBegun?: boolean } = {}): Promise<string[]> {
    const open = () => RecordLog.open(folder, { report: () => undefined, ...options });
    const log = await open();
    await log.seal();
    const { lost } = log;
    await log.close();
    const again = await open();
    expect(again.lost.length > 0).toBe(lost.length > 0);
    await again.close();
    return [...lost];
  }

  const files = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.ndjson'));

  it('include any damaged batch of any file', async () => {
    await fc.assert(
      fc.asyncProperty(anyDamage, fc.nat({ max: 3 }), async (damage, index) => {
        const folder = newFolder();
        await fillLog(folder);
        const path = join(folder, files(folder)[index] ?? expect.unreachable());
        const whole = readFileSync(path);
        const bytes = applyDamage(whole, damage);
        const isLost = readBatches(path).some(({ start, end }) => !bytes.includes(whole.subarray(start, end)));
        writeFileSync(path, bytes);
        const lost = await findLost(folder);
        if (isLost) expect(lost).not.toEqual([]);
        if (bytes.equals(whole)) expect(lost).toEqual([]);
      }),
      { numRuns: runs(50) },
    );
  });

  it('are empty if only unacknowledged bytes or the manifest are damaged', async () => {
    for (const manifest of ['', '{}', '{"00000009":{"bytes":1,"records":1}}', undefined]) {
      const folder = newFolder();
      await fillLog(folder);
      if (manifest === undefined) rmSync(join(folder, 'manifest.json'));
      else writeFileSync(join(folder, 'manifest.json'), manifest);
      appendFileSync(join(folder, files(folder).at(-1) as string), '{"event":"torn');
      expect(await findLost(folder, { isBegun: true })).toEqual([]);
    }
  });

  it('are counted in records', async () => {
    const folder = newFolder();
    await fillLog(folder);
    const [first = '', second = '', third = '', fourth = ''] = files(folder);
    rmSync(join(folder, first));
    truncateSync(join(folder, second));
    truncateSync(join(folder, third), 100);
    rmSync(join(folder, fourth));
    expect(await findLost(folder)).toEqual([
      '00000001.ndjson with 4 records is missing',
      '00000004.ndjson with 4 records is missing',
      '00000002.ndjson has 0 of 4 records',
      '00000003.ndjson has 2 of 4 records',
    ]);
  });

  it('do not include flushed files', async () => {
    const folder = newFolder();
    await fillLog(folder);
    for (const name of files(folder).slice(0, 2)) rmSync(join(folder, name));
    expect(await findLost(folder, { flushed: '00000001' })).toHaveLength(1);
    expect(await findLost(folder, { flushed: '00000002' })).toEqual([]);
  });

  it('include a missing newest file, whose name is not reused', async () => {
    for (const flushed of ['', '00000007']) {
      const options = { flushed, isBegun: true };
      expect(await findLost(newFolder(), options)).toEqual(['its newest file is missing']);
      const log = await RecordLog.open(newFolder(), { report, ...options });
      await log.append(['{"event":"a"}']);
      const [{ name } = expect.unreachable()] = await log.seal();
      expect(name > flushed).toBe(true);
      await log.close();
    }
    const folder = newFolder();
    const log = await RecordLog.open(folder, { report });
    await log.begin();
    await log.close();
    expect(await findLost(folder, { isBegun: true })).toEqual([]);
  });
});
