import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TOKEN } from './fake-datasets.ts';
import { RunningServer } from './running-server.ts';
import { stopDocumented } from './stop-documented.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await RunningServer.start();
});
beforeEach(() => server.datasets.stored.clear());
afterAll(() => stopDocumented(server));

const VERSIONS = '/datasets/shop/versions';
const json = { 'content-type': 'application/json' };
const UNSET = '0001-01-01T00:00:00Z';

function created(): Promise<unknown> {
  return server.form(VERSIONS, { token: TOKEN });
}

describe('versions', () => {
  it('are created, listed, got, updated and deleted', async () => {
    const version = {
      version_id: 'v1',
      created_at: '2024-05-06T07:08:09.123456Z',
      is_live: false,
      state: { ready: false, ready_at: UNSET, readable: false, readable_at: UNSET, writable: true },
    };
    const post = await server.form(VERSIONS, { token: TOKEN });
    expect([post.status, JSON.parse(post.text)]).toEqual([200, { data: version }]);
    const list = await server.ask(`${VERSIONS}?token=${TOKEN}`);
    expect([list.status, JSON.parse(list.text)]).toEqual([200, { data: [version] }]);
    const get = await server.ask(`${VERSIONS}/v1?token=${TOKEN}`);
    expect([get.status, JSON.parse(get.text)]).toEqual([200, { data: version }]);
    const state = JSON.stringify({ readable: true, writable: false });
    const patch = await server.form(`${VERSIONS}/v1`, { token: TOKEN, state }, { method: 'PATCH' });
    expect([patch.status, patch.text]).toEqual([200, '{"data":null}']);
    expect(server.datasets.stored.get('v1')?.state).toMatchObject({ readable: true, writable: false });
    const remove = await server.form(`${VERSIONS}/v1`, { token: TOKEN }, { method: 'DELETE' });
    expect([remove.status, remove.text]).toEqual([200, '{"data":null}']);
    expect(server.datasets.stored.size).toBe(0);
    for (const { text } of [post, list, get, patch, remove]) expect(text).not.toContain('error');
  });

  it('are found with a slash behind the path too', async () => {
    await server.form(`${VERSIONS}/`, { token: TOKEN });
    expect((await server.ask(`${VERSIONS}/?token=${TOKEN}`)).status).toBe(200);
    expect((await server.ask(`${VERSIONS}/v1/?token=${TOKEN}`)).status).toBe(200);
  });

  it.each([
    ['no body', {}],
    ['no body, but a content type', { headers: json }],
    ['an empty JSON body', { headers: json, body: '' }],
    ['an empty JSON object', { headers: json, body: '{}' }],
    ['a length of 0', { headers: { 'content-length': '0' } }],
  ])('are deleted by a request with %s', async (_, asked) => {
    await created();
    const answer = await server.ask(`${VERSIONS}/v1?token=${TOKEN}`, { method: 'DELETE', ...asked });
    expect([answer.status, answer.text]).toEqual([200, '{"data":null}']);
  });

  it('answer HEAD as GET, without a body', async () => {
    const answer = await server.ask(`${VERSIONS}?token=${TOKEN}`, { method: 'HEAD' });
    expect([answer.status, answer.text]).toEqual([200, '']);
  });
});

