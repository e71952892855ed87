import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { RecordLog } from '../../../src/service/storage/record-log.ts';
import type { LogDamage } from '../../../src/service/storage/repair-log-file.ts';
import { startChild } from '../../spawned.ts';
import { readLines, temporaryFolders } from './log-folder.ts';

const newFolder = temporaryFolders();

const PROCESS = fileURLToPath(new URL('append-process.ts', import.meta.url));

/** Runs a process that appends batches, kills it at work, and returns the batches that were acknowledged. */
async function addUntilKilled(folder: string, round: number, batches: number): Promise<string[]> {
  const child = startChild(process.execPath, ['--import', 'tsx', PROCESS, folder, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    printed += chunk;
    if (printed.split('\n').length > batches) child.kill('SIGKILL');
  });
  const [code, signal] = await once(child, 'close');
  expect({ code, signal }).toEqual({ code: null, signal: 'SIGKILL' });
  return printed.split('\n').slice(0, -1);
}

it('a log holds every batch acknowledged before a kill, whole and once', async () => {
  const folder = newFolder();
  const reports: LogDamage[] = [];
  const removed: string[] = [];
  const acknowledged: string[] = [];
  for (let round = 0; round < 5; round++) {
    acknowledged.push(...(await addUntilKilled(folder, round, 20 * (round + 1))));
    const log = await RecordLog.open(folder, { report: (damage) => reports.push(damage) });
    const sealed = await log.seal();
    const found = readLines(sealed).map((lines) => {
      const events = lines.map((line) => JSON.parse(line));
      const [{ event } = expect.unreachable()] = events;
      expect(events.map(({ event, index }) => [event, index])).toEqual(events.map((_, index) => [event, index]));
      expect(events).toHaveLength(20);
      return event;
    });
    // Every second time they stay, as if the process were killed again before they are flushed.
    const all = [...removed, ...found];
    expect(new Set(all).size).toBe(all.length);
    expect(acknowledged.filter((batch) => !all.includes(batch))).toEqual([]);
    if (round % 2 === 0) {
      await log.remove(sealed);
      removed.push(...found);
    }
    await log.close();
  }
  expect(reports.filter(({ movedTo }) => movedTo !== undefined)).toEqual([]);
});
