import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UNSET, type Version } from '../../src/service/datasets/versions/version.ts';
import { Client } from './client.ts';
import { type Answer, type Sent, send } from './send.ts';
import { onwhere, ServerProcess, TestFolder } from './server-process.ts';

/** Tests the rules for projects, secrets and versions, one by one, in the order of the specification. */

let folder: TestFolder;
let server: ServerProcess;
let datasetSecret: string;
let other: { readonly token: string; readonly secret: string };

beforeAll(async () => {
  folder = TestFolder.make();
  datasetSecret = folder.createDataset('visits');
  other = folder.createProject('bakery');
  folder.createDataset('orders', 'bakery');
  for (const dataset of ['states', 'six']) folder.createDataset(dataset);
  server = await ServerProcess.start(folder);
});

afterAll(async () => {
  expect(await server.stop()).toBe(0);
  for (const secret of [folder.secret, datasetSecret, other.secret]) expect(server.output).not.toContain(secret);
  folder.remove();
});

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/;

const NEW_STATE = { ready: false, ready_at: UNSET, readable: false, readable_at: UNSET, writable: true };

function request(method: string, path: string, sent: Sent = {}): Promise<Answer> {
  return send(method, `${server.address}${path}`, { secret: folder.secret, ...sent });
}

function errorOf({ body }: Answer, others: object = {}): string {
  const { error, ...rest } = JSON.parse(body);
  expect(rest).toEqual(others);
  expect(error).toMatch(/\w+ \w+/);
  return error;
}

