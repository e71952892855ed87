import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Access } from '../../../src/queries/access.ts';
import type { DatasetFilter } from '../../../src/queries/services.ts';
import { Catalog } from '../../../src/service/datasets/catalog/catalog.ts';
import { Datasets } from '../../../src/service/datasets/datasets.ts';
import { paths } from '../../../src/service/datasets/files/paths.ts';
import type { ServiceEvent } from '../../../src/service/datasets/service-event.ts';
import { makeVersion } from '../../../src/service/datasets/versions/make-version.ts';
import { NewerVersionError } from '../../../src/service/store/store-error.ts';
import { eventually } from '../../eventually.ts';
import { MemoryStore } from '../store/memory-store.ts';

const OPEN = { readable: true, writable: true };

let folder: string;
let token: string;
let secret: string;
let datasetSecret: string;
let store: MemoryStore;
let reported: ServiceEvent[];
let datasets: Datasets;
let access: Access;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-datasets-'));
  const catalog = new Catalog(folder);
  ({ token, secret } = await catalog.createProject('shop', 'Europe/Berlin'));
  ({ secret: datasetSecret } = await catalog.createDataset('shop', 'orders'));
  await catalog.createDataset('shop', 'visits');
  store = new MemoryStore();
  await open();
});

afterEach(async () => {
  await datasets.close();
  rmSync(folder, { recursive: true });
});

async function open(): Promise<void> {
  reported = [];
  datasets = await Datasets.open(
    folder,
    async () => store,
    (event) => reported.push(event),
  );
  access = await getAccess(secret);
}

async function reopen(): Promise<void> {
  await datasets.close();
  await open();
}

async function getAccess(presented: string): Promise<Access> {
  const found = await datasets.accessOf(presented);
  if (found === undefined) throw new Error('the secret gives no access');
  return found;
}

async function createVersion(): Promise<string> {
  return (await datasets.createVersion(access, token, 'orders')).version_id;
}

function encodeBatch(...ids: readonly string[]): string {
  const records = ids.map((id) => ({ event: 'order', properties: { token, distinct_id: id, time: 1_700_000_000 } }));
  return Buffer.from(JSON.stringify(records)).toString('base64');
}

async function importEvents(versionId: string, ...ids: readonly string[]): Promise<number> {
  const batch = { datasetId: 'orders', versionId, data: encodeBatch(...ids) };
  return (await datasets.importRecords(access, 'events', batch)).length;
}

function getVersion(versionId: string) {
  return datasets.version(access, token, 'orders', versionId);
}

function waitUntilReady(versionId: string): Promise<void> {
  return eventually(async () => {
    expect(await getVersion(versionId)).toMatchObject({ is_live: true, state: { ready: true } });
  });
}

async function readFlushedEvents(versionId: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { properties } of store.events({ id: versionId, folder: '' }))
    ids.push(String(properties.distinct_id));
  return ids;
}

it('gives the store files in the data folder', async () => {
  await datasets.close();
  let files: object = {};
  datasets = await Datasets.open(
    folder,
    async (given) => {
      files = given;
      return store;
    },
    () => undefined,
  );
  expect(files).toEqual({ temporaryFolder: join(folder, 'temporary'), copiesFile: join(folder, 'copies.duckdb') });
});

it('tells how long records wait for a flush, and how large versions are', async () => {
  let endFlush = () => {};
  const version = await createVersion();
  await createVersion();
  await importEvents(version, 'a');
  // Nobody waits for records that queries may not read yet.
  expect(datasets.flushLag).toBe(0);
  store.onFlush = () =>
    new Promise((resolve) => {
      endFlush = resolve;
    });
  await datasets.setState(access, token, 'orders', version, OPEN);
  await eventually(() => expect(datasets.flushLag).toBeGreaterThan(100));
  store.onFlush = () => undefined;
  endFlush();
  await waitUntilReady(version);
  await eventually(() => expect(datasets.flushLag).toBe(0));
  const file = join(paths.versions(folder, 'shop', 'orders'), version, 'store', 'x');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '12345');
  expect(await datasets.measureVersions()).toEqual([
    { project: 'shop', dataset: 'orders', version, bytes: 5 },
    { project: 'shop', dataset: 'orders', version: expect.any(String), bytes: 0 },
  ]);
});

