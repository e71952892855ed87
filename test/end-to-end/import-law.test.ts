import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DuckDbStore } from '../../src/service/store/duckdb/duck-db-store.ts';
import { runStatements } from '../cli/query-files.ts';
import { Client } from './client.ts';
import { type Answer, type Sent, send } from './send.ts';
import { onwhere, ServerProcess, TestFolder } from './server-process.ts';

/** Tests the rules for imports, one by one, in the order of the specification. */

let folder: TestFolder;
let server: ServerProcess;
/** The token of another project. */
let other: string;

beforeAll(async () => {
  folder = TestFolder.make();
  ({ token: other } = folder.createProject('bakery'));
  server = await ServerProcess.start(folder);
});

afterAll(async () => {
  expect(await server.stop()).toBe(0);
  folder.remove();
});

function request(method: string, path: string, sent: Sent = {}): Promise<Answer> {
  return send(method, `${server.address}${path}`, { secret: folder.secret, ...sent });
}

function base64(records: unknown): string {
  return Buffer.from(JSON.stringify(records)).toString('base64');
}

describe('an import', () => {
  let client: Client;
  let version: string;

  beforeAll(async () => {
    client = new Client(folder, server);
    ({ version_id: version } = await client.create());
  });

  const parameters = () => ({ dataset_id: 'orders', dataset_version: version });
  const good = () => client.event({ distinct_id: 'a', time: 1_700_000_000 });

  it('returns 1 or 0, and with verbose=1 an object with error and status', async () => {
    for (const [kind, record] of [
      ['events', good()],
      ['people', client.person('a', { $set: { x: 1 } })],
    ] as const) {
      for (const slash of ['', '/']) {
        const path = `/import-${kind}${slash}`;
        const form = { ...parameters(), data: base64(record) };
        const done = await request('POST', path, { form });
        expect([done.status, done.body]).toEqual([200, '1']);
        const verbose = await request('POST', path, { form: { ...form, verbose: '1' } });
        expect([verbose.status, JSON.parse(verbose.body)]).toEqual([200, { error: null, status: 1 }]);
        const refused = await request('POST', path, { form: { ...form, data: base64([record, 1]) } });
        expect([refused.status, refused.body]).toEqual([400, '0']);
        const explained = await request('POST', path, { form: { ...form, data: base64([record, 1]), verbose: '1' } });
        expect([explained.status, JSON.parse(explained.body)]).toEqual([
          400,
          { error: expect.stringMatching(/record 1/), status: 0 },
        ]);
      }
    }
  });

  it('accepts its parameters in the query string, a form or JSON', async () => {
    const all = { ...parameters(), data: base64(good()) };
    expect((await request('POST', `/import-events?${new URLSearchParams(all)}`)).body).toBe('1');
    expect((await request('POST', '/import-events', { json: all })).body).toBe('1');
    expect(JSON.parse((await request('POST', '/import-events', { json: { ...all, verbose: 1 } })).body).status).toBe(1);
    const { data, ...where } = all;
    expect((await request('POST', `/import-events?${new URLSearchParams(where)}`, { form: { data } })).body).toBe('1');
    for (const name of ['data', 'dataset_id', 'dataset_version'] as const) {
      const { [name]: _, ...rest } = all;
      const answer = await request('POST', '/import-events', { form: { ...rest, verbose: '1' } });
      expect(JSON.parse(answer.body)).toEqual({ error: `Missing required parameter: ${name}`, status: 0 });
    }
  });

  it('accepts standard and URL-safe base64, padded or not, with line breaks, and with spaces instead of +', async () => {
    // For any filler, the base64 contains `+` and `/`, which the URL-safe alphabet replaces.
    for (const filler of ['', 'x', 'xx']) {
      const data = base64(client.event({ distinct_id: 'a', time: 1, text: `${filler}~~~???>>>ÿÿÿ` }));
      expect(data).toMatch(/\+.*\/|\/.*\+/);
      const url = data.replaceAll('+', '-').replaceAll('/', '_');
      for (const written of [data, url, data.replaceAll('+', ' '), data.replace(/.{76}/g, '$&\n')]) {
        for (const text of [written, written.replace(/=+$/, '')]) {
          expect((await request('POST', '/import-events', { form: { ...parameters(), data: text } })).body).toBe('1');
        }
      }
      const body = `dataset_id=orders&dataset_version=${version}&data=${data}`;
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      expect((await request('POST', '/import-events', { body, headers })).body).toBe('1');
    }
  });

  it('accepts up to 1000 records of up to 1 MiB each, in a body of up to 32 MiB', async () => {
    const of = (count: number) => base64(Array.from({ length: count }, good));
    const status = async (form: Record<string, string>) =>
      (await request('POST', '/import-events', { form: { ...parameters(), ...form } })).status;
    expect(await status({ data: of(1000) })).toBe(200);
    expect(await status({ data: of(1001) })).toBe(413);
    const sized = (bytes: number) => {
      const empty = JSON.stringify(client.event({ distinct_id: 'a', time: 1, text: '' })).length;
      return base64(client.event({ distinct_id: 'a', time: 1, text: 'x'.repeat(bytes - empty) }));
    };
    expect(await status({ data: sized(2 ** 20) })).toBe(200);
    expect(await status({ data: sized(2 ** 20 + 1) })).toBe(413);
    const body = (bytes: number) => {
      const start = `dataset_id=orders&dataset_version=${version}&data=${base64(good()).replace(/=+$/, '')}&x=`;
      return start + 'x'.repeat(bytes - start.length);
    };
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await request('POST', '/import-events', { body: body(2 ** 25), headers })).status).toBe(200);
    expect((await request('POST', '/import-events', { body: body(2 ** 25 + 1), headers })).status).toBe(413);
  });

  it('fails with a message that names the record and the reason', async () => {
    const { token } = folder;
    const event = (properties: object) => ({
      event: 'a',
      properties: { token, distinct_id: 'a', time: 1, ...properties },
    });
    const importError = async (data: string, kind = 'events', where: object = {}) => {
      const form = { ...parameters(), data, verbose: '1', ...where };
      return JSON.parse((await request('POST', `/import-${kind}`, { form })).body);
    };
    const second = (record: unknown, kind?: string) =>
      importError(base64([kind === undefined ? good() : client.person('a', { $set: {} }), record]), kind);
    for (const [record, reason] of [
      [{ properties: event({}).properties }, /record 1: no event/],
      [{ ...event({}), event: 5 }, /record 1: event/],
      [event({ distinct_id: undefined }), /record 1: no distinct_id/],
      [event({ distinct_id: '' }), /record 1: distinct_id .*empty/],
      [event({ token: undefined }), /record 1: no token/],
      [event({ token: other }), /record 1: .*token/],
      [event({ time: '1700000000' }), /record 1: time/],
      [event({ time: 1.5 }), /record 1: time/],
      [event({ time: 1_700_000_000_123 }), /record 1: time .*milliseconds.*1700000000/],
    ] as const) {
      const { error, status } = await second(record);
      expect([status, error]).toEqual([0, expect.stringMatching(reason)]);
      expect(error).not.toContain(other);
    }
    for (const [record, reason] of [
      [{ $token: token, $set: {} }, /record 1: no \$distinct_id/],
      [{ $token: token, $distinct_id: '', $set: {} }, /record 1: \$distinct_id/],
      [{ $distinct_id: 'a', $set: {} }, /record 1: no token/],
      [{ $token: other, $distinct_id: 'a', $set: {} }, /record 1: .*token/],
    ] as const) {
      expect(await second(record, 'people')).toEqual({ status: 0, error: expect.stringMatching(reason) });
    }
    const text = Buffer.from(`[${JSON.stringify(good())},{"event":"\xff"}]`, 'latin1').toString('base64');
    expect((await importError(text)).error).toMatch(/record 1: not UTF-8/);
    expect((await importError(Buffer.from(`[${JSON.stringify(good())},{"event":}]`).toString('base64'))).error).toMatch(
      /record 1: not JSON/,
    );
    expect((await importError('%%%')).error).toMatch(/not base64/);
    expect((await importError(base64(good()), 'events', { dataset_id: 'nowhere' })).error).toMatch(/dataset/);
    expect((await importError(base64(good()), 'events', { dataset_version: 'nowhere' })).error).toMatch(/version/);
  });
});

