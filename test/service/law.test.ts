import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UNSET, type Version } from '../../src/datasets/version.ts';
import { Client } from './client.ts';
import { type Answer, type Sent, send } from './send.ts';
import { onwhere, ServerProcess, TestFolder } from './server-process.ts';

/** What ../shared/spec/source.md and service.md say of projects, secrets, versions and import, sentence by sentence. */

let folder: TestFolder;
let server: ServerProcess;
let datasetSecret: string;
let other: { readonly token: string; readonly secret: string };

beforeAll(async () => {
  folder = TestFolder.make();
  datasetSecret = folder.createDataset('visits');
  other = folder.createProject('bakery');
  folder.createDataset('orders', 'bakery');
  for (const dataset of ['states', 'imports', 'people', 'six']) folder.createDataset(dataset);
  server = await ServerProcess.start(folder);
});

afterAll(async () => {
  expect(await server.stop()).toBe(0);
  for (const secret of [folder.secret, datasetSecret, other.secret]) expect(server.output).not.toContain(secret);
  folder.remove();
});

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/;

const NEW_STATE = { ready: false, ready_at: UNSET, readable: false, readable_at: UNSET, writable: true };

function ask(method: string, path: string, sent: Sent = {}): Promise<Answer> {
  return send(method, `${server.address}${path}`, { secret: folder.secret, ...sent });
}

function base64(records: unknown): string {
  return Buffer.from(JSON.stringify(records)).toString('base64');
}

function errorOf({ body }: Answer): string {
  const { error, ...rest } = JSON.parse(body);
  expect(rest).toEqual({});
  expect(error).toMatch(/\w+ \w+/);
  return error;
}