it('can be opened again if its store could not be', async () => {
  await datasets.close();
  const failing = Datasets.open(
    folder,
    async () => {
      throw new Error('malformed');
    },
    () => undefined,
  );
  await expect(failing).rejects.toThrow('malformed');
  await open();
  expect(await datasets.list(access)).toHaveLength(2);
});

describe('access', () => {
  it('covers the project or one dataset', async () => {
    expect(access).toMatchObject({ project: { name: 'shop' } });
    const one = await getAccess(datasetSecret);
    expect(one).toMatchObject({ project: { name: 'shop' }, datasetId: 'orders' });
    expect(await datasets.versions(one, token, 'orders')).toEqual([]);
    await expect(datasets.versions(one, token, 'visits')).rejects.toMatchObject({ status: 401 });
  });

  it('is refused for any other secret', async () => {
    for (const invalid of ['', 'x', secret.slice(1), `${secret} `, token]) {
      expect(await datasets.accessOf(invalid)).toBeUndefined();
    }
  });

  it('requires the token of the project', async () => {
    await expect(datasets.versions(access, secret, 'orders')).rejects.toMatchObject({ status: 400 });
  });

  it('includes projects as soon as they are created while the folder is open', async () => {
    const catalog = new Catalog(folder);
    for (const name of ['one', 'two', 'three']) {
      const lookup = datasets.accessOf('x');
      const created = await catalog.createProject(name, 'UTC');
      expect(await datasets.accessOf(created.secret)).toMatchObject({ project: { name } });
      expect(await lookup).toBeUndefined();
    }
  });

  it('is refused with 404 for datasets and versions that do not exist', async () => {
    await expect(datasets.createVersion(access, token, '../orders')).rejects.toMatchObject({ status: 404 });
    await expect(getVersion('..')).rejects.toMatchObject({ status: 404 });
  });
});