describe('parameters', () => {
  it.each([
    ['the query string', `?token=${TOKEN}`, undefined, {}],
    ['a form', '', `token=${TOKEN}`, { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' }],
    ['JSON', '', JSON.stringify({ token: TOKEN }), { 'content-type': 'Application/JSON; charset=utf-8' }],
    ['a body, which counts more', '?token=wrong', JSON.stringify({ token: TOKEN }), json],
  ])('come in %s', async (_, query, body, headers) => {
    const asked = { method: 'POST', headers, ...(body !== undefined && { body }) };
    expect((await server.ask(VERSIONS + query, asked)).status).toBe(200);
  });

  it('come in the body of no GET', async () => {
    const answer = await server.form(VERSIONS, { token: TOKEN }, { method: 'GET' });
    expect([answer.status, answer.text]).toEqual([400, '{"error":"Missing required parameter: token"}']);
  });

  it.each([
    ['a text', JSON.stringify(JSON.stringify({ readable: true, writable: true })), 200],
    ['an object', '{"readable":true,"writable":true}', 200],
    ['an object with more', '{"readable":true,"writable":true,"ready":true}', 200],
    ['half an object', '{"readable":true}', 400],
    ['an object of texts', '{"readable":"true","writable":"true"}', 400],
    ['a list', '[true,true]', 400],
    ['null', 'null', 400],
    ['a text that is no JSON', '"{readable:true}"', 400],
    ['a text of half an object', '"{\\"writable\\":true}"', 400],
    ['nothing of its own', '{"__proto__":{"readable":true,"writable":true}}', 400],
  ])('hold a state that is %s', async (_, state, status) => {
    await created();
    const body = `{"token":"${TOKEN}","state":${state}}`;
    const answer = await server.ask(`${VERSIONS}/v1`, { method: 'PATCH', headers: json, body });
    expect(answer.status).toBe(status);
    if (status === 400) expect(JSON.parse(answer.text).error).toMatch(/^Invalid parameter: state\. /);
  });

  it.each([
    ['token', 'POST', VERSIONS, {}, 'Missing required parameter: token'],
    ['state', 'PATCH', `${VERSIONS}/v1`, { token: TOKEN }, 'Missing required parameter: state'],
    ['dataset_id', 'POST', '/import-events', { data: 'x' }, 'Missing required parameter: dataset_id'],
    ['an empty token', 'POST', VERSIONS, { token: '' }, 'Invalid parameter: token'],
  ])('that lack %s are refused', async (_, method, path, fields, message) => {
    const answer = await server.form(`${path}?verbose=1`, fields, { method });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text).error.startsWith(message)).toBe(true);
  });

  it('that are given twice are refused', async () => {
    expect((await server.ask(`${VERSIONS}?token=a&token=b`)).text).toMatch(/Invalid parameter: token/);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const twice = await server.ask(VERSIONS, { method: 'POST', headers, body: 'token=a&token=b' });
    expect(twice.text).toMatch(/Invalid parameter: token/);
  });

  it.each([
    ['a form with half an escape', 'application/x-www-form-urlencoded', 'token=%4', 400],
    ['a form with no escape', 'application/x-www-form-urlencoded', 'token=%zz', 400],
    ['a form that is not UTF-8', 'application/x-www-form-urlencoded', 'token=%ff', 400],
    ['no JSON', 'application/json', '{token', 400],
    ['a JSON list', 'application/json', '[]', 400],
    ['JSON that is not UTF-8', 'application/json', Buffer.from([0x7b, 0xff, 0x7d]), 400],
    ['a form in parts', 'multipart/form-data; boundary=x', '--x--', 415],
    ['plain text', 'text/plain', 'token=a', 415],
    ['an unreadable content type', ';;;', 'token=a', 415],
  ])('in a body that is %s are refused', async (_, contentType, body, status) => {
    const answer = await server.ask(VERSIONS, { method: 'POST', headers: { 'content-type': contentType }, body });
    expect([answer.status, Object.keys(JSON.parse(answer.text))]).toEqual([status, ['error']]);
  });

  it('in a body without a content type, or in a compressed one, are refused with what to send', async () => {
    const without = await server.ask(VERSIONS, { method: 'POST', body: 'token=a' });
    expect([without.status, without.headers.accept]).toEqual([
      415,
      'application/x-www-form-urlencoded, application/json',
    ]);
    const compressed = await server.form(VERSIONS, { token: TOKEN }, { headers: { 'content-encoding': 'gzip' } });
    expect([compressed.status, compressed.headers['accept-encoding']]).toEqual([415, 'identity']);
  });
});
