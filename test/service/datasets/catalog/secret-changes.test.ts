import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Access } from '../../../../src/queries/access.ts';
import { Catalog } from '../../../../src/service/datasets/catalog/catalog.ts';
import { CatalogChanges } from '../../../../src/service/datasets/catalog/catalog-changes.ts';
import { checkFolder } from '../../../../src/service/datasets/check-folder.ts';
import { Datasets } from '../../../../src/service/datasets/datasets.ts';
import { paths } from '../../../../src/service/datasets/files/paths.ts';
import type { ServiceEvent } from '../../../../src/service/datasets/service-event.ts';
import { makeVersion } from '../../../../src/service/datasets/versions/make-version.ts';
import { eventually } from '../../../eventually.ts';
import { MemoryStore } from '../../store/memory-store.ts';

const OPEN = { readable: true, writable: true };
const HOUR_MS = 3_600_000;

let folder: string;
let catalog: Catalog;
let changes: CatalogChanges;
let datasets: Datasets;
let store: MemoryStore;
let reported: ServiceEvent[];
let token: string;
/** The secrets of the project, a dataset and another project. */
let secret: string;
let datasetSecret: string;
let other: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-secrets-'));
  catalog = new Catalog(folder);
  changes = new CatalogChanges(catalog, folder, 'shop');
  ({ token, secret } = await catalog.createProject('shop', 'UTC'));
  ({ secret: datasetSecret } = await catalog.createDataset('shop', 'orders'));
  await catalog.createDataset('shop', 'visits');
  ({ secret: other } = await catalog.createProject('cafe', 'UTC'));
  store = new MemoryStore();
  await open();
});

afterEach(async () => {
  vi.useRealTimers();
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
}

async function getAccess(presented: string): Promise<Access> {
  const access = await datasets.accessOf(presented);
  if (access === undefined) throw new Error('the secret gives no access');
  return access;
}

/** Returns whether each secret gives access at the next request. */
function areAccepted(...secrets: string[]): Promise<boolean[]> {
  return Promise.all(secrets.map(async (presented) => (await datasets.accessOf(presented)) !== undefined));
}

async function createLiveVersion(datasetId: string): Promise<string> {
  const access = await getAccess(secret);
  const { version_id: version } = await datasets.createVersion(access, token, datasetId);
  const records = [{ event: 'a', properties: { token, distinct_id: 'u', time: 1_700_000_000 } }];
  const data = Buffer.from(JSON.stringify(records)).toString('base64');
  await datasets.importRecords(access, 'events', { datasetId, versionId: version, data });
  await datasets.setState(access, token, datasetId, version, OPEN);
  await eventually(async () => {
    expect(await datasets.version(access, token, datasetId, version)).toMatchObject({ is_live: true });
  });
  return version;
}

function countVersions(access: Access): Promise<number> {
  return datasets.read(access, {}, async ({ versions }) => versions.length);
}

function readAllFiles(): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

describe('secret rotation', () => {
  it.each([
    ['the project', () => secret, {}],
    ['a dataset', () => datasetSecret, { datasetId: 'orders' }],
  ])('of %s makes the old secret invalid at the next request', async (_, old, owner) => {
    expect(await areAccepted(old())).toEqual([true]);
    const next = await changes.rotate(owner, { graceMs: 0 });
    expect(await areAccepted(old(), next, other)).toEqual([false, true, true]);
  });

  it('keeps the old secret valid during the grace period', async () => {
    const next = await changes.rotate({}, { graceMs: HOUR_MS });
    expect(await areAccepted(secret, next)).toEqual([true, true]);
    expect((await datasets.signersOf(token))?.secrets).toEqual([next, secret]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + HOUR_MS + 1 });
    expect(await areAccepted(secret, next)).toEqual([false, true]);
    expect((await datasets.signersOf(token))?.secrets).toEqual([next]);
  });

  it('rejects a secret after it is revoked', async () => {
    const next = await changes.rotate({}, { graceMs: HOUR_MS });
    await changes.revoke({});
    expect(await areAccepted(secret, next, datasetSecret)).toEqual([false, false, true]);
    const last = await changes.rotate({}, { graceMs: 0 });
    expect(await areAccepted(secret, next, last)).toEqual([false, false, true]);
  });

  it('stores a secret in clear text only if it signs requests', async () => {
    expect(readAllFiles()).toContain(secret);
    await changes.endSignatures();
    expect(readAllFiles()).not.toContain(secret);
    expect(await areAccepted(secret)).toEqual([true]);
    expect((await datasets.signersOf(token))?.secrets).toEqual([]);
    const hashed = await changes.rotate({}, { graceMs: HOUR_MS });
    const signing = await changes.rotate({}, { graceMs: HOUR_MS, signatures: true });
    expect((await datasets.signersOf(token))?.secrets).toEqual([signing]);
    expect(readAllFiles()).not.toContain(hashed);
    await changes.rotate({}, { graceMs: HOUR_MS, signatures: false });
    expect(readAllFiles()).not.toContain(signing);
  });

  it('rejects owners that do not exist', async () => {
    for (const owner of [{ key: 'none' }, { datasetId: 'none' }])
      await expect(changes.rotate(owner, { graceMs: 0 })).rejects.toThrow('there is no');
    await expect(new CatalogChanges(catalog, folder, 'none').rotate({}, { graceMs: 0 })).rejects.toThrow('there is no');
    await expect(changes.revoke({ key: '../../project' })).rejects.toThrow('there is no key');
  });
});