describe('a version', () => {
  it('becomes live when readable and processed', async () => {
    const version = await createVersion();
    expect(await importEvents(version, 'a', 'b')).toBe(2);
    expect(await getVersion(version)).toMatchObject({ is_live: false, state: { ready: false } });
    expect(await readFlushedEvents(version)).toEqual([]);
    await datasets.setState(access, token, 'orders', version, OPEN);
    await waitUntilReady(version);
    expect(await readFlushedEvents(version)).toEqual(['a', 'b']);
  });

  it('accepts imports while live and stays live', async () => {
    const version = await createVersion();
    await datasets.setState(access, token, 'orders', version, OPEN);
    await waitUntilReady(version);
    await importEvents(version, 'late');
    expect(await getVersion(version)).toMatchObject({ is_live: true, state: { ready: false } });
    await waitUntilReady(version);
    expect(await readFlushedEvents(version)).toEqual(['late']);
  });

  it('has `ready_at` whenever it is ready', async () => {
    const version = await createVersion();
    await datasets.setState(access, token, 'orders', version, OPEN);
    await waitUntilReady(version);
    const { ready_at } = (await getVersion(version)).state;
    await importEvents(version, 'a');
    for (;;) {
      const { state } = await getVersion(version);
      if (state.ready) {
        expect(state.ready_at > ready_at).toBe(true);
        return;
      }
      await new Promise(setImmediate);
    }
  });

  it('refuses records while not writable', async () => {
    const version = await createVersion();
    await datasets.setState(access, token, 'orders', version, { readable: false, writable: false });
    await expect(importEvents(version, 'a')).rejects.toMatchObject({ status: 409 });
  });

  it('accepts small batches while large ones are parsed', async () => {
    const version = await createVersion();
    const keys = Object.fromEntries(Array.from({ length: 80_000 }, (_, index) => [`k${index}`, 1]));
    const record = { event: 'order', properties: { token, distinct_id: 'a', time: 1_700_000_000, ...keys } };
    const data = Buffer.from(JSON.stringify([record, record, record, record])).toString('base64');
    const done: string[] = [];
    const large = [1, 2].map(async () => {
      await datasets.importRecords(access, 'events', { datasetId: 'orders', versionId: version, data });
      done.push('large');
    });
    await importEvents(version, 'a');
    done.push('small');
    await Promise.all(large);
    expect(done).toEqual(['small', 'large', 'large']);
  });

  it('refuses batches that are still being parsed when the folder is closed', async () => {
    const version = await createVersion();
    const importing = importEvents(version, 'a');
    const refused = expect(importing).rejects.toMatchObject({ status: 503 });
    await datasets.close();
    await refused;
    await open();
    expect((await getVersion(version)).state.ready).toBe(false);
  });

  it('keeps its state and data when the folder is reopened', async () => {
    const version = await createVersion();
    await importEvents(version, 'a');
    const before = await getVersion(version);
    await reopen();
    expect(await getVersion(version)).toEqual(before);
    await datasets.setState(access, token, 'orders', version, OPEN);
    await waitUntilReady(version);
    expect(await readFlushedEvents(version)).toEqual(['a']);
  });

  it('is removed when the folder is reopened if its creation was interrupted', async () => {
    const versions = paths.versions(folder, 'shop', 'orders');
    const [empty, begun, kept] = ['a1', 'a2', 'a3'].map((id) => join(versions, id)) as [string, string, string];
    for (const path of [empty, begun, kept]) mkdirSync(path, { recursive: true });
    writeFileSync(join(begun, 'version.json.tmp'), '{"vers');
    writeFileSync(join(kept, 'other'), '');
    await reopen();
    expect(readdirSync(versions)).toEqual(['a3']);
  });

  it('is reported as damaged once while unreadable, and served when readable again', async () => {
    const version = await createVersion();
    await importEvents(version, 'a');
    await datasets.close();
    const file = join(paths.versions(folder, 'shop', 'orders'), version, 'version.json');
    const content = readFileSync(file, 'utf8');
    writeFileSync(file, '{');
    await open();
    const damage = expect.stringContaining('its version.json cannot be read');
    expect(await getVersion(version)).toMatchObject({ version_id: version, damage, state: { ready: false } });
    expect(datasets.damagedVersions).toBe(1);
    await expect(importEvents(version, 'b')).rejects.toMatchObject({ status: 503 });
    await expect(datasets.setState(access, token, 'orders', version, OPEN)).rejects.toMatchObject({ status: 503 });
    // It may be live, so no query falls back to an older one.
    const read = datasets.read(access, {}, async () => 1);
    await expect(read).rejects.toMatchObject({
      status: 503,
      message: expect.stringMatching(`^Dataset orders, version ${version} is damaged: its version.json cannot be read`),
    });
    writeFileSync(file, content);
    await eventually(async () => {
      const [found] = await datasets.versions(access, token, 'orders');
      expect(found).not.toHaveProperty('damage');
    });
    expect(reported).toMatchObject([{ kind: 'version damaged', version }]);
    expect(datasets.damagedVersions).toBe(0);
    await datasets.setState(access, token, 'orders', version, OPEN);
    await waitUntilReady(version);
    expect(await readFlushedEvents(version)).toEqual(['a']);
  });

  it('is optimized in parts after it is processed, and a failure is reported', async () => {
    const version = await createVersion();
    await importEvents(version, 'a');
    let parts = 3;
    store.onOptimize = () => parts-- > 0;
    await datasets.setState(access, token, 'orders', version, OPEN);
    await eventually(() => expect(reported).toContainEqual(expect.objectContaining({ kind: 'optimized', version })));
    expect(parts).toBe(-1);
    store.onOptimize = () => {
      throw new Error('no room');
    };
    await importEvents(version, 'b');
    await eventually(() =>
      expect(reported).toContainEqual(expect.objectContaining({ kind: 'optimization failed', version })),
    );
    await waitUntilReady(version);
    expect(await readFlushedEvents(version)).toEqual(['a', 'b']);
  });

  it('is processed again after a failure and after reopening', async () => {
    const version = await createVersion();
    await importEvents(version, 'a');
    store.onFlush = () => {
      throw new Error('no room');
    };
    await datasets.setState(access, token, 'orders', version, OPEN);
    await eventually(() => expect(reported).toMatchObject([{ kind: 'processing failed', version }]));
    expect(await getVersion(version)).toMatchObject({ is_live: false, state: { ready: false, readable: true } });
    store.onFlush = () => undefined;
    await reopen();
    await waitUntilReady(version);
    expect(await readFlushedEvents(version)).toEqual(['a']);
  });

  it('keeps what a newer release stored, even if no flush was recorded', async () => {
    const version = await createVersion();
    await importEvents(version, 'a');
    const drop = vi.spyOn(store, 'drop');
    store.onFlush = () => {
      throw new NewerVersionError(version, 'its file has format 9');
    };
    await datasets.setState(access, token, 'orders', version, OPEN);
    await eventually(() => expect(reported).toContainEqual(expect.objectContaining({ kind: 'version damaged' })));
    expect((await getVersion(version)).damage).toBe('its file has format 9');
    expect(drop).not.toHaveBeenCalled();
  });

  it('disappears at once when deleted, even during processing', async () => {
    const version = await createVersion();
    await importEvents(version, 'a');
    let goOn = () => {};
    store.onFlush = () => new Promise((resolve) => (goOn = resolve));
    await datasets.setState(access, token, 'orders', version, OPEN);
    await eventually(() => expect(goOn.length).toBe(1));
    await datasets.deleteVersion(access, token, 'orders', version);
    await expect(getVersion(version)).rejects.toMatchObject({ status: 404 });
    await expect(importEvents(version, 'b')).rejects.toMatchObject({ status: 404 });
    expect(await datasets.versions(access, token, 'orders')).toEqual([]);
    goOn();
    await eventually(() => expect(reported.at(-1)).toMatchObject({ kind: 'removed', version, reason: 'deleted' }));
    expect(readdirSync(paths.versions(folder, 'shop', 'orders'))).toEqual([]);
  });
});

