import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TOKEN } from '../fake-datasets.ts';
import { RunningServer } from '../running-server.ts';
import { stopDocumented } from '../stop-documented.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await RunningServer.start();
});
beforeEach(() => server.datasets.stored.clear());
afterAll(() => stopDocumented(server));

const VERSIONS = '/datasets/shop/versions';
const json = { 'content-type': 'application/json' };
const UNSET = '0001-01-01T00:00:00Z';

function createVersion(): Promise<unknown> {
  return server.sendForm(VERSIONS, { token: TOKEN });
}

describe('versions', () => {
  it('can be created, listed, read, updated and deleted', async () => {
    const version = {
      version_id: 'v1',
      created_at: '2024-05-06T07:08:09.123456Z',
      is_live: false,
      state: { ready: false, ready_at: UNSET, readable: false, readable_at: UNSET, writable: true },
    };
    const post = await server.sendForm(VERSIONS, { token: TOKEN });
    expect([post.status, JSON.parse(post.text)]).toEqual([200, { data: version }]);
    const list = await server.request(`${VERSIONS}?token=${TOKEN}`);
    expect([list.status, JSON.parse(list.text)]).toEqual([200, { data: [version] }]);
    const get = await server.request(`${VERSIONS}/v1?token=${TOKEN}`);
    expect([get.status, JSON.parse(get.text)]).toEqual([200, { data: version }]);
    const state = JSON.stringify({ readable: true, writable: false });
    const patch = await server.sendForm(`${VERSIONS}/v1`, { token: TOKEN, state }, { method: 'PATCH' });
    expect([patch.status, patch.text]).toEqual([200, '{"data":null}']);
    expect(server.datasets.stored.get('v1')?.state).toMatchObject({ readable: true, writable: false });
    const remove = await server.sendForm(`${VERSIONS}/v1`, { token: TOKEN }, { method: 'DELETE' });
    expect([remove.status, remove.text]).toEqual([200, '{"data":null}']);
    expect(server.datasets.stored.size).toBe(0);
    for (const { text } of [post, list, get, patch, remove]) expect(text).not.toContain('error');
  });

  it('are found by a path with a trailing slash', async () => {
    await server.sendForm(`${VERSIONS}/`, { token: TOKEN });
    expect((await server.request(`${VERSIONS}/?token=${TOKEN}`)).status).toBe(200);
    expect((await server.request(`${VERSIONS}/v1/?token=${TOKEN}`)).status).toBe(200);
  });

  it.each([
    ['no body', {}],
    ['no body, but a content type', { headers: json }],
    ['an empty JSON body', { headers: json, body: '' }],
    ['an empty JSON object', { headers: json, body: '{}' }],
    ['a length of 0', { headers: { 'content-length': '0' } }],
  ])('are deleted by a request with %s', async (_, options) => {
    await createVersion();
    const response = await server.request(`${VERSIONS}/v1?token=${TOKEN}`, { method: 'DELETE', ...options });
    expect([response.status, response.text]).toEqual([200, '{"data":null}']);
  });

  it('answer HEAD like GET, without a body', async () => {
    const response = await server.request(`${VERSIONS}?token=${TOKEN}`, { method: 'HEAD' });
    expect([response.status, response.text]).toEqual([200, '']);
  });
});

