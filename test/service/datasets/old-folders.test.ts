import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFullAccess } from '../../../src/queries/access.ts';
import { Catalog } from '../../../src/service/datasets/catalog/catalog.ts';
import { checkFolder, type FolderDamage } from '../../../src/service/datasets/check-folder.ts';
import { Datasets } from '../../../src/service/datasets/datasets.ts';
import { paths } from '../../../src/service/datasets/files/paths.ts';
import { stringifyChecked } from '../../../src/service/storage/checked-json.ts';
import { FolderFormatError } from '../../../src/service/storage/folder-format.ts';
import { DuckDbDatabase } from '../../../src/service/store/duckdb/database.ts';
import { DuckDbStore } from '../../../src/service/store/duckdb/duck-db-store.ts';
import { receiveError, sendError } from '../../../src/service/store/worker/messages.ts';
import { runCli } from '../../cli/run-cli.ts';

/** The commits that made the folders: old-folders/README.md. */
const COMMITS = ['18e64a6', 'bace9f4', '6a9ee51'];

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-old-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function unpack(commit: string): void {
  const archive = fileURLToPath(new URL(`old-folders/${commit}.tar.gz`, import.meta.url));
  execFileSync('tar', ['-xzf', archive, '-C', folder]);
}

/** Opens the folder, counts the events that queries of the project read, and closes it. */
async function countEvents(): Promise<number> {
  const datasets = await Datasets.open(
    folder,
    (files) => DuckDbStore.open(files),
    () => undefined,
  );
  try {
    const access = createFullAccess(await new Catalog(folder).project('shop'), 'key');
    return await datasets.read(access, {}, async ({ versions, rows }) => {
      const [version] = versions;
      if (version === undefined) return 0;
      const [schema, table] = version.events.table as readonly [string, string];
      const [row] = await rows(`SELECT CAST(count(*) AS INTEGER) AS n FROM "${schema}"."${table}"`, []);
      return Number((row as { readonly n: number }).n);
    });
  } finally {
    await datasets.close();
  }
}

/** Checks the folder as `fsck` does, but with the store in this process, whose errors arrive as from another. */
async function findDamage(): Promise<FolderDamage[]> {
  const store = await DuckDbStore.open({ temporaryFolder: join(folder, 'temporary') });
  const verify = store.verify.bind(store);
  store.verify = (version) => verify(version).catch((error) => Promise.reject(receiveError(sendError(error))));
  const found: FolderDamage[] = [];
  try {
    for await (const damage of checkFolder(folder, store)) found.push(damage);
    return found;
  } finally {
    await store.close();
  }
}

const readFormat = () => readFileSync(join(folder, 'format.json'), 'utf8');

async function findVersion(): Promise<string> {
  const [id = ''] = await new Catalog(folder).versions('shop', 'orders');
  return join(paths.versions(folder, 'shop', 'orders'), id);
}

async function changeStore(statement: string): Promise<void> {
  const file = join(await findVersion(), 'store', 'store.duckdb');
  const database = await DuckDbDatabase.open({ temporaryFolder: join(folder, 'temporary') });
  await database.withConnection(async (connection) => {
    await connection.run(`ATTACH '${file}' AS changed`);
    await connection.run(statement);
    await connection.run('DETACH changed');
  });
  database.close();
}

describe.each(COMMITS)('a data folder of %s', (commit) => {
  it('is read and gets format numbers', async () => {
    unpack(commit);
    expect(await countEvents()).toBe(3);
    expect(readFormat()).toBe('{"format":1}\n');
    // Fails without the table.
    await changeStore('UPDATE changed.format SET number = 1');
    expect(await countEvents()).toBe(3);
  });

  it('is refused if its format is newer', async () => {
    unpack(commit);
    writeFileSync(join(folder, 'format.json'), '{"format":2}\n');
    await expect(countEvents()).rejects.toThrow(FolderFormatError);
    await expect(countEvents()).rejects.toThrow('has format 2, and this release of onwhere reads up to format 1');
    expect(readFormat()).toBe('{"format":2}\n');
  });

  it('is refused where a file of the store is newer', async () => {
    unpack(commit);
    await countEvents();
    await changeStore('UPDATE changed.format SET number = 3');
    await expect(countEvents()).rejects.toThrow('its file has format 3');
    await expect(findDamage()).rejects.toThrow(FolderFormatError);
    await expect(findDamage()).rejects.toThrow('its file has format 3');
  });

  it('is refused where a log is newer, and the log stays unchanged', async () => {
    unpack(commit);
    const log = join(await findVersion(), 'events');
    mkdirSync(log, { recursive: true });
    const files = { 'manifest.json': stringifyChecked({ format: 2 }), '00000009.ndjson': 'another format' };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(log, name), text);
    await expect(countEvents()).rejects.toThrow('its log cannot be read');
    await expect(findDamage()).rejects.toThrow(FolderFormatError);
    await expect(findDamage()).rejects.toThrow('manifest.json has format 2');
    for (const [name, text] of Object.entries(files)) expect(readFileSync(join(log, name), 'utf8')).toBe(text);
  });
});

it.each([
  ['project', 'create', 'other'],
  ['project', 'list'],
  ['dataset', 'create', 'other', '--project', 'shop'],
  ['dataset', 'list', '--project', 'shop'],
  ['secret', 'create', 'other', '--project', 'shop', '--scope', 'query'],
  ['secret', 'list', '--project', 'shop'],
  ['secret', 'rotate', '--project', 'shop'],
  ['funnel', 'list', '--project', 'shop'],
])('onwhere %s %s leaves a folder of a newer format unchanged', async (...command) => {
  unpack(COMMITS[0] as string);
  writeFileSync(join(folder, 'format.json'), '{"format":2}\n');
  const listFiles = () => readdirSync(folder, { recursive: true }).sort();
  const before = listFiles();
  const { code, out, err } = await runCli([...command, '--data', folder]);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain('has format 2, and this release of onwhere reads up to format 1');
  expect(listFiles()).toEqual(before);
});
