import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Catalog } from '../../../../src/service/datasets/catalog/catalog.ts';
import { paths } from '../../../../src/service/datasets/files/paths.ts';

let folder: string;
let catalog: Catalog;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-catalog-'));
  catalog = new Catalog(folder);
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('projects', () => {
  it('are found by name', async () => {
    const shop = await catalog.createProject('shop', 'Europe/Berlin');
    const app = await catalog.createProject('app-2', 'UTC');
    expect(await catalog.projects()).toEqual([app, shop]);
    expect(await catalog.project('shop')).toEqual(shop);
    expect(new Set([shop.token, shop.secret, app.token, app.secret]).size).toBe(4);
  });

  it('are readable by their owner only', async () => {
    await catalog.createProject('shop', 'UTC');
    expect(statSync(paths.projectFile(folder, 'shop')).mode & 0o077).toBe(0);
  });

  it('are refused with a reason if invalid', async () => {
    for (const name of ['', '.', '..', '../x', 'a/b', 'a b', '-a', 'x'.repeat(65), 'ü']) {
      await expect(catalog.createProject(name, 'UTC')).rejects.toThrow('a project is named by');
      await expect(catalog.project(name)).rejects.toThrow('a project is named by');
    }
    await expect(catalog.createProject('shop', 'Berlin')).rejects.toThrow('there is no time zone "Berlin"');
    await catalog.createProject('shop', 'UTC');
    await expect(catalog.createProject('shop', 'UTC')).rejects.toThrow('there is a project shop already');
    await expect(catalog.project('shops')).rejects.toThrow('there is no project shops: there is shop');
  });

  it('are created once, however many processes try', async () => {
    const attempts = Array.from({ length: 8 }, () => catalog.createProject('shop', 'UTC').catch(() => undefined));
    const [created, ...others] = (await Promise.all(attempts)).filter((project) => project !== undefined);
    expect(others).toEqual([]);
    expect(await catalog.project('shop')).toEqual(created);
  });
});

describe('datasets', () => {
  it('are found by ID, and their files do not contain the secret', async () => {
    await catalog.createProject('shop', 'UTC');
    const { secret } = await catalog.createDataset('shop', 'orders');
    expect(await catalog.datasets('shop')).toMatchObject([{ datasetId: 'orders' }]);
    expect(readFileSync(paths.datasetFile(folder, 'shop', 'orders'), 'utf8')).not.toContain(secret);
  });

  it('are refused with a reason if invalid', async () => {
    await catalog.createProject('shop', 'UTC');
    for (const id of ['', 'a-b', '..', 'a/b', 'x'.repeat(256)]) {
      await expect(catalog.createDataset('shop', id)).rejects.toThrow('a dataset_id is 1 to 255 letters and digits');
    }
    await catalog.createDataset('shop', 'x'.repeat(255));
    await expect(catalog.createDataset('shop', 'x'.repeat(255))).rejects.toThrow('already');
    await expect(catalog.createDataset('app', 'orders')).rejects.toThrow('there is no project app: there is shop');
    await expect(catalog.dataset('shop', 'orders')).rejects.toThrow('there is no dataset orders in shop');
  });
});