describe('parameters', () => {
  it.each([
    ['the query string', `?token=${TOKEN}`, undefined, {}],
    ['a form', '', `token=${TOKEN}`, { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' }],
    ['JSON', '', JSON.stringify({ token: TOKEN }), { 'content-type': 'Application/JSON; charset=utf-8' }],
    ['a body, which overrides the query string', '?token=wrong', JSON.stringify({ token: TOKEN }), json],
  ])('can be in %s', async (_, query, body, headers) => {
    const options = { method: 'POST', headers, ...(body !== undefined && { body }) };
    expect((await server.request(VERSIONS + query, options)).status).toBe(200);
  });

  it('are ignored in the body of a GET request', async () => {
    const response = await server.sendForm(VERSIONS, { token: TOKEN }, { method: 'GET' });
    expect([response.status, response.text]).toEqual([400, '{"error":"Missing required parameter: token"}']);
  });

  it.each([
    ['a JSON string', JSON.stringify(JSON.stringify({ readable: true, writable: true })), 200],
    ['an object', '{"readable":true,"writable":true}', 200],
    ['an object with another field', '{"readable":true,"writable":true,"ready":true}', 200],
    ['half an object', '{"readable":true}', 400],
    ['an object of strings', '{"readable":"true","writable":"true"}', 400],
    ['a list', '[true,true]', 400],
    ['null', 'null', 400],
    ['a string that is not JSON', '"{readable:true}"', 400],
    ['a JSON string of half an object', '"{\\"writable\\":true}"', 400],
    ['an object with inherited fields only', '{"__proto__":{"readable":true,"writable":true}}', 400],
  ])('with %s as the state, %s, are answered with %i', async (_, state, status) => {
    await createVersion();
    const body = `{"token":"${TOKEN}","state":${state}}`;
    const response = await server.request(`${VERSIONS}/v1`, { method: 'PATCH', headers: json, body });
    expect(response.status).toBe(status);
    if (status === 400) expect(JSON.parse(response.text).error).toMatch(/^Invalid parameter: state\. /);
  });

  it.each([
    ['no token', 'POST', VERSIONS, {}, 'Missing required parameter: token'],
    ['no state', 'PATCH', `${VERSIONS}/v1`, { token: TOKEN }, 'Missing required parameter: state'],
    ['no dataset_id', 'POST', '/import-events', { data: 'x' }, 'Missing required parameter: dataset_id'],
    ['an empty token', 'POST', VERSIONS, { token: '' }, 'Invalid parameter: token'],
  ])('are refused with %s', async (_, method, path, fields, message) => {
    const response = await server.sendForm(`${path}?verbose=1`, fields, { method });
    expect(response.status).toBe(400);
    expect(JSON.parse(response.text).error.startsWith(message)).toBe(true);
  });

  it('are refused if one is given twice', async () => {
    expect((await server.request(`${VERSIONS}?token=a&token=b`)).text).toMatch(/Invalid parameter: token/);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const twice = await server.request(VERSIONS, { method: 'POST', headers, body: 'token=a&token=b' });
    expect(twice.text).toMatch(/Invalid parameter: token/);
  });

  it.each([
    ['a form with a truncated escape', 'application/x-www-form-urlencoded', 'token=%4', 400],
    ['a form with an invalid escape', 'application/x-www-form-urlencoded', 'token=%zz', 400],
    ['a form that is not UTF-8', 'application/x-www-form-urlencoded', 'token=%ff', 400],
    ['not JSON', 'application/json', '{token', 400],
    ['a JSON list', 'application/json', '[]', 400],
    ['JSON that is not UTF-8', 'application/json', Buffer.from([0x7b, 0xff, 0x7d]), 400],
    ['a multipart form', 'multipart/form-data; boundary=x', '--x--', 415],
    ['plain text', 'text/plain', 'token=a', 415],
    ['of an unreadable content type', ';;;', 'token=a', 415],
  ])('are refused in a body that is %s', async (_, contentType, body, status) => {
    const response = await server.request(VERSIONS, { method: 'POST', headers: { 'content-type': contentType }, body });
    expect([response.status, Object.keys(JSON.parse(response.text))]).toEqual([status, ['error']]);
  });

  it('are refused without a content type or compressed, and the response names the accepted formats', async () => {
    const without = await server.request(VERSIONS, { method: 'POST', body: 'token=a' });
    expect([without.status, without.headers.accept]).toEqual([
      415,
      'application/x-www-form-urlencoded, application/json',
    ]);
    const compressed = await server.sendForm(VERSIONS, { token: TOKEN }, { headers: { 'content-encoding': 'gzip' } });
    expect([compressed.status, compressed.headers['accept-encoding']]).toEqual([415, 'identity']);
  });
});