describe('onwhere import', () => {
  it('loads NDJSON, gzipped or not, CSV and Parquet into a live version of the server', async () => {
    folder.createDataset('files');
    const file = (name: string) => join(folder.path, name);
    const record = { event: 'buy', properties: { distinct_id: 'u1', time: 1_700_000_000, amount: 12.5 } };
    writeFileSync(file('a.ndjson'), JSON.stringify(record));
    writeFileSync(file('b.ndjson.gz'), gzipSync(JSON.stringify(record)));
    writeFileSync(file('c.csv'), 'event,distinct_id,time,amount\nbuy,u1,1700000000,12.5\n');
    await runStatements([
      `COPY (SELECT * FROM read_json('${file('a.ndjson')}')) TO '${file('d.parquet')}' (FORMAT parquet)`,
    ]);
    const where = ['--data', folder.path, '--project', 'shop', '--dataset', 'files'];
    const files = ['a.ndjson', 'b.ndjson.gz', 'c.csv', 'd.parquet'].map(file);
    const made = onwhere('import', ...files, ...where);
    expect([made.status, made.stdout]).toEqual([0, expect.stringMatching(/^4 events in shop\/files, version \w+/)]);
    const id = /version (\w+)/.exec(made.stdout)?.[1] as string;
    // The command exits only once the server serves the version, so there is no need to wait.
    const { data } = JSON.parse((await request('GET', of(id))).body);
    expect(data).toMatchObject({ is_live: true, state: { ready: true, readable: true, writable: true } });

    writeFileSync(file('bad.ndjson'), `${JSON.stringify(record)}\nnonsense\n`);
    const refused = onwhere('import', file('bad.ndjson'), ...where);
    expect([refused.status, refused.stderr]).toEqual([
      3,
      expect.stringMatching(/bad\.ndjson:2: .*\. Nothing was imported\.$/m),
    ]);
    const { body } = await request('GET', `/datasets/files/versions?token=${folder.token}`);
    expect(JSON.parse(body).data).toHaveLength(1);
  });

  const of = (id: string) => `/datasets/files/versions/${id}?token=${folder.token}`;
});

