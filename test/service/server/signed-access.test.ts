import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getCurrentTime } from '../../../src/lang/util/current-time.ts';
import { ENDPOINTS } from '../../../src/service/server/endpoints/endpoints.ts';
import { signParameters } from '../../../src/service/server/signed-access.ts';
import { SECRET, TOKEN } from './fake-datasets.ts';
import { RunningServer } from './running-server.ts';
import { stopDocumented } from './stop-documented.ts';

/** Of the law, with the secret `s`. */
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
  it('is that of the law', () => {
    expect(signParameters(CHECKED, 's')).toBe('eb6abd97be2582fa6e199fec183d4346');
  });

  it('is not over itself, nor over the callback', () => {
    expect(signParameters({ ...CHECKED, sig: 'x', callback: 'f' }, 's')).toBe(signParameters(CHECKED, 's'));
    expect(signParameters({ ...CHECKED, other: 'x' }, 's')).not.toBe(signParameters(CHECKED, 's'));
  });

  const parameters = (expire = getCurrentTime() + 60): Record<string, string> => ({
    api_key: TOKEN,
    expire: String(expire),
    dataset_id: 'shop',
  });
  const signed = (given = parameters()) => ({ ...given, sig: signParameters(given, SECRET) });
  const path = '/api/2.0/events/names/';

  it.each([
    ['lower case', (sig: string) => sig],
    ['upper case', (sig: string) => sig.toUpperCase()],
  ])('in %s opens the project with its token', async (_, spell) => {
    const given = { ...signed(), sig: spell(signed().sig), callback: 'f' };
    const got = await server.ask(`${path}?${new URLSearchParams(given)}`, { secret: null });
    expect([got.status, got.text]).toEqual([200, '/**/f([]);']);
    expect((await server.form(path, given, { secret: null })).status).toBe(200);
    const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(given) };
    expect((await server.ask(path, { ...json, secret: null })).status).toBe(200);
  });

  it('may be partly in the query string and partly in the body, like the parameters it is over', async () => {
    const given = Object.entries(signed());
    for (let mask = 0; mask < 2 ** given.length; mask++) {
      const inQuery = given.filter((_, index) => mask & (1 << index));
      const inBody = given.filter((_, index) => !(mask & (1 << index)));
      const url = `${path}?${new URLSearchParams(inQuery)}`;
      expect([url, (await server.form(url, Object.fromEntries(inBody), { secret: null })).status]).toEqual([url, 200]);
      const changed = Object.fromEntries([...inBody, ['limit', '1']]);
      expect([url, (await server.form(url, changed, { secret: null })).status]).toEqual([url, 401]);
    }
  });

  it.each<[what: string, given: Record<string, string>, status: number, error: RegExp]>([
    ['of another secret', { ...parameters(), sig: signParameters(parameters(), 'other') }, 401, /^Invalid signature: /],
    ['of other parameters', { ...signed(), where: 'true' }, 401, /^Invalid signature: /],
    ['of another project', signed({ ...parameters(), api_key: 'other' }), 401, /^Invalid signature: /],
    ['that is none', { ...parameters(), sig: 'é' }, 401, /^Invalid signature: /],
    ['that is too short', { ...parameters(), sig: 'ab' }, 401, /^Invalid signature: /],
    ['that is no hexadecimal', { ...parameters(), sig: 'é'.repeat(32) }, 401, /^Invalid signature: /],
    ['that has expired', signed(parameters(getCurrentTime() - 1)), 401, /^The signature has expired/],
    ['that expires at no time', signed({ api_key: TOKEN, expire: 'soon' }), 400, /^Invalid parameter: expire\. /],
    ['without an end', signed({ api_key: TOKEN }), 400, /^Missing required parameter: expire$/],
    ['without a project', signed({ expire: '1' }), 400, /^Missing required parameter: api_key$/],
    ['that is missing', parameters(), 400, /^Missing required parameter: sig$/],
  ])('%s opens nothing', async (_, given, status, error) => {
    for (const answer of [
      await server.ask(`${path}?${new URLSearchParams(given)}`, { secret: null }),
      await server.form(path, given, { secret: null }),
    ]) {
      expect([answer.status, JSON.parse(answer.text).error]).toEqual([status, expect.stringMatching(error)]);
      expect(answer.headers['www-authenticate'] !== undefined).toBe(status === 401);
      expect(answer.text).not.toContain(SECRET);
    }
  });

  it('opens no write', async () => {
    for (const { path: write, isWrite, example } of ENDPOINTS) {
      if (!isWrite) continue;
      const given = signed({ ...example, api_key: TOKEN, expire: '4102444800' });
      const got = await server.ask(`/api/2.0${write}?${new URLSearchParams(given)}`, { secret: null });
      expect([got.status, JSON.parse(got.text).error]).toEqual([
        401,
        expect.stringMatching(/^This signature opens no changes of annotations/),
      ]);
    }
    expect(server.services.asked.filter(([name]) => name.startsWith('annotations'))).toEqual([]);
  });

  it('opens no request with parameters that its endpoint does not have', async () => {
    for (const name of ['x', 'where', 'properties["a"] ', '']) {
      const given = signed({ ...parameters(), [name]: 'y' });
      const got = await server.ask(`${path}?${new URLSearchParams(given)}`, { secret: null });
      expect([got.status, JSON.parse(got.text).error]).toEqual([
        400,
        `Invalid parameter: ${name}. Signed requests may only have parameters of their endpoint.`,
      ]);
    }
  });

  const FILTER = 'properties["secret of"] == "a" and properties["x"] != "y=z"';
  const filtered = ENDPOINTS.filter(({ parameters: declared }) => 'where' in declared);

  it.each(filtered.map((one) => [one.path, one] as const))('of %s cannot lose its filter', async (of, { example }) => {
    server.services.result = {
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
    const funnel = of === '/funnels' ? { funnel_id: '3' } : {};
    const honest = { ...example, ...funnel, where: FILTER, api_key: TOKEN, expire: '4102444800' };
    const sig = signParameters(honest, SECRET);
    const ask = async (asked: Record<string, string>) => {
      server.services.asked.length = 0;
      const { status } = await server.ask(`/api/2.0${of}?${new URLSearchParams({ ...asked, sig })}`, { secret: null });
      return status;
    };
    expect(await ask(honest)).toBe(200);
    expect(JSON.stringify(server.services.asked)).toContain(JSON.stringify(FILTER).slice(1, -1));
    for (const asked of reshaped(honest)) {
      expect(signParameters(asked, SECRET)).toBe(sig);
      expect([asked, await ask(asked)]).toEqual([asked, 400]);
      expect(server.services.asked).toEqual([]);
    }
  });
});

/** Other parameters with the same signature, in which `where` is another one or none: it goes into a value, or a part of it into a name. */
function reshaped(parameters: Record<string, string>): Record<string, string>[] {
  const names = Object.keys(parameters).sort();
  const { where = '', ...others } = parameters;
  const before = names[names.indexOf('where') - 1] as string;
  const equals = Array.from(where.matchAll(/=/g), ({ index }) => index);
  const moved = equals.map((at) => ({ ...others, [`where=${where.slice(0, at)}`]: where.slice(at + 1) }));
  return [{ ...others, [before]: `${others[before]}where=${where}` }, ...moved];
}