describe('keys', () => {
  const createKey = (name: string, key: object = {}) => catalog.createKey('shop', { name, scopes: ['query'], ...key });

  it('give access to their scopes, and to one dataset only if they have one', async () => {
    const [all, one] = [(await createKey('all')).secret, (await createKey('one', { datasetId: 'orders' })).secret];
    await createLiveVersion('orders');
    await createLiveVersion('visits');
    expect(await getAccess(all)).toMatchObject({ project: { name: 'shop' }, key: 'all', permissions: ['query'] });
    expect([await countVersions(await getAccess(all)), await countVersions(await getAccess(one))]).toEqual([2, 1]);
    await expect(datasets.versions(await getAccess(all), token, 'orders')).rejects.toMatchObject({
      status: 401,
      message: 'This secret opens no operations on datasets: it is for queries.',
    });
    const batch = { datasetId: 'orders', versionId: 'x', data: '' };
    await expect(datasets.importRecords(await getAccess(all), 'events', batch)).rejects.toMatchObject({ status: 401 });
    const { secret: sender } = await createKey('sender', { scopes: ['import'] });
    await expect(countVersions(await getAccess(sender))).rejects.toMatchObject({ status: 401 });
    await expect(datasets.importRecords(await getAccess(sender), 'events', batch)).rejects.toMatchObject({
      status: 404,
    });
  });

  it('are valid until they expire or are revoked', async () => {
    const expiresAt = new Date(Date.now() + HOUR_MS).toISOString();
    const [soon, never] = [(await createKey('soon', { expiresAt })).secret, (await createKey('never')).secret];
    expect(await areAccepted(soon, never)).toEqual([true, true]);
    const rotated = await changes.rotate({ key: 'soon' }, { graceMs: 2 * HOUR_MS });
    expect(await areAccepted(soon, rotated)).toEqual([true, true]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + HOUR_MS + 1 });
    expect(await areAccepted(soon, rotated, never)).toEqual([false, false, true]);
    await changes.revoke({ key: 'never' });
    expect(await areAccepted(never, secret)).toEqual([false, true]);
    await expect(changes.revoke({ key: 'never' })).rejects.toThrow('there is no key never');
  });

  it('are rejected with a reason if invalid, and stored only as hashes', async () => {
    const { secret: kept } = await createKey('one');
    expect(readAllFiles()).not.toContain(kept);
    await expect(createKey('one')).rejects.toThrow('there is a key one in shop already');
    await expect(createKey('../x')).rejects.toThrow('a key is named by');
    await expect(createKey('x', { datasetId: 'none' })).rejects.toThrow('there is no dataset none');
    await expect(createKey('x', { where: 'a' })).rejects.toThrow('the filter is wrong: ');
    await expect(createKey('x', { where: '5' })).rejects.toThrow('the filter is wrong: ');
    await expect(createKey('x', { scopes: ['import'], where: 'true' })).rejects.toThrow('only a key for queries');
  });

  it('with a filter have a different state from keys without one', async () => {
    const filtered = await getAccess((await createKey('some', { where: 'properties["a"] == 1' })).secret);
    expect(filtered.where).toBe('properties["a"] == 1');
    expect(await datasets.stateOf(filtered, {})).not.toBe(await datasets.stateOf(await getAccess(secret), {}));
  });
});