describe('a project', () => {
  it('has a name, a token, an API secret and a time zone, which is UTC unless it is another of IANA', () => {
    const data = ['--data', folder.path, '--json'];
    const made = JSON.parse(onwhere('project', 'create', 'cafe', '--time-zone', 'Europe/Berlin', ...data).stdout);
    expect(made).toMatchObject({ name: 'cafe', time_zone: 'Europe/Berlin' });
    expect(made.token).not.toBe(made.secret);
    const listed = JSON.parse(onwhere('project', 'list', ...data).stdout);
    expect(listed.map(({ name, time_zone }: Record<string, string>) => [name, time_zone])).toEqual([
      ['bakery', 'UTC'],
      ['cafe', 'Europe/Berlin'],
      ['shop', 'UTC'],
    ]);
    expect(onwhere('project', 'create', 'x', '--time-zone', 'Mars/Base', ...data).status).toBe(2);
  });

  it('has datasets, each with a secret that is kept only as a hash', () => {
    const kept = readdirSync(folder.path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
    expect(kept.join()).toContain('secretHash');
    expect(kept.join()).not.toContain(datasetSecret);
    const listed = JSON.parse(
      onwhere('dataset', 'list', '--project', 'bakery', '--data', folder.path, '--json').stdout,
    );
    expect(listed).toEqual([{ dataset_id: 'orders' }]);
  });

  it('names its datasets with fewer than 256 letters and digits, unchanged in paths', async () => {
    const long = `Aa9${'x'.repeat(252)}`;
    folder.createDataset(long);
    const { status } = await ask('GET', `/datasets/${long}/versions?token=${folder.token}`);
    expect(status).toBe(200);
    expect((await ask('GET', `/datasets/${long.toLowerCase()}/versions?token=${folder.token}`)).status).toBe(404);
    for (const wrong of [`${long}x`, 'a-b', 'a b', 'ä', '']) {
      expect(onwhere('dataset', 'create', wrong, '--project', 'shop', '--data', folder.path).status).toBe(2);
    }
  });
});

describe('a secret', () => {
  const path = (dataset: string, token: string) => `/datasets/${dataset}/versions?token=${token}`;

  it('that is wrong or missing is 401 with WWW-Authenticate: Basic', async () => {
    const sent: Sent[] = [
      { secret: 'wrong' },
      { secret: '' },
      { secret: folder.secret.slice(1) },
      { secret: folder.secret, password: 'x' },
      { secret: folder.token },
      { headers: { authorization: 'Bearer x' } },
      { headers: { authorization: 'Basic' } },
    ];
    const all = [...sent.map((one) => ({ secret: undefined, ...one }) as Sent), { secret: undefined } as never];
    for (const one of all) {
      for (const [method, of] of [
        ['GET', path('orders', folder.token)],
        ['POST', path('orders', folder.token)],
        ['POST', '/import-events'],
      ] as const) {
        const answer = await ask(method, of, one);
        expect([one, answer.status]).toEqual([one, 401]);
        expect(answer.headers['www-authenticate']).toMatch(/^Basic/);
        errorOf(answer);
      }
    }
  });

  it('of a project opens all of its datasets, and no other project', async () => {
    for (const dataset of ['orders', 'visits']) {
      expect((await ask('GET', path(dataset, folder.token))).status).toBe(200);
    }
    expect((await ask('GET', path('visits', other.token), { secret: other.secret })).status).toBe(404);
    expect((await ask('GET', path('orders', other.token))).status).toBe(400);
  });

  it('of a dataset opens this one, and is wrong for all others', async () => {
    expect((await ask('GET', path('visits', folder.token), { secret: datasetSecret })).status).toBe(200);
    const { version_id } = await new Client(folder, server, 'orders').create();
    const form = { dataset_id: 'orders', dataset_version: version_id, data: base64([]), verbose: '1' };
    for (const answer of [
      await ask('GET', path('orders', folder.token), { secret: datasetSecret }),
      await ask('POST', path('orders', folder.token), { secret: datasetSecret }),
      await ask('POST', '/import-events', { secret: datasetSecret, form }),
    ]) {
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toMatch(/^Basic/);
    }
  });

  it('is not enough for versions: they take the token of the project too', async () => {
    expect(errorOf(await ask('GET', '/datasets/orders/versions'))).toBe('Missing required parameter: token');
    expect(errorOf(await ask('GET', path('orders', 'wrong')))).toMatch(/token/);
  });
});

describe('a version', () => {
  let client: Client;
  const of = (version: Version) => `/datasets/states/versions/${version.version_id}`;

  beforeAll(() => {
    client = new Client(folder, server, 'states');
  });

  it('is made in a dataset that exists, writable and nothing else, its times not set', async () => {
    const answer = await ask('POST', '/datasets/states/versions', { form: { token: folder.token } });
    expect(answer.status).toBe(200);
    const { data, ...rest } = JSON.parse(answer.body);
    expect(rest).toEqual({});
    expect(data).toEqual({
      version_id: expect.stringMatching(/^\w+$/),
      created_at: expect.stringMatching(ISO),
      is_live: false,
      state: NEW_STATE,
    });
    expect(Math.abs(Date.parse(data.created_at) - Date.now())).toBeLessThan(60_000);
    expect(await client.get(data.version_id)).toEqual(data);
    expect(await client.list()).toContainEqual(data);
    const unknown = await ask('POST', '/datasets/nowhere/versions', { form: { token: folder.token } });
    expect(unknown.status).toBe(404);
    errorOf(unknown);
  });

  it('takes its parameters from the query string, a form or JSON, with or without a slash at the end', async () => {
    const { token } = folder;
    const state = JSON.stringify({ readable: false, writable: true });
    for (const slash of ['', '/']) {
      for (const place of [{ form: { token } }, { json: { token } }, undefined]) {
        const query = place === undefined ? `?token=${token}` : '';
        const created = await ask('POST', `/datasets/states/versions${slash}${query}`, place);
        const version: Version = JSON.parse(created.body).data;
        const path = `${of(version)}${slash}`;
        expect(JSON.parse((await ask('GET', `${path}?token=${token}`)).body)).toEqual({ data: version });
        for (const [suffix, sent] of [
          [`?${new URLSearchParams({ token, state })}`, {}],
          ['', { form: { token, state } }],
          ['', { json: { token, state } }],
          [`?token=${token}`, { form: { state } }],
        ] as const) {
          expect((await ask('PATCH', `${path}${suffix}`, sent)).body).toBe('{"data":null}');
        }
        expect((await ask('DELETE', `${path}${query}`, place)).body).toBe('{"data":null}');
        expect((await ask('GET', `${path}?token=${token}`)).status).toBe(404);
      }
    }
  });

  it('takes readable and writable together, as booleans, and nothing else of its state', async () => {
    const version = await client.create();
    for (const state of [
      '{"readable":true}',
      '{"writable":true}',
      '{"readable":"true","writable":true}',
      '{"readable":1,"writable":true}',
      'true',
      '{',
    ]) {
      const answer = await ask('PATCH', of(version), { form: { token: folder.token, state } });
      expect([state, answer.status]).toEqual([state, 400]);
      expect(errorOf(answer)).toMatch(/readable.*writable/);
    }
    const missing = await ask('PATCH', of(version), { form: { token: folder.token } });
    expect(errorOf(missing)).toBe('Missing required parameter: state');
    const state = JSON.stringify({ ...NEW_STATE, ready: true, ready_at: version.created_at });
    await ask('PATCH', of(version), { form: { token: folder.token, state } });
    expect(await client.get(version.version_id)).toEqual(version);
    await client.delete(version.version_id);
  });

  it('that becomes readable is processed by itself, then ready and live; no longer readable, no longer live', async () => {
    const { version_id: id } = await client.create();
    await client.import('events', id, [client.event({ distinct_id: 'a', time: 1 })]);
    expect(await client.get(id)).toMatchObject({ is_live: false, state: NEW_STATE });
    await client.setState(id, { readable: true, writable: true });
    const { readable_at } = (await client.get(id)).state;
    expect(readable_at).toMatch(ISO);
    const live = await client.untilReady(id);
    expect(live.state).toEqual({
      ready: true,
      ready_at: expect.stringMatching(ISO),
      readable: true,
      readable_at,
      writable: true,
    });
    expect(live.state.ready_at >= readable_at).toBe(true);
    await client.setState(id, { readable: false, writable: true });
    expect(await client.get(id)).toMatchObject({ is_live: false, state: { readable: false } });
    await client.setState(id, { readable: true, writable: true });
    await client.untilReady(id);
    await client.delete(id);
  });

  it('that is empty becomes live too', async () => {
    const { version_id: id } = await client.create();
    await client.setState(id, { readable: true, writable: true });
    await client.untilReady(id);
    await client.delete(id);
  });

  it('that is readable takes more: until that is processed it is not ready, and stays live', async () => {
    const { version_id: id } = await client.create();
    await client.setState(id, { readable: true, writable: true });
    const before = await client.untilReady(id);
    await client.import('people', id, [client.person('a', { $set: { x: 1 } })]);
    const pending = await client.get(id);
    expect([pending.is_live, pending.state.ready]).toEqual([true, false]);
    const after = await client.untilReady(id);
    expect(after.state.ready_at > before.state.ready_at).toBe(true);
    await client.delete(id);
  });

  it('that is not writable refuses imports', async () => {
    const { version_id: id } = await client.create();
    await client.setState(id, { readable: false, writable: false });
    for (const kind of ['events', 'people'] as const) {
      const record = kind === 'events' ? client.event({ distinct_id: 'a', time: 1 }) : client.person('a', { $set: {} });
      const { status, error } = await client.importVerbosely(kind, id, [record]);
      expect([status, error]).toEqual([0, expect.stringMatching(/not writable/)]);
    }
    await client.setState(id, { readable: false, writable: true });
    expect(await client.import('events', id, [client.event({ distinct_id: 'a', time: 1 })])).toBe(true);
    await client.delete(id);
  });

  it('that is deleted is gone for every operation', async () => {
    const version = await client.create();
    await client.setState(version.version_id, { readable: true, writable: true });
    await client.delete(version.version_id);
    expect((await client.list()).map(({ version_id }) => version_id)).not.toContain(version.version_id);
    const state = '{"readable":true,"writable":true}';
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const answer = await ask(method, `${of(version)}?${new URLSearchParams({ token: folder.token, state })}`);
      expect([method, answer.status]).toEqual([method, 404]);
      errorOf(answer);
    }
    const record = client.event({ distinct_id: 'a', time: 1 });
    expect(await client.importVerbosely('events', version.version_id, [record])).toMatchObject({ status: 0 });
  });

  it('belongs to its dataset only', async () => {
    const { version_id: id } = await client.create();
    const elsewhere = await ask('GET', `/datasets/orders/versions/${id}?token=${folder.token}`);
    expect(elsewhere.status).toBe(404);
    const orders = new Client(folder, server, 'orders');
    expect(await orders.import('events', id, [client.event({ distinct_id: 'a', time: 1 })])).toBe(false);
    await client.delete(id);
  });

  it('is removed when there are five newer ones, within a minute, live or not', async () => {
    const six = new Client(folder, server, 'six');
    const first = await six.create();
    await six.setState(first.version_id, { readable: true, writable: true });
    const ids: string[] = [];
    for (let made = 0; made < 5; made++) ids.push((await six.create()).version_id);
    while ((await six.list()).length > 5) await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await six.list()).map(({ version_id }) => version_id).sort()).toEqual(ids.sort());
    expect(existsSync(folder.versionFolder(ids[0] as string, 'six'))).toBe(true);
  }, 60_000);
});