describe('the data that queries read', () => {
  /** Returns the versions in the snapshot. */
  function readVersions(narrowing: DatasetFilter = {}, by = access): Promise<unknown[]> {
    return datasets.read(by, narrowing, async ({ versions }) => versions.map(({ events }) => events.table));
  }

  async function createLiveVersion(datasetId: string): Promise<string> {
    const { version_id } = await datasets.createVersion(access, token, datasetId);
    await datasets.setState(access, token, datasetId, version_id, OPEN);
    await eventually(async () => {
      expect(await datasets.version(access, token, datasetId, version_id)).toMatchObject({ is_live: true });
    });
    return version_id;
  }

  it('is the newest live version of each dataset', async () => {
    expect(await readVersions()).toEqual([]);
    const orders = await createLiveVersion('orders');
    const visits = await createLiveVersion('visits');
    await createVersion();
    expect(await readVersions()).toEqual([orders, visits]);
    const newer = await createLiveVersion('orders');
    expect(await readVersions()).toEqual([newer, visits]);
    await datasets.setState(access, token, 'orders', newer, { readable: false, writable: true });
    expect(await readVersions()).toEqual([orders, visits]);
    await datasets.deleteVersion(access, token, 'orders', orders);
    expect(await readVersions()).toEqual([visits]);
  });

  it('can be one dataset or one readable version', async () => {
    const older = await createLiveVersion('orders');
    const orders = await createLiveVersion('orders');
    const visits = await createLiveVersion('visits');
    expect(await readVersions({ datasetId: 'visits' })).toEqual([visits]);
    expect(await readVersions({ versionId: older })).toEqual([older]);
    expect(await readVersions({ datasetId: 'orders', versionId: older })).toEqual([older]);
    const { secret: one } = await new Catalog(folder).createKey('shop', {
      name: 'one',
      scopes: ['query'],
      datasetId: 'orders',
    });
    expect(await readVersions({}, await getAccess(one))).toEqual([orders]);
    await expect(readVersions({ datasetId: 'visits' }, await getAccess(one))).rejects.toMatchObject({ status: 401 });
    await expect(readVersions({}, await getAccess(datasetSecret))).rejects.toMatchObject({ status: 401 });
  });

  it('is refused if the dataset or readable version does not exist', async () => {
    const visits = await createLiveVersion('visits');
    const missing = async (narrowing: DatasetFilter) => {
      await expect(datasets.stateOf(access, narrowing)).rejects.toMatchObject({ status: 404 });
      return readVersions(narrowing).catch(({ missing }) => missing);
    };
    expect(await missing({ datasetId: 'nothing' })).toBe('dataset');
    expect(await missing({ datasetId: 'nothing', versionId: visits })).toBe('dataset');
    expect(await missing({ versionId: 'nothing' })).toBe('version');
    expect(await missing({ versionId: await createVersion() })).toBe('version');
    expect(await missing({ datasetId: 'orders', versionId: visits })).toBe('version');
  });

  it('stays readable during a query, even if deleted', async () => {
    const unread = await createLiveVersion('orders');
    await importEvents(unread, 'b');
    await waitUntilReady(unread);
    const version = await createLiveVersion('orders');
    await importEvents(version, 'a');
    await waitUntilReady(version);
    await datasets.read(access, {}, async () => {
      await datasets.deleteVersion(access, token, 'orders', version);
      // By the time that a version deleted later is gone, so would this one be.
      await datasets.deleteVersion(access, token, 'orders', unread);
      expect(await readVersions()).toEqual([]);
      await eventually(async () => expect(await readFlushedEvents(unread)).toEqual([]));
      expect(await readFlushedEvents(version)).toEqual(['a']);
    });
    await eventually(async () => expect(await readFlushedEvents(version)).toEqual([]));
  });

  it('is released before the folder is closed', async () => {
    const ends: string[] = [];
    const version = await createLiveVersion('orders');
    let closing = Promise.resolve();
    const unread = join(folder, 'unread');
    mkdirSync(unread);
    const others = await Datasets.open(
      unread,
      async () => new MemoryStore(),
      () => undefined,
    );
    await datasets.read(access, { versionId: version }, async () => {
      closing = datasets.close().then(() => void ends.push('closed'));
      await expect(readVersions()).rejects.toMatchObject({ status: 503 });
      // By the time that a folder closed later is closed, so would this one be.
      await others.close();
      ends.push('read');
    });
    await closing;
    expect(ends).toEqual(['read', 'closed']);
    await open();
  });

  it('gets a new state after each change, never an earlier one', async () => {
    const seen = new Set<string>();
    const isNew = async (narrowing: DatasetFilter = {}) => {
      const state = await datasets.stateOf(access, narrowing);
      expect(await datasets.stateOf(access, narrowing)).toBe(state);
      return seen.size < seen.add(state).size;
    };
    expect(await isNew()).toBe(true);
    const older = await createLiveVersion('orders');
    expect(await isNew()).toBe(true);
    await importEvents(older, 'a');
    expect(await isNew()).toBe(false);
    await waitUntilReady(older);
    expect(await isNew()).toBe(true);
    const newer = await createLiveVersion('orders');
    expect(await isNew()).toBe(true);
    await datasets.deleteVersion(access, token, 'orders', newer);
    expect(await isNew()).toBe(true);
    expect(await isNew({ versionId: older })).toBe(true);
    expect(await isNew({ datasetId: 'visits' })).toBe(true);
    await createLiveVersion('visits');
    expect([await isNew({ datasetId: 'visits' }), await isNew({ versionId: older })]).toEqual([true, false]);
  });

  it('gets a new state no later than new data can be read', async () => {
    const version = await createLiveVersion('orders');
    let isFlushed = false;
    store.onFlushed = () => {
      isFlushed = true;
      throw new Error('the answer of the database was lost');
    };
    const before = await datasets.stateOf(access, {});
    await importEvents(version, 'a');
    await eventually(() => expect(isFlushed).toBe(true));
    await eventually(() => expect(reported).toContainEqual(expect.objectContaining({ kind: 'processing failed' })));
    expect(await datasets.stateOf(access, {})).not.toBe(before);
    store.onFlushed = () => undefined;
  });
});