describe('deletion', () => {
  const getDatasetFolder = (project: string, dataset = 'orders') => paths.dataset(folder, project, dataset);

  it('hides a project or dataset at the next request and removes its files', async () => {
    const version = await createLiveVersion('orders');
    await createLiveVersion('visits');
    const access = await getAccess(secret);
    expect(await countVersions(access)).toBe(2);
    await changes.deleteDataset('orders');
    expect(await countVersions(access)).toBe(1);
    await expect(datasets.versions(access, token, 'orders')).rejects.toMatchObject({ status: 404 });
    expect(await areAccepted(datasetSecret, secret)).toEqual([false, true]);
    await expect.poll(() => existsSync(getDatasetFolder('shop'))).toBe(false);
    expect((await store.readFlushed({ id: version, folder: '' })).events.records).toBe(0);
    await changes.deleteProject();
    expect(await areAccepted(secret, other)).toEqual([false, true]);
    expect(await datasets.signersOf(token)).toBeUndefined();
    await expect.poll(() => readdirSync(paths.projects(folder))).toEqual(['cafe']);
    expect(reported.filter(({ kind }) => kind === 'folder not removed')).toEqual([]);
  });

  it('lets running queries finish', async () => {
    await createLiveVersion('orders');
    const access = await getAccess(secret);
    let finish = () => {};
    const gate = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const reading = datasets.read(access, {}, async ({ versions }) => {
      await gate;
      return versions.length;
    });
    await changes.deleteProject();
    expect(await areAccepted(secret)).toEqual([false]);
    expect(existsSync(getDatasetFolder('shop'))).toBe(true);
    finish();
    expect(await reading).toBe(1);
    await expect.poll(() => existsSync(paths.project(folder, 'shop'))).toBe(false);
  });

  it('resumes when the folder is opened', async () => {
    await createLiveVersion('orders');
    await datasets.close();
    await changes.deleteDataset('orders');
    await expect(catalog.dataset('shop', 'orders')).rejects.toThrow('there is no dataset orders');
    await open();
    await expect.poll(() => existsSync(getDatasetFolder('shop'))).toBe(false);
  });

  it('refuses versions created meanwhile, in this process or another', async () => {
    const line = JSON.stringify({ event: 'e', time: 1, distinct_id: 'a', properties: { distinct_id: 'a', time: 1 } });
    const deletions = [
      async () => {
        await areAccepted('x');
        await expect.poll(() => existsSync(getDatasetFolder('shop'))).toBe(false);
      },
      async () => undefined,
    ];
    for (const deletion of deletions) {
      for (const moment of ['filled', 'closed']) {
        const store = new MemoryStore();
        const remove = async () => {
          await changes.deleteDataset('orders');
          await deletion();
        };
        if (moment === 'closed') vi.spyOn(store, 'close').mockImplementationOnce(remove);
        const making = makeVersion(
          folder,
          { project: 'shop', datasetId: 'orders' },
          async () => store,
          () => undefined,
          async (version) => {
            await version.append('events', [line]);
            if (moment === 'filled') await remove();
          },
        );
        await expect(making).rejects.toThrow('there is no dataset orders');
        expect(store.isEmpty).toBe(true);
        expect(readdirSync(paths.incoming(folder))).toEqual([]);
        await areAccepted('x');
        await expect.poll(() => existsSync(getDatasetFolder('shop'))).toBe(false);
        await catalog.createDataset('shop', 'orders');
        expect(await catalog.versions('shop', 'orders')).toEqual([]);
      }
    }
    const access = await getAccess(secret);
    const creating = datasets.createVersion(access, token, 'orders').catch(() => undefined);
    await changes.deleteDataset('orders');
    await areAccepted('x');
    await creating;
    await expect.poll(() => existsSync(getDatasetFolder('shop'))).toBe(false);
  });

  it('frees the name for a new, empty dataset', async () => {
    await createLiveVersion('orders');
    const access = await getAccess(secret);
    const before = await datasets.stateOf(access, {});
    await changes.deleteDataset('orders');
    await areAccepted(secret, 'x');
    await expect.poll(() => existsSync(getDatasetFolder('shop'))).toBe(false);
    await catalog.createDataset('shop', 'orders');
    expect(await datasets.versions(access, token, 'orders')).toEqual([]);
    expect(await datasets.stateOf(access, {})).not.toBe(before);
  });
});

