import https from 'node:https';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { QueryError, QueryLimitError } from '../../../../src/queries/errors.ts';
import { signParameters } from '../../../../src/service/server/access/signed-access.ts';
import { DatabaseBusyError, DepthLimitError, MemoryLimitError } from '../../../../src/service/store/store-error.ts';
import { eventually } from '../../../eventually.ts';
import { DATASET_SECRET, SECRET, TOKEN } from '../fake-datasets.ts';
import { type HttpResponse, RunningServer } from '../running-server.ts';
import { stopDocumented } from '../stop-documented.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await RunningServer.start();
});
beforeEach(() => {
  server.services.result = { buckets: [], series: [] };
});
afterAll(() => stopDocumented(server));

const DATES = { from_date: '2024-02-01', to_date: '2024-02-29' };
const SEGMENTATION = { event: 'a', ...DATES };
const ON = { ...SEGMENTATION, on: 'properties["x"]' };
const MORE = { ...ON, to_date: '2024-03-02' };
const RETENTION = { ...DATES, born_event: 'a' };

function parseError({ status, text, headers }: HttpResponse): string {
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  const { error, request, ...rest } = JSON.parse(text);
  expect([rest, typeof request, status]).toEqual([{}, 'string', status]);
  return `${status} ${error}`;
}