describe('sweeps', () => {
  it('keep the newest five versions', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await reopen();
    const created: string[] = [];
    for (let number = 1; number <= 7; number++) {
      created.push(await createVersion());
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await vi.advanceTimersByTimeAsync(60_000);
    vi.useRealTimers();
    await eventually(async () => {
      const remaining = await datasets.versions(access, token, 'orders');
      expect(remaining.map(({ version_id }) => version_id)).toEqual(created.slice(2));
    });
    await eventually(() => expect(readdirSync(paths.versions(folder, 'shop', 'orders'))).toHaveLength(5));
  });

  it('start when the folder is opened, so that short-lived processes sweep too', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await reopen();
    for (let number = 1; number <= 7; number++) await createVersion();
    const versions = paths.versions(folder, 'shop', 'orders');
    expect(readdirSync(versions)).toHaveLength(7);
    await reopen();
    await datasets.close();
    vi.useRealTimers();
    expect(readdirSync(versions)).toHaveLength(5);
    await open();
  });

  it('keep the live version, however many are newer', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await reopen();
    const live = await createVersion();
    await datasets.setState(access, token, 'orders', live, OPEN);
    vi.useRealTimers();
    await waitUntilReady(live);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await reopen();
    const created = [live];
    for (let number = 1; number <= 7; number++) created.push(await createVersion());
    await vi.advanceTimersByTimeAsync(60_000);
    vi.useRealTimers();
    await eventually(async () => {
      const remaining = await datasets.versions(access, token, 'orders');
      expect(remaining.map(({ version_id }) => version_id)).toEqual([live, ...created.slice(4)]);
    });
  });
});