describe('files changed by hand', () => {
  const getProjectFile = () => paths.projectFile(folder, 'shop');

  it('take effect at the next request', async () => {
    expect(await areAccepted(secret)).toEqual([true]);
    const project = JSON.parse(readFileSync(getProjectFile(), 'utf8'));
    writeFileSync(getProjectFile(), JSON.stringify({ ...project, secret: 'x'.repeat(32) }));
    expect(await areAccepted(secret, 'x'.repeat(32))).toEqual([false, true]);
  });

  it('remove a project when its folder is moved away, and restore it when the folder is back', async () => {
    await createLiveVersion('orders');
    const away = join(folder, 'away');
    renameSync(paths.project(folder, 'shop'), away);
    expect(await areAccepted(secret, datasetSecret, other)).toEqual([false, false, true]);
    renameSync(away, paths.project(folder, 'shop'));
    expect(await areAccepted(secret, datasetSecret)).toEqual([true, true]);
    expect(await countVersions(await getAccess(secret))).toBe(1);
  });

  it.each(['', '{', '{}', 'null', '[]', '{"name":"shop","id":1,"token":"x","timeZone":"Mars"}'])(
    'affect only their project if damaged: %s',
    async (content) => {
      const before = readFileSync(getProjectFile(), 'utf8');
      writeFileSync(getProjectFile(), content);
      expect(await areAccepted(secret, datasetSecret, other)).toEqual([false, false, true]);
      await datasets.close();
      await open();
      expect(await areAccepted(secret, other)).toEqual([false, true]);
      expect(reported.filter(({ kind }) => kind === 'file damaged')).toHaveLength(1);
      writeFileSync(getProjectFile(), before);
      expect(await areAccepted(secret, datasetSecret, other)).toEqual([true, true, true]);
    },
  );

  it('affect only their dataset if damaged', async () => {
    await createLiveVersion('visits');
    for (const content of ['', '{}', 'null']) {
      writeFileSync(paths.datasetFile(folder, 'shop', 'orders'), content);
      expect(await areAccepted(datasetSecret, secret)).toEqual([false, true]);
      expect(await countVersions(await getAccess(secret))).toBe(1);
    }
    expect(reported.filter(({ kind }) => kind === 'file damaged')).toHaveLength(1);
  });

  it('disable only the key whose file is damaged', async () => {
    const { secret: key } = await catalog.createKey('shop', { name: 'some', scopes: ['query'] });
    expect(await areAccepted(key)).toEqual([true]);
    const file = paths.keyFile(folder, 'shop', 'some');
    const before = readFileSync(file, 'utf8');
    const hash = JSON.parse(before).secretHash;
    for (const changed of [{ secretHash: 'ab' }, { expiresAt: 'soon' }, { scopes: ['all'] }, { where: 1 }]) {
      writeFileSync(file, JSON.stringify({ name: 'some', scopes: ['query'], secretHash: hash, ...changed }));
      expect(await areAccepted(key, secret, datasetSecret)).toEqual([false, true, true]);
    }
    const found = [];
    for await (const { path } of checkFolder(folder, store)) found.push(path);
    expect(found).toEqual([file]);
    writeFileSync(file, before);
    expect(await areAccepted(key)).toEqual([true]);
  });
});