describe('an import', () => {
  let client: Client;
  let version: string;

  beforeAll(async () => {
    client = new Client(folder, server, 'imports');
    ({ version_id: version } = await client.create());
  });

  const parameters = () => ({ dataset_id: 'imports', dataset_version: version });
  const good = () => client.event({ distinct_id: 'a', time: 1_700_000_000 });

  it('answers 1, else 0; with verbose=1 an object with error and status', async () => {
    for (const [kind, record] of [
      ['events', good()],
      ['people', client.person('a', { $set: { x: 1 } })],
    ] as const) {
      for (const slash of ['', '/']) {
        const path = `/import-${kind}${slash}`;
        const form = { ...parameters(), data: base64(record) };
        const done = await ask('POST', path, { form });
        expect([done.status, done.body]).toEqual([200, '1']);
        const told = await ask('POST', path, { form: { ...form, verbose: '1' } });
        expect([told.status, JSON.parse(told.body)]).toEqual([200, { error: null, status: 1 }]);
        const refused = await ask('POST', path, { form: { ...form, data: base64([record, 1]) } });
        expect([refused.status, refused.body]).toEqual([400, '0']);
        const why = await ask('POST', path, { form: { ...form, data: base64([record, 1]), verbose: '1' } });
        expect([why.status, JSON.parse(why.body)]).toEqual([
          400,
          { error: expect.stringMatching(/record 1/), status: 0 },
        ]);
      }
    }
  });

  it('takes its parameters from the query string, a form or JSON', async () => {
    const all = { ...parameters(), data: base64(good()) };
    expect((await ask('POST', `/import-events?${new URLSearchParams(all)}`)).body).toBe('1');
    expect((await ask('POST', '/import-events', { json: all })).body).toBe('1');
    expect(JSON.parse((await ask('POST', '/import-events', { json: { ...all, verbose: 1 } })).body).status).toBe(1);
    const { data, ...where } = all;
    expect((await ask('POST', `/import-events?${new URLSearchParams(where)}`, { form: { data } })).body).toBe('1');
    for (const name of ['data', 'dataset_id', 'dataset_version'] as const) {
      const { [name]: _, ...rest } = all;
      const answer = await ask('POST', '/import-events', { form: { ...rest, verbose: '1' } });
      expect(JSON.parse(answer.body)).toEqual({ error: `Missing required parameter: ${name}`, status: 0 });
    }
  });

  it('takes both alphabets of base64, padded or not, with blanks for +', async () => {
    // Whatever its length, its base64 has digits that the alphabets write differently.
    for (const filler of ['', 'x', 'xx']) {
      const data = base64(client.event({ distinct_id: 'a', time: 1, text: `${filler}~~~???>>>ÿÿÿ` }));
      expect(data).toMatch(/\+.*\/|\/.*\+/);
      for (const written of [data, data.replaceAll('+', '-').replaceAll('/', '_'), data.replaceAll('+', ' ')]) {
        for (const text of [written, written.replace(/=+$/, '')]) {
          expect((await ask('POST', '/import-events', { form: { ...parameters(), data: text } })).body).toBe('1');
        }
      }
      const body = `dataset_id=imports&dataset_version=${version}&data=${data}`;
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      expect((await ask('POST', '/import-events', { body, headers })).body).toBe('1');
    }
  });

  it('takes up to 1000 records, of up to 1 MiB each, in a body of up to 32 MiB', async () => {
    const of = (count: number) => base64(Array.from({ length: count }, good));
    const status = async (form: Record<string, string>) =>
      (await ask('POST', '/import-events', { form: { ...parameters(), ...form } })).status;
    expect(await status({ data: of(1000) })).toBe(200);
    expect(await status({ data: of(1001) })).toBe(413);
    const sized = (bytes: number) => {
      const empty = JSON.stringify(client.event({ distinct_id: 'a', time: 1, text: '' })).length;
      return base64(client.event({ distinct_id: 'a', time: 1, text: 'x'.repeat(bytes - empty) }));
    };
    expect(await status({ data: sized(2 ** 20) })).toBe(200);
    expect(await status({ data: sized(2 ** 20 + 1) })).toBe(413);
    const body = (bytes: number) => {
      const start = `dataset_id=imports&dataset_version=${version}&data=${base64(good()).replace(/=+$/, '')}&x=`;
      return start + 'x'.repeat(bytes - start.length);
    };
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await ask('POST', '/import-events', { body: body(2 ** 25), headers })).status).toBe(200);
    expect((await ask('POST', '/import-events', { body: body(2 ** 25 + 1), headers })).status).toBe(413);
  });

  it('is refused with a message that names the record and the reason', async () => {
    const { token } = folder;
    const event = (properties: object) => ({
      event: 'a',
      properties: { token, distinct_id: 'a', time: 1, ...properties },
    });
    const why = async (data: string, kind = 'events', where: object = {}) => {
      const form = { ...parameters(), data, verbose: '1', ...where };
      return JSON.parse((await ask('POST', `/import-${kind}`, { form })).body);
    };
    const second = (record: unknown, kind?: string) =>
      why(base64([kind === undefined ? good() : client.person('a', { $set: {} }), record]), kind);
    for (const [record, reason] of [
      [{ properties: event({}).properties }, /record 1: no event/],
      [{ ...event({}), event: 5 }, /record 1: event/],
      [event({ distinct_id: undefined }), /record 1: no distinct_id/],
      [event({ distinct_id: '' }), /record 1: distinct_id .*empty/],
      [event({ token: undefined }), /record 1: no token/],
      [event({ token: other.token }), /record 1: .*token/],
      [event({ time: '1700000000' }), /record 1: time/],
      [event({ time: 1.5 }), /record 1: time/],
      [event({ time: 1_700_000_000_123 }), /record 1: time .*milliseconds.*1700000000/],
    ] as const) {
      const { error, status } = await second(record);
      expect([status, error]).toEqual([0, expect.stringMatching(reason)]);
      expect(error).not.toContain(other.token);
    }
    for (const [record, reason] of [
      [{ $token: token, $set: {} }, /record 1: no \$distinct_id/],
      [{ $token: token, $distinct_id: '', $set: {} }, /record 1: \$distinct_id/],
      [{ $distinct_id: 'a', $set: {} }, /record 1: no token/],
      [{ $token: other.token, $distinct_id: 'a', $set: {} }, /record 1: .*token/],
    ] as const) {
      expect(await second(record, 'people')).toEqual({ status: 0, error: expect.stringMatching(reason) });
    }
    const text = Buffer.from(`[${JSON.stringify(good())},{"event":"\xff"}]`, 'latin1').toString('base64');
    expect((await why(text)).error).toMatch(/record 1: not UTF-8/);
    expect((await why(Buffer.from(`[${JSON.stringify(good())},{"event":}]`).toString('base64'))).error).toMatch(
      /record 1: not JSON/,
    );
    expect((await why('%%%')).error).toMatch(/not base64/);
    expect((await why(base64(good()), 'events', { dataset_id: 'nowhere' })).error).toMatch(/dataset/);
    expect((await why(base64(good()), 'events', { dataset_version: 'nowhere' })).error).toMatch(/version/);
  });
});