describe('a new version', () => {
  it('is the newest, even if the clock went back', async () => {
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.UTC(2030, 0));
    const created = [await createVersion()];
    now.mockReturnValue(Date.UTC(2020, 0));
    created.push(await createVersion(), await createVersion());
    const line = JSON.stringify({ event: 'a', time: 1, distinct_id: 'a', properties: { distinct_id: 'a', time: 1 } });
    const destination = { project: 'shop', datasetId: 'orders' };
    const open = async () => store;
    created.push(
      await makeVersion(
        folder,
        destination,
        open,
        () => undefined,
        (version) => version.append('events', [line]),
      ),
    );
    await datasets.versions(access, token, 'orders');
    created.push(await createVersion());
    now.mockRestore();
    const found = await datasets.versions(access, token, 'orders');
    expect(found.map(({ version_id }) => version_id)).toEqual(created);
    expect(new Set(found.map(({ created_at }) => created_at)).size).toBe(created.length);
  });
});

describe('a damaged file', () => {
  const orders = () => paths.datasetFile(folder, 'shop', 'orders');

  it.each(['', '{}', 'null', '{"datasetId":"visits"}', '{"datasetId":"orders","secretHash":"ab"}', '[', undefined])(
    'of a dataset, containing %j, affects only that dataset',
    async (content) => {
      await createVersion();
      await new Catalog(folder).createProject('other', 'UTC');
      await datasets.close();
      const whole = readFileSync(orders(), 'utf8');
      if (content === undefined) rmSync(orders());
      else writeFileSync(orders(), content);
      await open();
      const query = (narrowing: DatasetFilter) => datasets.read(access, narrowing, async () => 'answered');
      const refused = {
        status: 503,
        message: expect.stringMatching(/^Dataset orders is damaged: its dataset\.json cannot/),
      };
      await expect(query({})).rejects.toMatchObject(refused);
      await expect(query({ datasetId: 'orders' })).rejects.toMatchObject(refused);
      await expect(datasets.stateOf(access, {})).rejects.toMatchObject(refused);
      expect(await query({ datasetId: 'visits' })).toBe('answered');
      expect(await datasets.accessOf('wrong')).toBeUndefined();
      expect(reported).toMatchObject([{ kind: 'file damaged', path: orders() }]);
      writeFileSync(orders(), whole);
      await eventually(async () => expect(await query({ datasetId: 'orders' })).toBe('answered'));
      expect(await query({})).toBe('answered');
    },
  );

  it.each(['', '{}', 'null', undefined])('of a project, containing %j, affects only that project', async (content) => {
    const other = await new Catalog(folder).createProject('other', 'UTC');
    await datasets.close();
    const file = paths.projectFile(folder, 'shop');
    const whole = readFileSync(file, 'utf8');
    if (content === undefined) rmSync(file);
    else writeFileSync(file, content);
    reported = [];
    datasets = await Datasets.open(
      folder,
      async () => store,
      (event) => reported.push(event),
    );
    expect(await getAccess(other.secret)).toMatchObject({ project: { name: 'other' } });
    expect(await datasets.accessOf(secret)).toBeUndefined();
    expect(reported).toMatchObject([{ kind: 'file damaged', path: file }]);
    writeFileSync(file, whole);
    await eventually(async () => expect(await getAccess(secret)).toMatchObject({ project: { name: 'shop' } }));
  });

  it('of an open dataset is only reported', async () => {
    const version = await createVersion();
    writeFileSync(orders(), '{');
    expect(await datasets.accessOf('wrong')).toBeUndefined();
    expect(await getVersion(version)).toMatchObject({ version_id: version });
    expect(await datasets.read(access, {}, async () => 'answered')).toBe('answered');
    expect(reported).toMatchObject([{ kind: 'file damaged', path: orders() }]);
  });
});