describe('parameters are refused with the documented messages', () => {
  it.each<[path: string, parameters: Record<string, string>, error: string]>([
    ['annotations', { from_date: '2024-02-30' }, 'Invalid parameter: from_date'],
    ['annotations', { from_date: '2024-02-02', to_date: '2024-02-01' }, 'Invalid parameter: to_date'],
    ['annotations/create', { description: 'x' }, 'Missing required parameter: date'],
    ['annotations/create', { date: '2024-02-01', description: 'x' }, 'Invalid parameter: date'],
    ['annotations/create', { date: '2024-02-01 24:00:00', description: 'x' }, 'Invalid parameter: date'],
    ['annotations/create', { date: '2024-02-01 00:00:00' }, 'Missing required parameter: description'],
    ['annotations/update', { id: 'x', date: '', description: '' }, 'Invalid parameter: id'],
    ['annotations/delete', {}, 'Missing required parameter: id'],
    ['annotations/delete', { id: '0' }, 'Invalid parameter: id'],
    ['events', DATES, 'Missing required parameter: event'],
    ['events', { ...DATES, event: 'a' }, 'Invalid JSON Format: event'],
    ['events', { ...DATES, event: '"a"' }, 'Invalid parameter: event'],
    ['events', { ...DATES, event: '[]' }, 'Invalid parameter: event'],
    ['events', { ...DATES, event: '["a",1]' }, 'Invalid parameter: event'],
    ['events', { ...DATES, event: '["a"]', type: 'total' }, 'Invalid parameter: type'],
    ['events', { ...DATES, event: '["a"]', unit: 'year' }, 'Invalid parameter: unit'],
    ['events', { ...DATES, event: '["a"]', unit: 'hour', type: 'unique' }, 'Invalid parameter: unit'],
    ['events', { ...DATES, event: '["a"]', unit: 'minute', type: 'unique' }, 'Invalid parameter: unit'],
    ['events', { ...DATES, event: '["a"]', format: 'xml' }, 'Invalid parameter: format'],
    ['events', { event: '["a"]' }, 'Missing required parameter: from_date'],
    ['events', { event: '["a"]', interval: '0' }, 'Invalid parameter: interval'],
    ['events', { event: '["a"]', interval: '1.5' }, 'Invalid parameter: interval'],
    ['events', { event: '["a"]', interval: '1', from_date: '2024-02-01' }, 'Missing required parameter: to_date'],
    ['events', { event: '["a"]', interval: '1', to_date: '2024-02-01' }, 'Missing required parameter: from_date'],
    ['events', { event: '["a"]', dataset_id: 'other', interval: '1' }, 'Invalid parameter: dataset_id'],
    ['events', { event: '["a"]', dataset_version: 'v2', interval: '1' }, 'Invalid parameter: dataset_version'],
    ['events/top', { limit: 'all' }, 'Invalid parameter: limit'],
    ['events/names', { type: '', limit: '-1' }, 'Invalid parameter: limit'],
    ['events/names', { dataset_id: 'shop', dataset_version: 'v9' }, 'Invalid parameter: dataset_version'],
    ['events/names', { dataset_id: 'other', dataset_version: 'v1' }, 'Invalid parameter: dataset_id'],
    ['events/properties', { ...SEGMENTATION }, 'Missing required parameter: name'],
    ['events/properties', { ...SEGMENTATION, name: 'x', values: 'y' }, 'Invalid JSON Format: values'],
    ['events/properties', { ...SEGMENTATION, name: 'x', values: '{}' }, 'Invalid parameter: values'],
    ['events/properties', { ...SEGMENTATION, name: 'x', values: '[[1]]' }, 'Invalid parameter: values'],
    ['events/properties', { ...SEGMENTATION, name: 'x', unit: 'hour', type: 'unique' }, 'Invalid parameter: unit'],
    ['events/properties/top', {}, 'Missing required parameter: event'],
    ['events/properties/values', { event: 'a', name: 'x', limit: '10001' }, 'Invalid parameter: limit'],
    ['overview/values', { name: 'x', limit: '1001' }, 'Invalid parameter: limit'],
    ['funnels', DATES, 'Missing required parameter: funnel_id'],
    ['funnels', { funnel_id: '4', ...DATES }, 'Invalid parameter: funnel_id'],
    ['funnels', { steps: '[]', ...DATES }, 'Invalid parameter: steps'],
    ['funnels', { steps: '[{"event":""}]', ...DATES }, 'Invalid parameter: steps'],
    ['funnels', { steps: '[{"event":"a","where":1}]', ...DATES }, 'Invalid parameter: steps'],
    ['funnels', { steps: `[${Array(21).fill('{"event":"a"}')}]`, ...DATES }, 'Invalid parameter: steps'],
    ['funnels', { steps: '[', ...DATES }, 'Invalid JSON Format: steps'],
    ['funnels', { funnel_id: '3', from_date: '2024-02-01' }, 'Missing required parameter: to_date'],
    ['funnels', { funnel_id: '3', ...DATES, length: '91' }, 'Invalid parameter: length'],
    ['funnels', { funnel_id: '3', ...DATES, length: '2161', length_unit: 'hour' }, 'Invalid parameter: length'],
    ['funnels', { funnel_id: '3', ...DATES, length_unit: 'week' }, 'Invalid parameter: length_unit'],
    ['funnels', { funnel_id: '3', ...DATES, unit: 'hour' }, 'Invalid parameter: unit'],
    ['funnels', { funnel_id: '3', ...DATES, limit: '10001' }, 'Invalid parameter: limit'],
    ['segmentation', DATES, 'Missing required parameter: event'],
    ['segmentation', { event: 'a', to_date: '2024-02-01' }, 'Missing required parameter: from_date'],
    ['segmentation', { ...SEGMENTATION, from_date: '2024-2-1' }, 'Invalid parameter: from_date'],
    ['segmentation', { ...SEGMENTATION, from_date: '2024-03-01' }, 'Invalid parameter: to_date'],
    ['segmentation', { ...SEGMENTATION, unit: 'week' }, 'Invalid parameter: unit'],
    ['segmentation', { ...SEGMENTATION, limit: '10001' }, 'Invalid parameter: limit'],
    ['segmentation', { ...SEGMENTATION, limit: '1e3' }, 'Invalid parameter: limit'],
    ['segmentation/numeric', SEGMENTATION, 'Missing required parameter: on'],
    ['segmentation/numeric', { ...ON, unit: 'month' }, 'Invalid parameter: unit'],
    ['segmentation/numeric', { ...ON, buckets: '0' }, 'Invalid parameter: buckets'],
    ['segmentation/numeric', MORE, 'Invalid date range'],
    ['segmentation/sum', MORE, 'Invalid date range'],
    ['segmentation/average', MORE, 'Invalid date range'],
    ['segmentation/sum', { ...ON, unit: 'minute' }, 'Invalid parameter: unit'],
    ['retention', DATES, 'Missing required parameter: born_event'],
    ['retention', { ...RETENTION, retention_type: 'death' }, 'Invalid parameter: retention_type'],
    ['retention', { ...RETENTION, interval: '91' }, 'Invalid parameter: interval'],
    ['retention', { ...RETENTION, interval_count: '-1' }, 'Invalid parameter: interval_count'],
    ['retention', { ...RETENTION, unit: 'hour' }, 'Invalid parameter: unit'],
    ['retention/addiction', { ...DATES, unit: 'hour' }, 'Invalid parameter: unit'],
    ['retention/addiction', { ...DATES, addiction_unit: 'week' }, 'Invalid parameter: addiction_unit'],
    ['engage', { page: '1' }, 'Missing required parameter: session_id'],
    ['engage', { page: '-1', session_id: 's' }, 'Invalid parameter: page'],
    ['engage', { dataset_id: 'other' }, 'Invalid parameter: dataset_id'],
    ['events/names', { callback: 'alert(1)' }, 'Invalid parameter: callback'],
    ['events/names', { callback: 'a..b' }, 'Invalid parameter: callback'],
    ['events/names', { callback: '1a' }, 'Invalid parameter: callback'],
    ['events/names', { callback: 'f'.repeat(129) }, 'Invalid parameter: callback'],
  ])('%s %o', async (path, parameters, error) => {
    const query = new URLSearchParams(parameters);
    const response = await server.request(`/api/2.0/${path}?${query}`);
    const message = parseError(response);
    const [words, ...reason] = message.split('. ');
    expect(words).toBe(`400 ${error}`);
    // The message for a missing parameter gives no reason.
    expect(reason.join('. ')).toMatch(error.startsWith('Missing') ? /^$/ : /^[A-Z].*\.$/);
    expect(JSON.parse(response.text).request).toBe(`/api/2.0/${path}?${query}`);
    const posted = await server.sendForm(`/api/2.0/${path}/`, parameters);
    expect(parseError(posted)).toBe(message);
    expect(JSON.parse(posted.text).request).toBe(`/api/2.0/${path}/${query.size === 0 ? '' : `?${query}`}`);
  });

  it.each<[path: string, parameters: Record<string, string>, error: string]>([
    ['segmentation', { ...SEGMENTATION, unit: 'week' }, 'unit. Expected `minute`, `hour`, `day`, `month`.'],
    ['segmentation', { ...SEGMENTATION, limit: '0' }, 'limit. Expected an integer from 1 to 10,000.'],
    ['segmentation', { ...SEGMENTATION, from_date: '2024-03-01' }, 'to_date. It must not be before `from_date`.'],
    ['retention', { ...RETENTION, interval_count: '10001' }, 'interval_count. Expected an integer from 0 to 10,000.'],
    [
      'funnels',
      { funnel_id: '3', ...DATES, length_unit: 'day', length: '91' },
      'length. The maximum length of a funnel is 90 days.',
    ],
  ])('with a reason: %s %o', async (path, parameters, error) => {
    const response = await server.request(`/api/2.0/${path}?${new URLSearchParams(parameters)}`);
    expect(parseError(response)).toBe(`400 Invalid parameter: ${error}`);
  });

  it('with a reason, if the date range is too long', async () => {
    const response = await server.request(`/api/2.0/segmentation/sum?${new URLSearchParams(MORE)}`);
    expect(parseError(response)).toBe('400 Invalid date range. It has 31 days; the maximum is 30.');
  });

  it('if the annotation does not exist', async () => {
    server.services.result = false;
    const annotation = { id: '9', date: '2024-02-01 00:00:00', description: 'x' };
    for (const path of ['update', 'delete'])
      expect(parseError(await server.sendForm(`/api/2.0/annotations/${path}`, annotation))).toMatch(
        /^400 Invalid parameter: id\. /,
      );
  });

  it.each(['%', '%f', '%zz', '%ff', 'x%C3', '%ED%A0%80'])(
    'if the query string or the form cannot be decoded: %j',
    async (value) => {
      const query = `event=${value}&from_date=2024-02-01&to_date=2024-02-02`;
      const got = await server.request(`/api/2.0/segmentation?${query}`);
      expect(parseError(got)).toMatch('400 The query string is not percent-encoded UTF-8');
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const posted = await server.request('/api/2.0/segmentation', { method: 'POST', headers, body: query });
      expect(parseError(posted)).toMatch(/^400 The form /);
    },
  );

  it('if the query string has one twice', async () => {
    expect(parseError(await server.request('/api/2.0/events?event=["a"]&event=["b"]&interval=1'))).toBe(
      '400 Invalid parameter: event. It is given twice.',
    );
    expect(parseError(await server.request('/api/2.0/engage?where=true&selector=true&selector=false'))).toBe(
      '400 Invalid parameter: selector. It is given twice.',
    );
  });

  it.each([
    ['a number instead of a string', { ...SEGMENTATION, event: 1 }, 'event'],
    ['a boolean instead of a string', { ...SEGMENTATION, where: false }, 'where'],
    ['a list instead of a number', { ...SEGMENTATION, limit: [1] }, 'limit'],
    ['an object instead of a string', { ...SEGMENTATION, type: {} }, 'type'],
  ])('if a JSON body has %s', async (_, json, name) => {
    const response = await server.request('/api/2.0/segmentation', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(json),
    });
    expect(parseError(response)).toMatch(`400 Invalid parameter: ${name}. Expected `);
    expect(JSON.parse(response.text).request).toMatch(/^\/api\/2\.0\/segmentation\?event=/);
  });
});