describe('plain HTTP', () => {
  it('is refused with 403 before any secret is looked at, while HTTPS shows a certificate of its own', async () => {
    const elsewhere = TestFolder.make();
    const secure = await ServerProcess.startWith(elsewhere);
    const { secret, token } = elsewhere;
    expect(secure.address).toMatch(/^https:/);
    const ca = readFileSync(join(elsewhere.path, 'certificate.pem'));
    const path = `/datasets/orders/versions?token=${token}`;
    expect((await send('GET', secure.address + path, { secret, ca })).status).toBe(200);
    const plain = secure.address.replace('https:', 'http:');
    for (const [method, where] of [
      ['GET', path],
      ['POST', '/import-events'],
      ['GET', '/nowhere'],
    ] as const) {
      const answers = [
        await send(method, plain + where, { secret }),
        await send(method, plain + where, { secret: 'wrong' }),
        await send(method, plain + where),
        await send(method, plain + where, { secret, headers: { 'x-forwarded-proto': 'https' } }),
      ];
      for (const answer of answers) {
        expect(answer.status).toBe(403);
        expect(errorOf(answer)).toMatch(/https/);
        expect(answer.headers['www-authenticate']).toBeUndefined();
      }
    }
    expect(await secure.stop()).toBe(0);

    // The certificate is made once.
    const again = await ServerProcess.startWith(elsewhere);
    expect((await send('GET', again.address + path, { secret, ca })).status).toBe(200);
    expect(await again.stop()).toBe(0);

    const behind = await ServerProcess.startWith(elsewhere, '--behind-proxy');
    const status = async (forwarded?: string) => {
      const headers = forwarded === undefined ? {} : { 'x-forwarded-proto': forwarded };
      return (await send('GET', behind.address.replace('https:', 'http:') + path, { secret, headers })).status;
    };
    expect([await status('https'), await status('http'), await status()]).toEqual([200, 403, 403]);
    expect(await behind.stop()).toBe(0);
    elsewhere.remove();
  });

  it('is allowed on loopback only', () => {
    const { status, stderr } = onwhere(
      'serve',
      '--data',
      folder.path,
      '--allow-http',
      '--host',
      '0.0.0.0',
      '--port',
      '0',
    );
    expect([status, stderr]).toEqual([2, expect.stringMatching(/allow-http/)]);
  });
});
