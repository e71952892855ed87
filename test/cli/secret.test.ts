import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Catalog } from '../../src/service/datasets/catalog/catalog.ts';
import { hashSecret } from '../../src/service/datasets/catalog/secrets.ts';
import { paths } from '../../src/service/datasets/files/paths.ts';
import { runCli } from './run-cli.ts';

let folder: string;
let secret: string;
let datasetSecret: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-secret-'));
  const catalog = new Catalog(folder);
  ({ secret } = await catalog.createProject('shop', 'UTC'));
  ({ secret: datasetSecret } = await catalog.createDataset('shop', 'orders'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function runOnShop(...args: string[]): Promise<Record<string, string>> {
  const { code, out, err } = await runCli([...args, '--project', 'shop', '--data', folder, '--json']);
  expect([code, err]).toEqual([0, '']);
  return out === '' ? {} : JSON.parse(out);
}

const shortHash = (secret: string | undefined) => hashSecret(secret ?? '').slice(0, 8);

describe('onwhere secret', () => {
  it('creates keys and lists all secrets by their hashes', async () => {
    const where = 'properties["country"] == "NL"';
    const web = await runOnShop('secret', 'create', 'web', '--scope', 'query', '--where', where, '--expires', '90d');
    const etl = await runOnShop('secret', 'create', 'etl', '--scope', 'import', 'datasets', '--dataset', 'orders');
    const list = await runCli(['secret', 'list', '--project', 'shop', '--data', folder]);
    for (const one of [secret, datasetSecret, web.secret, etl.secret]) expect(list.out).not.toContain(one);
    expect(await runOnShop('secret', 'list')).toEqual([
      { secret: 'project', hash: shortHash(secret), scope: 'all, signatures' },
      { secret: 'dataset', hash: shortHash(datasetSecret), scope: 'import, datasets', dataset: 'orders' },
      { secret: 'key etl', hash: shortHash(etl.secret), scope: 'import, datasets', dataset: 'orders' },
      { secret: 'key web', hash: shortHash(web.secret), scope: 'query', where, expires: expect.stringMatching(/Z$/) },
    ]);
  });

  it('creates service accounts, which keep their name when their password changes', async () => {
    const created = await runOnShop('secret', 'create', 'exporter', '--service-account', '--scope', 'query');
    expect(created).toEqual({
      key: 'exporter',
      user_name: 'exporter',
      password: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    const rotated = await runOnShop('secret', 'rotate', 'exporter');
    expect(rotated).toEqual({ ...created, password: expect.not.stringContaining(created.password ?? '') });
    expect(await runOnShop('secret', 'list')).toContainEqual({
      secret: 'service account exporter',
      hash: shortHash(`exporter:${rotated.password}`),
      scope: 'query',
    });
    const { out } = await runCli(['secret', 'rotate', 'exporter', '--project', 'shop', '--data', folder]);
    expect(out).toMatch(/^user name {2}exporter\npassword {3}[0-9a-f]{32}\nSave it now/);
  });

  it('shows what a key sees', async () => {
    const where = 'properties["country"] == "NL"';
    await runOnShop('secret', 'create', 'web', '--scope', 'query', '--where', where);
    await runOnShop('secret', 'create', 'etl', '--scope', 'import', '--dataset', 'orders');
    await runOnShop('secret', 'create', 'admin', '--scope', 'query', 'annotations');
    const { out } = await runCli(['secret', 'show', 'web', '--project', 'shop', '--data', folder]);
    expect(out).toBe(
      [
        'key                 web',
        'scope               query',
        'expires             never',
        `sees events         all that match ${where}`,
        `sees people         all that match ${where}`,
        'sees datasets       all',
        'sees annotations    none',
        'sees saved funnels  none',
        'sees segments       none',
        '',
      ].join('\n'),
    );
    const etl = await runOnShop('secret', 'show', 'etl');
    expect(etl).toMatchObject({ key: 'etl', sees: { events: 'none', datasets: 'orders', annotations: 'none' } });
    expect(await runOnShop('secret', 'show', 'admin')).toMatchObject({ sees: { events: 'all', annotations: 'all' } });
  });

  it('rotates and revokes secrets', async () => {
    const next = await runOnShop('secret', 'rotate', '--grace', '1h', '--no-signatures');
    await runOnShop('secret', 'revoke', '--dataset', 'orders');
    expect(await runOnShop('secret', 'list')).toEqual([
      {
        secret: 'project',
        hash: shortHash(next.secret),
        scope: 'all',
        previous: expect.stringMatching(new RegExp(`^${shortHash(secret)} until 2`)),
      },
      { secret: 'dataset', hash: 'revoked', scope: 'import, datasets', dataset: 'orders' },
    ]);
  });

  it.each([
    [['create', 'x'], '--scope'],
    [['create', 'x', '--scope', 'all'], 'query'],
    [['create', 'x', '--scope', 'query', '--expires', 'soon'], '30m'],
    [['rotate', 'x', '--dataset', 'orders'], 'either a key or --dataset'],
    [['revoke', 'x'], 'there is no key x in shop: it has no keys'],
  ])('refuses %j', async (args, message) => {
    const { code, err } = await runCli(['secret', ...args, '--project', 'shop', '--data', folder]);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('onwhere project delete and dataset delete', () => {
  it.each([
    [['project', 'delete', 'shop'], 'the project shop with 1 dataset'],
    [['dataset', 'delete', 'orders', '--project', 'shop'], 'the dataset orders of shop with 0 versions'],
  ])('needs confirmation: %j', async (args, what) => {
    const { code, err } = await runCli([...args, '--data', folder]);
    expect([code, err]).toEqual([2, `error: This deletes ${what}. Pass --yes to confirm.\n`]);
    expect(existsSync(paths.datasetFile(folder, 'shop', 'orders'))).toBe(true);
    expect((await new Catalog(folder).projects()).map(({ name }) => name)).toEqual(['shop']);
  });
});