describe('queries', () => {
  it.each<[error: Error, response: string]>([
    [
      new QueryError('selector', 'no such operator at 3', ['where']),
      '400 Query Error in selector, no such operator at 3',
    ],
    [new QueryError('action', 'no such operator at 3'), '400 Query Error in action, no such operator at 3'],
    [new QueryError('parameter', 'Too many.', ['unit', 'to_date']), '400 Invalid parameter: to_date. Too many.'],
    [new QueryError('parameter', 'Too many.', ['unit', 'limit']), '400 Too many.'],
    [new QueryError('parameter', 'The answer has too many numbers'), '400 The answer has too many numbers'],
    [new QueryLimitError('time limit', 'The query takes too long'), '503 The query takes too long'],
    [
      new DepthLimitError('ClickHouse: Stack size too large'),
      '400 The expression is too deeply nested or too long for the database: remove parentheses, shorten chains of operators, or read fewer properties as dates.',
    ],
    [
      new MemoryLimitError('DuckDB: Out of Memory Error: something of operators'),
      '503 The query ran out of memory: reduce it, for example to fewer days or segments.',
    ],
    [
      new DatabaseBusyError('DuckDB: IO Error: Conflicting lock is held in /usr/bin/node (PID 12)'),
      '503 Another process still has the database file of this project open: retry later.',
    ],
  ])('fail with the documented message: %s', async (error, message) => {
    server.services.result = () => {
      throw error;
    };
    const response = await server.request(`/api/2.0/segmentation?${new URLSearchParams(SEGMENTATION)}`);
    expect(parseError(response)).toBe(message);
  });

  it.each(['where', 'selector'])('fail with the parameter name that the client used: %s', async (name) => {
    server.services.result = () => {
      throw new QueryError('parameter', 'Another session.', ['where']);
    };
    const response = await server.request(`/api/2.0/engage?${name}=true`);
    expect(parseError(response)).toBe(`400 Invalid parameter: ${name}. Another session.`);
  });

  it('log the details of an internal error and hide them from the client', async () => {
    server.services.result = () => {
      throw new TypeError('something inside that nobody should see');
    };
    const response = await server.request(`/api/2.0/segmentation?${new URLSearchParams(SEGMENTATION)}`);
    expect(parseError(response)).toMatch(/^500 Internal server error: see request /);
    expect(server.log.join()).toContain('something inside');
  });

  it('are refused with 503 while too many are waiting', async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.services.result = () => gate.then(() => []);
    const requestNames = (limit: number) => server.request(`/api/2.0/events/names?limit=${limit}`);
    const responses = [1, 2, 3, 4].map(requestNames);
    const readMetrics = async () => (await server.request('/metrics')).text;
    await expect.poll(readMetrics).toMatch(/onwhere_queries_running 2\n.*onwhere_queries_waiting 2\n/s);
    const refused = await requestNames(5);
    expect(parseError(refused)).toMatch(/^503 The server has as many queries as it can answer/);
    expect(refused.headers['retry-after']).toBe('5');
    release();
    expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('are refused with 503 while their responses have too many bytes in total', async () => {
    const small = await RunningServer.start({ limits: { answerBytesAtOnce: 2000 } });
    small.services.result = ['x'.repeat(1000)];
    const refused = await small.request('/api/2.0/events/names');
    expect(parseError(refused)).toMatch(/^503 The server is sending too many responses/);
    expect(refused.headers['retry-after']).toBe('5');
    small.services.result = ['x'.repeat(900)];
    for (let times = 0; times < 3; times++) expect((await small.request('/api/2.0/events/names')).status).toBe(200);
    await small.stop();
  });

  it('may take longer than the timeouts for requests', async () => {
    const hasty = await RunningServer.start({ limits: { headersMs: 500, requestMs: 500 } });
    // The server checks for timeouts every 500 ms.
    hasty.services.result = () => new Promise((resolve) => setTimeout(resolve, 1_500, []));
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
    // A busy machine may need longer for a TLS handshake, but not for a request on a connection that is open.
    await eventually(() => hasty.request('/healthz', { agent }));
    expect((await hasty.request('/api/2.0/events/names', { agent })).text).toBe('[]');
    agent.destroy();
    await hasty.stop();
  });

  it('are cancelled when the client disconnects', async () => {
    server.datasets.reads.length = 0;
    server.services.result = () => new Promise(() => undefined);
    const socket = await server.connect();
    const { default: tls } = await import('node:tls');
    const client = tls.connect({ socket, rejectUnauthorized: false });
    const authorization = `authorization: Basic ${Buffer.from(`${SECRET}:`).toString('base64')}`;
    client.write(`GET /api/2.0/events/names?limit=77 HTTP/1.1\r\nhost: x\r\n${authorization}\r\n\r\n`);
    await expect.poll(() => server.datasets.reads.length).toBe(1);
    expect(server.datasets.reads[0]?.signal?.aborted).toBe(false);
    client.destroy();
    await expect.poll(() => server.datasets.reads[0]?.signal?.aborted).toBe(true);
  });
});

describe('a path', () => {
  it.each(['/api/2.0/nothing/', '/api/2.0', '/api/2.0/?x=1', '/api/2.0/events/none', '/api/2.0/Events'])(
    'is an invalid endpoint if it is unknown: %s',
    async (path) => {
      const response = await server.request(path);
      expect(parseError(response)).toBe(`404 Invalid endpoint: ${path.replace('?x=1', '')}`);
      expect(JSON.parse(response.text).request).toBe(path);
    },
  );

  it('accepts GET, HEAD and POST only', async () => {
    const response = await server.request('/api/2.0/events/', { method: 'DELETE' });
    expect(parseError(response)).toBe('405 DELETE is not allowed here: use GET, HEAD, POST');
    expect(response.headers.allow).toBe('GET, HEAD, POST');
  });

  it('is refused in the same format if it cannot be decoded', async () => {
    expect(parseError(await server.request('/api/2.0/%zz'))).toMatch(/^400 The path is not percent-encoded UTF-8/);
  });
});

describe('access', () => {
  it.each([
    ['no secret', null],
    ['another secret', 'other'],
    ['the secret of a dataset', DATASET_SECRET],
  ])('is refused with %s', async (_, secret) => {
    const response = await server.request('/api/2.0/events/names', { secret });
    expect(parseError(response)).toMatch(/^401 (?:Th(?:e|is) secret|Unknown secret)/);
    expect(response.headers['www-authenticate']).toMatch(/^Basic /);
    const posted = await server.sendForm('/api/2.0/events/names', {}, { secret });
    expect(parseError(posted)).toMatch(/^401 (?:Th(?:e|is) secret|Unknown secret)/);
  });

  it('is refused over plain HTTP before the secret is checked', async () => {
    const response = await server.request('/api/2.0/events/names?a=1', { plain: true, secret: 'other' });
    expect(parseError(response)).toMatch(/^403 Plain HTTP is refused/);
    expect(JSON.parse(response.text).request).toBe('/api/2.0/events/names?a=1');
  });

  it('is refused without reading a large body', async () => {
    const body = { where: 'x'.repeat(1024 * 1024) };
    expect(parseError(await server.sendForm('/api/2.0/events/names', body, { secret: null }))).toMatch(/^413 /);
  });

  it('reveals no secrets in the log or in responses', () => {
    const revealed = [...server.log, ...server.responses.map(({ response }) => response.text)].join();
    for (const secret of [SECRET, DATASET_SECRET]) expect(revealed).not.toContain(secret);
  });
});

describe('a callback', () => {
  /** Sends a signed request without a secret. */
  function sendSigned(path: string, parameters: Record<string, string>): Promise<HttpResponse> {
    const { callback, ...given }: Record<string, string> = { api_key: TOKEN, expire: '4102444800', ...parameters };
    const query = new URLSearchParams({ ...given, ...(callback && { callback }), sig: signParameters(given, SECRET) });
    return server.request(`/api/2.0/${path}?${query}`, { secret: null });
  }

  it.each(['f', 'jQuery111_2', '$.ajax.done', 'Ünï.çod', 'f'.repeat(128)])(
    '%s is called with the response',
    async (name) => {
      server.services.result = ['\u2028', '</script>'];
      const { status, text, headers } = await sendSigned('events/names', { callback: name });
      expect([status, text]).toEqual([200, `/**/${name}(["\\u2028","</script>"]);`]);
      expect(headers).toMatchObject({
        'content-type': 'application/javascript; charset=utf-8',
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
      });
    },
  );

  it.each([
    ['segmentation', {}, /"Missing required parameter: event"/, 400],
    ['none', {}, /"Invalid endpoint: /, 404],
    ['events/names', { sig: 'x' }, /"Invalid signature: /, 401],
    ['events/names', { expire: '1' }, /"The signature has expired/, 401],
  ])(
    'is called with errors too, with status 200 because browsers do not run failed scripts: %s %o',
    async (path, given, error, logged) => {
      const { sig, ...parameters } = given as Record<string, string>;
      const response = sig
        ? await server.request(`/api/2.0/${path}?api_key=${TOKEN}&expire=4102444800&sig=${sig}&callback=f`, {
            secret: null,
          })
        : await sendSigned(path, { ...parameters, callback: 'f' });
      expect([response.status, response.text]).toEqual([200, expect.stringMatching(/^\/\*\*\/f\(\{"error":/)]);
      expect(response.text).toMatch(error);
      expect(response.headers).toMatchObject({
        'content-type': 'application/javascript; charset=utf-8',
        'cross-origin-resource-policy': 'cross-origin',
      });
      expect(response.headers['www-authenticate']).toBeUndefined();
      expect(JSON.parse(server.log.at(-1) as string)).toMatchObject({ status: logged });
    },
  );

  it('is called with a long response, whose chunks do not split characters', async () => {
    for (const before of ['', 'x']) {
      const long = [before + '𝄞\u2028'.repeat(100_000)];
      server.services.result = long;
      const { text, headers } = await sendSigned('events/names', { callback: 'f', limit: String(1 + before.length) });
      expect(text).not.toMatch(/[\u2028\ufffd]/);
      expect(headers['content-length']).toBeUndefined();
      let shown: unknown;
      new Function('f', text)((response: unknown) => (shown = response));
      expect(shown).toEqual(long);
    }
  });

  it('is called with CSV as a string', async () => {
    const { text } = await sendSigned('events', { callback: 'f', event: '["a"]', interval: '1', format: 'csv' });
    expect(text).toBe('/**/f("date\\r\\n");');
  });

  const CALLED = '/api/2.0/events/names?callback=f';

  it.each<Record<string, string>>([
    {},
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none', referer: 'https://example.com/' },
    { referer: 'https://localhost/page', host: 'localhost' },
  ])('is called for a secret in a header, unless the browser says cross-site: %o', async (headers) => {
    server.services.result = ['a'];
    const { status, text } = await server.request(CALLED, { headers });
    expect([status, text]).toEqual([200, '/**/f(["a"]);']);
  });

  it.each<Record<string, string>>([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', referer: 'https://localhost/', host: 'localhost' },
    { origin: 'https://example.com' },
    { referer: 'https://example.com/page', host: 'localhost' },
    { referer: 'about:client', host: 'localhost' },
  ])('is called with a refusal if a script of another site adds a remembered secret: %o', async (headers) => {
    server.services.calls.length = 0;
    const { status, text } = await server.request(CALLED, { headers });
    expect([status, text]).toEqual([200, expect.stringContaining('f({"error":"Cross-site requests with a secret')]);
    expect(server.services.calls).toEqual([]);
  });

  it('is called with a refusal without a secret', async () => {
    const { status, text } = await server.request(CALLED, { secret: null });
    expect([status, text]).toEqual([200, expect.stringContaining('f({"error":"The secret is missing')]);
  });

  it('is ignored if empty', async () => {
    server.services.result = ['a'];
    expect((await server.request('/api/2.0/events/names?callback=')).text).toBe('["a"]');
  });
});
