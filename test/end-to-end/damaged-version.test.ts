import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringifyChecked } from '../../src/service/storage/checked-json.ts';
import { eventually } from '../eventually.ts';
import { Client } from './client.ts';
import { onwhere, ServerProcess, TestFolder } from './server-process.ts';

const EVENTS = 40;

/** Functions that damage the content of a file. A result of undefined removes the file. */
const DAMAGES: Readonly<Record<string, (bytes: Buffer) => Buffer | undefined>> = {
  removed: () => undefined,
  emptied: () => Buffer.alloc(0),
  braces: () => Buffer.from('{}'),
  garbage: () => Buffer.from('garbage\n'.repeat(3_000)),
  ...atEachPlace((at) => [`cut at ${at}`, (bytes) => bytes.subarray(0, Math.floor(bytes.length * at))]),
  ...atEachPlace((at) => [`flipped at ${at}`, (bytes) => flipBit(bytes, Math.floor((bytes.length - 1) * at))]),
};

function atEachPlace(damage: (at: number) => [string, (bytes: Buffer) => Buffer]) {
  return Object.fromEntries([0.001, 0.1, 0.3, 0.5, 0.7, 0.9, 0.999].map(damage));
}

function flipBit(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

/** A version and damaged copies of it. Each copy has its own dataset. */
class Damaged {
  /** Descriptions of the damage, by dataset. */
  readonly damages = new Map<string, string>();

  constructor(
    readonly folder: TestFolder,
    private readonly versionId: string,
  ) {}

  /** Creates a copy for each file of the version and each kind of damage, and an undamaged one. */
  createCopies(): void {
    this.copy('whole');
    const version = this.folder.versionFolder(this.versionId);
    const files = readdirSync(version, { recursive: true, encoding: 'utf8' });
    for (const file of files) {
      if (!statSync(join(version, file)).isFile())
        this.damage(`${file} removed`, (copy) => rmSync(join(copy, file), { recursive: true }));
      else {
        for (const [name, damage] of Object.entries(DAMAGES)) {
          this.damage(`${file} ${name}`, (copy) => {
            const bytes = damage(readFileSync(join(copy, file)));
            if (bytes === undefined) rmSync(join(copy, file));
            else writeFileSync(join(copy, file), bytes);
          });
        }
      }
    }
  }

  private damage(name: string, damage: (copy: string) => void): void {
    const number = this.damages.size;
    this.damages.set(`damaged${number}`, name);
    damage(this.copy(`damaged${number}`));
  }

  private copy(dataset: string): string {
    const { folder, versionId } = this;
    const file = join(folder.path, 'projects', 'shop', 'datasets', 'orders', 'dataset.json');
    const place = join(folder.path, 'projects', 'shop', 'datasets', dataset);
    mkdirSync(place);
    const hash = String(this.damages.size).padStart(64, '0');
    writeFileSync(
      join(place, 'dataset.json'),
      readFileSync(file, 'utf8')
        .replace('"orders"', `"${dataset}"`)
        .replace(/[0-9a-f]{64}/, hash),
    );
    const id = this.idOf(dataset);
    const copy = folder.versionFolder(id, dataset);
    cpSync(folder.versionFolder(versionId), copy, { recursive: true });
    const { crc32: _, ...record } = JSON.parse(readFileSync(join(copy, 'version.json'), 'utf8'));
    writeFileSync(join(copy, 'version.json'), stringifyChecked({ ...record, versionId: id }));
    return copy;
  }

  idOf(dataset: string): string {
    return `${dataset}v`;
  }
}

/** Counts the events of each batch. Returns the values as JSON or, if the query fails, the body of the response. */
async function countBatches(client: Client, dataset: string): Promise<{ status: number; result: string }> {
  const response = await client.request('GET', '/api/2.0/segmentation', {
    event: 'order',
    from_date: '2023-11-14',
    to_date: '2023-11-15',
    on: 'properties["batch"]',
    where: 'properties["filler"] != "" and user["plan"] == "pro"',
    dataset_id: dataset,
  });
  const body = await response.text();
  return { status: response.status, result: response.ok ? JSON.stringify(JSON.parse(body).data.values) : body };
}

/** Expects each query to return the right values or an error. Returns the number of each. */
async function expectRightOrRefused(
  damaged: Damaged,
  server: ServerProcess,
): Promise<{ right: number; refused: number }> {
  const client = new Client(damaged.folder, server);
  const { result: right, status } = await countBatches(client, 'whole');
  expect(status).toBe(200);
  const counts = { right: 0, refused: 0 };
  for (const [dataset, damage] of damaged.damages) {
    const response = await countBatches(client, dataset);
    if (response.status === 200) {
      expect([damage, response.result]).toEqual([damage, right]);
      counts.right++;
    } else {
      expect([damage, response]).toEqual([damage, { status: 503, result: expect.any(String) }]);
      const { error } = JSON.parse(response.result);
      expect(error).toContain(`Dataset ${dataset}, version ${damaged.idOf(dataset)} is damaged: `);
      const [version] = await new Client(damaged.folder, server, dataset).list();
      expect(version?.damage).toEqual(expect.any(String));
      counts.refused++;
    }
  }
  const metrics = await (await fetch(`${server.address}/metrics`)).text();
  expect(metrics).toContain(`\nonwhere_versions_damaged ${counts.refused}\n`);
  return counts;
}

/** Creates damaged copies of a version with events and people, whose server is killed. */
async function createDamaged(prepare: (client: Client, version: string) => Promise<void>): Promise<Damaged> {
  const folder = TestFolder.make();
  const server = await ServerProcess.start(folder);
  const client = new Client(folder, server);
  const { version_id: version } = await client.create();
  for (let batch = 0; batch < 4; batch++) {
    const events = Array.from({ length: EVENTS / 4 }, (_, index) => {
      const filler = Math.random().toString(36).repeat(20);
      return client.event({ distinct_id: `u${index}`, time: 1_700_000_000 + index, batch, filler });
    });
    expect(await client.import('events', version, events)).toBe(true);
  }
  const people = Array.from({ length: 10 }, (_, index) => client.person(`u${index}`, { $set: { plan: 'pro' } }));
  expect(await client.import('people', version, people)).toBe(true);
  await prepare(client, version);
  await server.kill();
  const damaged = new Damaged(folder, version);
  damaged.createCopies();
  return damaged;
}

let damaged: Damaged;
let server: ServerProcess;

describe('a live version with a damaged file', () => {
  beforeAll(async () => {
    damaged = await createDamaged(async (client, version) => {
      await client.setState(version, { readable: true, writable: true });
      await client.untilReady(version);
    });
    server = await ServerProcess.start(damaged.folder);
  });
  afterAll(async () => {
    await server.kill();
    damaged.folder.remove();
  });

  it('returns the same results or an error', async () => {
    const { right, refused } = await expectRightOrRefused(damaged, server);
    process.stdout.write(`live versions: ${right} right, ${refused} refused\n`);
    expect(refused).toBeGreaterThan(20);
  });

  it('does not affect other versions, datasets and projects', async () => {
    const client = new Client(damaged.folder, server, 'damaged0');
    const { version_id: version } = await client.create();
    expect(await client.import('events', version, [client.event({ distinct_id: 'a', time: 1_700_000_000 })])).toBe(
      true,
    );
    await client.setState(version, { readable: true, writable: true });
    await client.untilReady(version);
    expect((await countBatches(client, 'damaged0')).status).toBe(200);
  });

  it('is found by fsck, and moved aside with --repair', async () => {
    const fsck = (...options: string[]) => onwhere('fsck', '--data', damaged.folder.path, ...options);
    const busy = fsck();
    expect([busy.status, busy.stderr]).toEqual([2, expect.stringContaining(`is in use by process ${server.pid}`)]);
    await server.kill();
    const found = fsck();
    expect([found.status, found.stderr]).toEqual([3, '']);
    expect(found.stdout).toMatch(
      /datasets\/damaged\d+\/versions\/damaged\d+v: the store has 0 of 40 events and 0 of 10 people\n/,
    );
    const repaired = fsck('--repair');
    expect([repaired.status, repaired.stderr]).toEqual([0, '']);
    expect(repaired.stdout.match(/ {2}moved to damaged\/1\/projects\//g)?.length).toBe(
      found.stdout.match(/^projects\S*: /gm)?.length,
    );
    expect(fsck()).toMatchObject({ status: 0, stdout: 'No damage found.\n' });
    // Moved files can be moved back.
    const [name = ''] = readdirSync(join(damaged.folder.path, 'damaged', '1', 'projects', 'shop', 'datasets'));
    const versions = (root: string) => join(root, 'projects', 'shop', 'datasets', name, 'versions', damaged.idOf(name));
    renameSync(versions(join(damaged.folder.path, 'damaged', '1')), versions(damaged.folder.path));
    expect(fsck().status).toBe(3);
  });
});

describe('an unflushed version with a damaged file', () => {
  beforeAll(async () => {
    damaged = await createDamaged(async () => undefined);
    server = await ServerProcess.start(damaged.folder);
  });
  afterAll(async () => {
    await server.kill();
    damaged.folder.remove();
  });

  it('becomes live with all its records or not at all', async () => {
    for (const dataset of ['whole', ...damaged.damages.keys()]) {
      const client = new Client(damaged.folder, server, dataset);
      const version = damaged.idOf(dataset);
      await client.setState(version, { readable: true, writable: true }).catch((error: Error) => {
        expect(error.message).toContain(': 503 Dataset');
      });
      await eventually(async () => {
        const { is_live, state, damage } = await client.get(version);
        expect(damage !== undefined || (is_live && state.ready)).toBe(true);
      });
    }
    const client = new Client(damaged.folder, server);
    const { result: right } = await countBatches(client, 'whole');
    let refused = 0;
    for (const [dataset, damage] of damaged.damages) {
      const { status, result } = await countBatches(client, dataset);
      const [version] = await new Client(damaged.folder, server, dataset).list();
      if (version?.damage === undefined) expect([damage, status, result]).toEqual([damage, 200, right]);
      else {
        refused++;
        // A dataset without a published version returns 503.
        if (status !== 503) expect([damage, version.is_live, result]).toEqual([damage, false, '{}']);
      }
    }
    process.stdout.write(`versions not flushed: ${damaged.damages.size - refused} right, ${refused} refused\n`);
    expect(refused).toBeGreaterThan(20);
  });
});