describe('imported records', () => {
  it('are stored once per $insert_id, with the operations on people applied in order', async () => {
    const elsewhere = TestFolder.make();
    const other = await ServerProcess.start(elsewhere);
    const client = new Client(elsewhere, other);
    const { version_id: version } = await client.create();
    const event = (n: number, id: object) => client.event({ distinct_id: 'a', time: 1, n, ...id });
    const batches = [
      [event(1, { $insert_id: 'x' }), event(2, { $insert_id: 'x' }), event(3, {}), event(4, { $insert_id: 'y' })],
      [event(5, { $insert_id: 'y' }), event(6, { $insert_id: 'z' }), event(3, {})],
    ];
    const people = [
      client.person('a', { $set: { plan: 'free', n: 1, gone: 1 }, $set_once: { plan: 'never', first: 1 } }),
      client.person('a', { $add: { n: 2, m: 5 }, $append: { list: 1 }, $unset: ['gone'] }),
      client.person('a', { $append: { list: [1] }, $union: { list: [1, 2] }, $set: { plan: 'pro' } }),
      client.person('a', { $remove: { list: 1 } }),
      client.person('b', { $set: { x: 1 } }),
      client.person('b', { $delete: '' }),
      client.person('c', { $set: { x: 1 } }),
      client.person('c', { $delete: '', $set: { y: 1 } }),
    ];
    for (const batch of batches) expect(await client.import('events', version, batch)).toBe(true);
    for (const half of [people.slice(0, 2), people.slice(2)]) {
      expect(await client.import('people', version, half)).toBe(true);
    }
    await client.setState(version, { readable: true, writable: true });
    await client.untilReady(version);
    // Import the first batch again, after its flush.
    expect(await client.import('events', version, batches[0] as object[])).toBe(true);
    await client.untilReady(version);
    expect(await other.stop()).toBe(0);

    const store = await DuckDbStore.open({ temporaryFolder: join(elsewhere.path, 'temporary') });
    const stored = { id: version, folder: join(elsewhere.versionFolder(version), 'store') };
    const numbers: unknown[] = [];
    for await (const { properties } of store.events(stored)) numbers.push(properties.n);
    expect(numbers.sort()).toEqual([1, 3, 3, 3, 4, 6]);
    const found: Record<string, unknown> = {};
    for await (const { distinctId, properties } of store.people(stored)) found[distinctId] = properties;
    expect(found).toEqual({ a: { plan: 'pro', n: 3, first: 1, m: 5, list: [[1], 2] }, c: { y: 1 } });
    await store.close();
    elsewhere.remove();
  });
});