describe('a project', () => {
  it('has a name, a token, an API secret and an IANA time zone, UTC by default', () => {
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

  it('stores only the hash of the secret of each dataset', () => {
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

  it('has datasets whose names are up to 255 letters and digits, case-sensitive in paths', async () => {
    const long = `Aa9${'x'.repeat(252)}`;
    folder.createDataset(long);
    const { status } = await request('GET', `/datasets/${long}/versions?token=${folder.token}`);
    expect(status).toBe(200);
    expect((await request('GET', `/datasets/${long.toLowerCase()}/versions?token=${folder.token}`)).status).toBe(404);
    for (const wrong of [`${long}x`, 'a-b', 'a b', 'ä', '']) {
      expect(onwhere('dataset', 'create', wrong, '--project', 'shop', '--data', folder.path).status).toBe(2);
    }
  });
});

describe('a secret', () => {
  const path = (dataset: string, token: string) => `/datasets/${dataset}/versions?token=${token}`;

  it('returns 401 with WWW-Authenticate: Basic if it is wrong or missing', async () => {
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
        ['POST', '/import-people?verbose=1'],
      ] as const) {
        const answer = await request(method, of, one);
        expect([one, answer.status]).toEqual([one, 401]);
        expect(answer.headers['www-authenticate']).toMatch(/^Basic/);
        if (of === '/import-events') expect(answer.body).toBe('0');
        else errorOf(answer, of.includes('verbose') ? { status: 0 } : {});
      }
    }
  });

  it('gives access to all datasets of its project and to no other project', async () => {
    for (const dataset of ['orders', 'visits']) {
      expect((await request('GET', path(dataset, folder.token))).status).toBe(200);
    }
    expect((await request('GET', path('visits', other.token), { secret: other.secret })).status).toBe(404);
    expect((await request('GET', path('orders', other.token))).status).toBe(400);
  });

  it('of a dataset gives access to that dataset only', async () => {
    expect((await request('GET', path('visits', folder.token), { secret: datasetSecret })).status).toBe(200);
    const { version_id } = await new Client(folder, server, 'orders').create();
    const form = { dataset_id: 'orders', dataset_version: version_id, data: 'W10', verbose: '1' };
    for (const answer of [
      await request('GET', path('orders', folder.token), { secret: datasetSecret }),
      await request('POST', path('orders', folder.token), { secret: datasetSecret }),
      await request('POST', '/import-events', { secret: datasetSecret, form }),
    ]) {
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toMatch(/^Basic/);
    }
  });

  it('does not suffice for versions, which also need the token of the project', async () => {
    expect(errorOf(await request('GET', '/datasets/orders/versions'))).toBe('Missing required parameter: token');
    expect(errorOf(await request('GET', path('orders', 'wrong')))).toMatch(/token/);
  });
});

describe('a key for a part of the data', () => {
  it.each([
    ['a filter', ['--where', 'true']],
    ['one dataset', ['--dataset', 'orders']],
  ])('with %s sees nothing that belongs to the whole project', async (limit, options) => {
    const place = ['--project', 'shop', '--data', folder.path, '--json'];
    const name = limit.replace(' ', '-');
    const scopes = ['--scope', 'query', 'annotations', 'datasets'];
    const { secret } = JSON.parse(onwhere('secret', 'create', name, ...options, ...scopes, ...place).stdout);
    const note = new URLSearchParams({ date: '2025-06-01 00:00:00', description: 'x', id: '1' });
    const range = 'from_date=2025-06-01&to_date=2025-06-30';
    for (const path of [
      '/api/2.0/annotations',
      `/api/2.0/annotations/create?${note}`,
      `/api/2.0/annotations/update?${note}`,
      `/api/2.0/annotations/delete?${note}`,
      '/api/2.0/funnels/list',
      `/api/2.0/funnels?funnel_id=1&${range}`,
      '/segments',
    ])
      expect([path, (await request('GET', path, { secret })).status]).toEqual([path, 401]);
    const known = await request('GET', '/api/2.0/overview/datasets', { secret });
    expect(JSON.parse(known.body).length > 1).toBe(limit === 'a filter');
    expect((await request('GET', `/api/2.0/export?${range}`, { secret })).status).toBe(200);
    const steps = encodeURIComponent('[{"event":"a"}]');
    expect((await request('GET', `/api/2.0/funnels?steps=${steps}&${range}`, { secret })).status).toBe(200);
  });
});

describe('a service account', () => {
  it('signs in with a user name and a password, and reads as the official clients do', async () => {
    const place = ['--project', 'shop', '--data', folder.path, '--json'];
    const create = ['secret', 'create', 'exporter', '--service-account', '--scope', 'query'];
    const { user_name, password } = JSON.parse(onwhere(...create, ...place).stdout);
    const ask = (method: string, path: string, secret: string, given: string) =>
      request(method, path, { secret, password: given });
    const range = 'from_date=2025-06-01&to_date=2025-06-30&project_id=1';
    for (const [method, path] of [
      ['GET', `/api/2.0/export?${range}`],
      ['POST', '/api/query/engage?project_id=1'],
      ['POST', '/api/2.0/engage?project_id=1'],
    ] as const) {
      expect((await ask(method, path, user_name, password)).status).toBe(200);
      for (const [user, wrong] of [
        [user_name, ''],
        [user_name, `${password}x`],
        ['other', password],
        [password, ''],
        [`${user_name}:${password}`, ''],
        [folder.secret, password],
      ] as const)
        expect((await ask(method, path, user, wrong)).status).toBe(401);
    }
    const refused = await ask('POST', `/datasets/orders/versions?token=${folder.token}`, user_name, password);
    expect([refused.status, errorOf(refused)]).toEqual([401, expect.stringContaining('it is for queries')]);
    onwhere('secret', 'revoke', 'exporter', ...place);
    expect((await ask('GET', `/api/2.0/export?${range}`, user_name, password)).status).toBe(401);
    expect(server.output).not.toContain(password);
  });
});

describe('a version', () => {
  let client: Client;
  const of = (version: Version) => `/datasets/states/versions/${version.version_id}`;

  beforeAll(() => {
    client = new Client(folder, server, 'states');
  });

  it('is created in an existing dataset, writable but not readable or ready, with unset times', async () => {
    const answer = await request('POST', '/datasets/states/versions', { form: { token: folder.token } });
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
    const unknown = await request('POST', '/datasets/nowhere/versions', { form: { token: folder.token } });
    expect(unknown.status).toBe(404);
    errorOf(unknown);
  });

  it('accepts its parameters in the query string, a form or JSON, with or without a trailing slash', async () => {
    const { token } = folder;
    const state = JSON.stringify({ readable: false, writable: true });
    for (const slash of ['', '/']) {
      for (const place of [{ form: { token } }, { json: { token } }, undefined]) {
        const query = place === undefined ? `?token=${token}` : '';
        const created = await request('POST', `/datasets/states/versions${slash}${query}`, place);
        const version: Version = JSON.parse(created.body).data;
        const path = `${of(version)}${slash}`;
        expect(JSON.parse((await request('GET', `${path}?token=${token}`)).body)).toEqual({ data: version });
        for (const [suffix, sent] of [
          [`?${new URLSearchParams({ token, state })}`, {}],
          ['', { form: { token, state } }],
          ['', { json: { token, state } }],
          [`?token=${token}`, { form: { state } }],
        ] as const) {
          expect((await request('PATCH', `${path}${suffix}`, sent)).body).toBe('{"data":null}');
        }
        expect((await request('DELETE', `${path}${query}`, place)).body).toBe('{"data":null}');
        expect((await request('GET', `${path}?token=${token}`)).status).toBe(404);
      }
    }
  });

  it('accepts readable and writable together, as booleans, and ignores other fields of its state', async () => {
    const version = await client.create();
    for (const state of [
      '{"readable":true}',
      '{"writable":true}',
      '{"readable":"true","writable":true}',
      '{"readable":1,"writable":true}',
      'true',
      '{',
    ]) {
      const answer = await request('PATCH', of(version), { form: { token: folder.token, state } });
      expect([state, answer.status]).toEqual([state, 400]);
      expect(errorOf(answer)).toMatch(/readable.*writable/);
    }
    const missing = await request('PATCH', of(version), { form: { token: folder.token } });
    expect(errorOf(missing)).toBe('Missing required parameter: state');
    const state = JSON.stringify({ ...NEW_STATE, ready: true, ready_at: version.created_at });
    await request('PATCH', of(version), { form: { token: folder.token, state } });
    expect(await client.get(version.version_id)).toEqual(version);
    await client.delete(version.version_id);
  });

  it('becomes ready and live once it is readable, and is not live when it is no longer readable', async () => {
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

  it('becomes live even if it is empty', async () => {
    const { version_id: id } = await client.create();
    await client.setState(id, { readable: true, writable: true });
    await client.untilReady(id);
    await client.delete(id);
  });

  it('accepts imports while it is readable, stays live, and is not ready until they are processed', async () => {
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

  it('refuses imports if it is not writable', async () => {
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

  it('returns 404 for every operation after it is deleted', async () => {
    const version = await client.create();
    await client.setState(version.version_id, { readable: true, writable: true });
    await client.delete(version.version_id);
    expect((await client.list()).map(({ version_id }) => version_id)).not.toContain(version.version_id);
    const state = '{"readable":true,"writable":true}';
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const answer = await request(method, `${of(version)}?${new URLSearchParams({ token: folder.token, state })}`);
      expect([method, answer.status]).toEqual([method, 404]);
      errorOf(answer);
    }
    const record = client.event({ distinct_id: 'a', time: 1 });
    expect(await client.importVerbosely('events', version.version_id, [record])).toMatchObject({ status: 0 });
  });

  it('belongs to its dataset only', async () => {
    const { version_id: id } = await client.create();
    const elsewhere = await request('GET', `/datasets/orders/versions/${id}?token=${folder.token}`);
    expect(elsewhere.status).toBe(404);
    const orders = new Client(folder, server, 'orders');
    expect(await orders.import('events', id, [client.event({ distinct_id: 'a', time: 1 })])).toBe(false);
    await client.delete(id);
  });

  it('is removed within a minute when there are five newer ones, unless it is live', async () => {
    const six = new Client(folder, server, 'six');
    const ids: string[] = [];
    const makeUpTo = async (count: number) => {
      while (ids.length < count) ids.push((await six.create()).version_id);
      while ((await six.list()).length > 5) await new Promise((resolve) => setTimeout(resolve, 200));
      return (await six.list()).map(({ version_id }) => ids.indexOf(version_id));
    };
    expect(await makeUpTo(6)).toEqual([1, 2, 3, 4, 5]);
    await six.setState(ids[1] as string, { readable: true, writable: true });
    await six.untilReady(ids[1] as string);
    expect(await makeUpTo(8)).toEqual([1, 4, 5, 6, 7]);
    expect(existsSync(folder.versionFolder(ids[1] as string, 'six'))).toBe(true);
  });
});

describe('plain HTTP', () => {
  it('returns 403 before the secret is checked, while HTTPS uses a self-signed certificate', async () => {
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
      ['POST', '/import-events?verbose=1'],
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
        expect(errorOf(answer, where.startsWith('/import-events') ? { status: 0 } : {})).toMatch(/https/);
        expect(answer.headers['www-authenticate']).toBeUndefined();
      }
    }
    expect(await secure.stop()).toBe(0);

    // The certificate is created only once.
    const again = await ServerProcess.startWith(elsewhere);
    expect((await send('GET', again.address + path, { secret, ca })).status).toBe(200);
    expect(await again.stop()).toBe(0);

    const proxied = await ServerProcess.startWith(elsewhere, '--behind-proxy');
    const status = async (forwarded?: string) => {
      const headers = forwarded === undefined ? {} : { 'x-forwarded-proto': forwarded };
      return (await send('GET', proxied.address.replace('https:', 'http:') + path, { secret, headers })).status;
    };
    expect([await status('https'), await status('http'), await status()]).toEqual([200, 403, 403]);
    const metrics = `${proxied.address.replace('https:', 'http:')}/metrics`;
    expect((await send('GET', metrics)).status).toBe(401);
    expect(await proxied.stop()).toBe(0);

    const watched = await ServerProcess.startWith(elsewhere, '--behind-proxy', '--metrics-secret', 'scraper');
    const watchedMetrics = `${watched.address.replace('https:', 'http:')}/metrics`;
    expect((await send('GET', watchedMetrics)).status).toBe(401);
    expect((await send('GET', watchedMetrics, { secret: 'scraper' })).status).toBe(200);
    expect(await watched.stop()).toBe(0);
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
