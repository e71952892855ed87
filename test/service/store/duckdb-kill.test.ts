import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LogFile } from '../../../src/service/storage/log-files.ts';
import { DuckDbStore } from '../../../src/service/store/duckdb/duck-db-store.ts';
import { RECORD_KINDS, type RecordKind, type StoredVersion } from '../../../src/service/store/store.ts';
import { startChild } from '../../spawned.ts';
import { countOf } from './count-of.ts';
import { eventLine, writeLogFile } from './log-files.ts';
import { readExactColumns } from './promoted-columns.ts';

const PROCESS = fileURLToPath(new URL('flush-process.ts', import.meta.url));
const KILLS = Number(process.env.ONWHERE_KILLS ?? 8);
const FILES = 6;
const RECORDS = 4_000;

interface Work {
  readonly kind: RecordKind;
  readonly file: LogFile;
}

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onwhere-kill-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/**
 * Writes files of events, whose properties change with each file, and of updates that count how often they are
 * applied.
 */
async function writeLogFiles(version: StoredVersion): Promise<Work[]> {
  const works: Work[] = [];
  for (let name = 1; name <= FILES; name++) {
    const events = Array.from({ length: RECORDS }, (_, index) =>
      eventLine('a', {
        distinct_id: `u${index}`,
        time: index + 1,
        $insert_id: `${name} ${index}`,
        mixed: name % 2 === 0 ? 'x'.repeat(200) : index,
        list: [name, index],
        [`later${name}`]: index % 2 === 0 ? index : 'x',
      }),
    );
    const updates = Array.from({ length: RECORDS }, (_, index) => ({
      $distinct_id: `u${index}`,
      $add: { applied: 1 },
      $set: { [`p${name}`]: 'x'.repeat(200) },
    }));
    const log = (kind: RecordKind) => join(version.folder, kind);
    const text = String(name).padStart(8, '0');
    works.push({ kind: 'events', file: await writeLogFile(log('events'), text, [events]) });
    works.push({ kind: 'people', file: await writeLogFile(log('people'), text, [updates]) });
  }
  return works;
}

/**
 * Flushes files in another process, kills it some time after it has opened the store, and returns the number of
 * files flushed by then.
 */
async function flushUntilKilled(version: StoredVersion, files: readonly Work[], milliseconds: number) {
  const work = JSON.stringify({ version, files, temporaryFolder: join(folder, 'temporary') });
  const child = startChild(process.execPath, ['--import', 'tsx', PROCESS, work], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text;
  });
  await once(child.stdout, 'data');
  await Promise.race([wait(milliseconds), closed]);
  child.kill('SIGKILL');
  await closed;
  return printed.split('flushed\n').length - 1;
}

it('a store has all of a file or nothing, however often it is killed', async () => {
  let [version, works] = [{ id: 'k0', folder: join(folder, 'k0') }, [] as Work[]];
  works = await writeLogFiles(version);
  let partial = 0;
  for (let kill = 1; kill <= KILLS || partial === 0; kill++) {
    // Early kills hit the creation of the file, late ones the flushes.
    const flushed = await flushUntilKilled(version, works, kill % 3 === 0 ? 60 : Math.random() * 1_500);
    const store = await DuckDbStore.open({ temporaryFolder: join(folder, 'temporary') });
    const events = await countOf(store, version, 'events');
    expect(events % RECORDS).toBe(0);
    for (const kind of RECORD_KINDS) await readExactColumns(store, version, kind);
    await store.verify(version);
    expect(events / RECORDS).toBeGreaterThanOrEqual(Math.ceil(flushed / 2));
    const applied = new Set<unknown>();
    for await (const { properties } of store.people(version)) applied.add(properties.applied);
    expect(applied.size).toBeLessThanOrEqual(1);
    const [times = 0] = applied;
    expect(times).toBeGreaterThanOrEqual(Math.floor(flushed / 2));
    if (events < FILES * RECORDS) partial++;
    else {
      await expectComplete(store, version);
      version = { id: `k${kill}`, folder: join(folder, `k${kill}`) };
      works = await writeLogFiles(version);
    }
    await store.close();
  }
  const store = await DuckDbStore.open({ temporaryFolder: join(folder, 'temporary') });
  for (const { kind, file } of works) await store.flush(version, kind, [file]);
  await expectComplete(store, version);
  for await (const { properties } of store.people(version)) expect(properties.applied).toBe(FILES);
  await store.close();
});

async function expectComplete(store: DuckDbStore, version: StoredVersion): Promise<void> {
  const ids = new Set<unknown>();
  for await (const { properties } of store.events(version)) ids.add(properties.$insert_id);
  expect(ids.size).toBe(FILES * RECORDS);
  expect(await countOf(store, version, 'events')).toBe(FILES * RECORDS);
  while (await store.optimize(version));
  expect(await readExactColumns(store, version, 'events')).toContain('later2');
}
