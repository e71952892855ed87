import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getCurrentTime } from '../../../../src/base/current-time.ts';
import { ENDPOINTS } from '../../../../src/queries/endpoints/endpoints.ts';
import { signParameters } from '../../../../src/service/server/access/signed-access.ts';
import { SECRET, TOKEN } from '../fake-datasets.ts';
import { RunningServer } from '../running-server.ts';
import { stopDocumented } from '../stop-documented.ts';

/** The parameters of the example in the specification, whose secret is `s`. */
const CHECKED = {
  unit: 'day',
  api_key: 'k',
  where: 'properties["x"] == "é"',
  event: '["a","b"]',
  expire: '1400000000',
};

let server: RunningServer;
beforeAll(async () => {
  server = await RunningServer.start();
  server.services.result = [];
});
afterAll(() => stopDocumented(server));

describe('a signature', () => {
  it('equals the example in the specification', () => {
    expect(signParameters(CHECKED, 's')).toBe('eb6abd97be2582fa6e199fec183d4346');
  });

  it('covers all parameters except itself and the callback', () => {
    expect(signParameters({ ...CHECKED, sig: 'x', callback: 'f' }, 's')).toBe(signParameters(CHECKED, 's'));
    expect(signParameters({ ...CHECKED, other: 'x' }, 's')).not.toBe(signParameters(CHECKED, 's'));
  });

  const parameters = (expire = getCurrentTime() + 60): Record<string, string> => ({
    api_key: TOKEN,
    expire: String(expire),
    dataset_id: 'shop',
  });
  const sign = (given = parameters()) => ({ ...given, sig: signParameters(given, SECRET) });
  const path = '/api/2.0/events/names/';

  it.each([
    ['lower case', (sig: string) => sig],
    ['upper case', (sig: string) => sig.toUpperCase()],
  ])('gives access to its project in %s', async (_, spell) => {
    const given = { ...sign(), sig: spell(sign().sig), callback: 'f' };
    const got = await server.request(`${path}?${new URLSearchParams(given)}`, { secret: null });
    expect([got.status, got.text]).toEqual([200, '/**/f([]);']);
    expect((await server.sendForm(path, given, { secret: null })).status).toBe(200);
    const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(given) };
    expect((await server.request(path, { ...json, secret: null })).status).toBe(200);
  });

  it('can be in the query string or the body, like the parameters that it covers', async () => {
    const given = Object.entries(sign());
    for (let mask = 0; mask < 2 ** given.length; mask++) {
      const inQuery = given.filter((_, index) => mask & (1 << index));
      const inBody = given.filter((_, index) => !(mask & (1 << index)));
      const url = `${path}?${new URLSearchParams(inQuery)}`;
      expect([url, (await server.sendForm(url, Object.fromEntries(inBody), { secret: null })).status]).toEqual([
        url,
        200,
      ]);
      const changed = Object.fromEntries([...inBody, ['limit', '1']]);
      expect([url, (await server.sendForm(url, changed, { secret: null })).status]).toEqual([url, 401]);
    }
  });

  it.each<[flaw: string, given: Record<string, string>, status: number, error: RegExp]>([
    [
      'made with another secret',
      { ...parameters(), sig: signParameters(parameters(), 'other') },
      401,
      /^Invalid signature: /,
    ],
    ['made for other parameters', { ...sign(), where: 'true' }, 401, /^Invalid signature: /],
    ['made for another project', sign({ ...parameters(), api_key: 'other' }), 401, /^Invalid signature: /],
    ['that is one letter', { ...parameters(), sig: 'é' }, 401, /^Invalid signature: /],
    ['that is too short', { ...parameters(), sig: 'ab' }, 401, /^Invalid signature: /],
    ['that is not hexadecimal', { ...parameters(), sig: 'é'.repeat(32) }, 401, /^Invalid signature: /],
    ['that has expired', sign(parameters(getCurrentTime() - 1)), 401, /^The signature has expired/],
    ['with an invalid expiry time', sign({ api_key: TOKEN, expire: 'soon' }), 400, /^Invalid parameter: expire\. /],
    ['without an expiry time', sign({ api_key: TOKEN }), 400, /^Missing required parameter: expire$/],
    ['without a project', sign({ expire: '1' }), 400, /^Missing required parameter: api_key$/],
    ['that is missing', parameters(), 400, /^Missing required parameter: sig$/],
  ])('is refused: one %s', async (_, given, status, error) => {
    for (const response of [
      await server.request(`${path}?${new URLSearchParams(given)}`, { secret: null }),
      await server.sendForm(path, given, { secret: null }),
    ]) {
      expect([response.status, JSON.parse(response.text).error]).toEqual([status, expect.stringMatching(error)]);
      expect(response.headers['www-authenticate'] !== undefined).toBe(status === 401);
      expect(response.text).not.toContain(SECRET);
    }
  });

  it('does not allow writes', async () => {
    for (const { path: write, isWrite, example } of ENDPOINTS) {
      if (!isWrite) continue;
      const given = sign({ ...example, api_key: TOKEN, expire: '4102444800' });
      const got = await server.request(`/api/2.0${write}?${new URLSearchParams(given)}`, { secret: null });
      expect([got.status, JSON.parse(got.text).error]).toEqual([
        401,
        expect.stringMatching(/^This signature opens no changes of annotations/),
      ]);
    }
    expect(server.services.calls.filter(([name]) => name.startsWith('annotations'))).toEqual([]);
  });

  it('does not allow parameters that the endpoint does not have', async () => {
    for (const name of ['x', 'where', 'properties["a"] ', '']) {
      const given = sign({ ...parameters(), [name]: 'y' });
      const got = await server.request(`${path}?${new URLSearchParams(given)}`, { secret: null });
      expect([got.status, JSON.parse(got.text).error]).toEqual([
        400,
        `Invalid parameter: ${name}. Signed requests may only have parameters of their endpoint.`,
      ]);
    }
  });

  const FILTER = 'properties["secret of"] == "a" and properties["x"] != "y=z"';
  const filtered = ENDPOINTS.filter(({ parameters: declared }) => 'where' in declared);

  it.each(filtered.map((one) => [one.path, one] as const))(
    'protects the filter of %s',
    async (endpoint, { example }) => {
      server.services.result = {
        // The lines of an export.
        [Symbol.iterator]: () => [].values(),
        dates: [],
        overall: [],
        buckets: [],
        series: [],
        results: [],
        page: 0,
        pageSize: 1,
        sessionId: 's',
        total: 0,
      };
      const funnel = endpoint === '/funnels' ? { funnel_id: '3' } : {};
      const original = { ...example, ...funnel, where: FILTER, api_key: TOKEN, expire: '4102444800' };
      const sig = signParameters(original, SECRET);
      const request = async (sent: Record<string, string>) => {
        server.services.calls.length = 0;
        const { status } = await server.request(`/api/2.0${endpoint}?${new URLSearchParams({ ...sent, sig })}`, {
          secret: null,
        });
        return status;
      };
      expect(await request(original)).toBe(200);
      expect(JSON.stringify(server.services.calls)).toContain(JSON.stringify(FILTER).slice(1, -1));
      for (const sent of hideFilter(original)) {
        expect(signParameters(sent, SECRET)).toBe(sig);
        expect([sent, await request(sent)]).toEqual([sent, 400]);
        expect(server.services.calls).toEqual([]);
      }
    },
  );
});

/** Returns other parameters with the same signature, where the filter is part of another value or of a name. */
function hideFilter(parameters: Record<string, string>): Record<string, string>[] {
  const names = Object.keys(parameters).sort();
  const { where = '', ...others } = parameters;
  const before = names[names.indexOf('where') - 1] as string;
  const equals = Array.from(where.matchAll(/=/g), ({ index }) => index);
  const moved = equals.map((at) => ({ ...others, [`where=${where.slice(0, at)}`]: where.slice(at + 1) }));
  return [{ ...others, [before]: `${others[before]}where=${where}` }, ...moved];
}