describe('makeVersion', () => {
  const destination = { project: 'shop', datasetId: 'orders' };
  const line = JSON.stringify({ event: 'order', time: 1, distinct_id: 'a', properties: { distinct_id: 'a', time: 1 } });

  it('publishes a version once complete', async () => {
    const created = await makeVersion(
      folder,
      destination,
      async () => store,
      () => undefined,
      async (version) => {
        await version.append('events', [line]);
        expect(await datasets.versions(access, token, 'orders')).toEqual([]);
      },
    );
    await eventually(async () => expect(await getVersion(created)).toMatchObject({ is_live: true }));
    expect(await readFlushedEvents(created)).toEqual(['a']);
  });

  it('keeps a version whose process was killed after moving it', async () => {
    const created = await makeVersion(
      folder,
      destination,
      async () => store,
      () => undefined,
      async (version) => version.append('events', [line]),
    );
    mkdirSync(join(paths.incoming(folder), created, 'version'), { recursive: true });
    await reopen();
    expect(readdirSync(paths.incoming(folder))).toEqual([]);
    expect(await getVersion(created)).toMatchObject({ is_live: true });
    expect(await readFlushedEvents(created)).toEqual(['a']);
  });

  it('leaves nothing behind on failure', async () => {
    const failing = makeVersion(
      folder,
      destination,
      async () => store,
      () => undefined,
      async (version) => {
        await version.append('events', [line]);
        throw new Error('a broken file');
      },
    );
    await expect(failing).rejects.toThrow('a broken file');
    expect(readdirSync(paths.incoming(folder))).toEqual([]);
  });
});
