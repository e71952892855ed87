import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Drawn } from './draw.ts';
import type { Outcome, Written } from './exchange.ts';
import { findProblem, isExpected } from './judge.ts';
import { Session } from './session.ts';

const FIRST_SEED = 2_100;
const REQUESTS = 240;

describe('a server with random requests', () => {
  let session: Session;
  let failures = 0;

  beforeAll(async () => {
    session = await Session.start({ store: 'duckdb', data: 1, places: 2 });
  });

  afterAll(async () => {
    if (failures === 0) expect(await session?.close()).toBeUndefined();
    else await session.close();
  });

  it('stays up, returns errors in the published shape, and agrees with the reference', async () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + REQUESTS; seed += session.laneCount) {
      const found = await session.check(seed, session.laneCount);
      failures += found.length;
      expect(found.map(({ seed, written, outcome, problem }) => ({ seed, written, outcome, problem }))).toEqual([]);
    }
    expect(session.counts.get('results compared')).toBeGreaterThan(REQUESTS / 8);
    expect(session.counts.get('errors compared')).toBeGreaterThan(REQUESTS / 8);
  });
});

describe('the check of a response', () => {
  const operation = {
    methods: ['GET'],
    path: '/api/2.0/events',
    parameters: [],
    isQueryRequest: true,
    isOpen: false,
  };
  const NONE = { query: [], form: [] };
  const drawn: Drawn = { operation, method: 'GET', encoding: 'query', parameters: [], credentials: 'secret' };
  const written: Written = { method: 'GET', url: '/api/2.0/events', headers: {}, parameters: {}, repeated: NONE };
  const json = { 'content-type': 'application/json; charset=utf-8' };

  function outcome(status: number, body: unknown, headers: Record<string, string> = json): Outcome {
    return {
      answer: { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) },
      milliseconds: 5,
    };
  }

  const kind = (found: Outcome, more: Partial<Drawn> = {}) =>
    findProblem({ ...drawn, ...more }, written, found, 10)?.kind;

  it('finds problems that do not depend on the expected response', () => {
    const refusal = { error: 'It is wrong', request: '/api/2.0/events' };
    expect(kind(outcome(200, {}))).toBeUndefined();
    expect(kind(outcome(400, refusal))).toBeUndefined();
    expect(kind(outcome(503, refusal))).toBeUndefined();
    expect(kind({ ...outcome(200, {}), milliseconds: 11 })).toBe('time');
    expect(kind({ closed: 'ECONNRESET', milliseconds: 5 })).toBe('connection');
    expect(kind({ closed: 'ECONNRESET', milliseconds: 5 }, { abortsAfter: 1 })).toBeUndefined();
    for (const status of [500, 502, 507]) expect(kind(outcome(status, refusal))).toBe('status');
    expect(kind(outcome(200, {}), { credentials: 'none' })).toBe('access');
    for (const credentials of ['dataset secret', 'import key', 'annotations key', 'expired key'] as const)
      expect(kind(outcome(200, {}), { credentials })).toBe('access');
    for (const credentials of ['signature', 'query key', 'dataset key', 'filtered key'] as const)
      expect(kind(outcome(200, {}), { credentials })).toBeUndefined();
    const write = { ...operation, path: '/api/2.0/annotations/create' };
    expect(kind(outcome(200, {}), { operation: write, credentials: 'query key' })).toBe('access');
    expect(kind(outcome(200, {}), { operation: write, credentials: 'annotations key' })).toBeUndefined();
    const segments = { ...operation, path: '/segments', isQueryRequest: false };
    const change = { ...segments, methods: ['POST'] };
    expect(kind(outcome(200, {}), { operation: segments, credentials: 'query key' })).toBeUndefined();
    for (const credentials of ['import key', 'dataset key', 'filtered key'] as const)
      expect(kind(outcome(200, {}), { operation: segments, credentials })).toBe('access');
    for (const credentials of ['query key', 'dataset secret', 'other filtered key'] as const)
      expect(kind(outcome(200, {}), { operation: change, credentials })).toBe('access');
    expect(kind(outcome(401, refusal), { credentials: 'none' })).toBe('shape');
    expect(
      kind(outcome(401, refusal, { ...json, 'www-authenticate': 'Basic' }), { credentials: 'none' }),
    ).toBeUndefined();
    for (const wrong of [{ error: 'It is wrong' }, { ...refusal, error: '' }, { ...refusal, more: 1 }, 'no', []])
      expect(kind(outcome(400, wrong))).toBe('shape');
    expect(kind(outcome(400, refusal, { 'content-type': 'text/html' }))).toBe('shape');
    expect(kind(outcome(200, `[${'1,'.repeat(5_000_001)}1]`))).toBe('size');
  });

  it('finds responses about a dataset that a key has no access to', () => {
    const about = (dataset_id: string) =>
      findProblem(
        { ...drawn, credentials: 'dataset key' },
        { ...written, parameters: { dataset_id } },
        outcome(200, {}),
        10,
      );
    expect(about('second')?.kind).toBe('access');
    expect(about('first')).toBeUndefined();
  });

  it('compares responses with those of the reference', () => {
    const expected = { type: 'application/json', text: '{"data":{"a":0.5,"b":"c"}}' };
    const agrees = (...[status, body]: [number, unknown]) => {
      const { answer } = outcome(status, body);
      return answer && isExpected(answer, expected);
    };
    expect(agrees(200, expected.text)).toBe(true);
    expect(agrees(200, { data: { a: 0.5 + 1e-12, b: 'c' } })).toBe(true);
    for (const other of [{ data: { a: 0.6, b: 'c' } }, { data: { a: 0.5, b: 'd' } }, { data: { a: 0.5 } }, 'no'])
      expect(agrees(200, other)).toBe(false);
    expect(agrees(400, { error: 'Invalid parameter: event. Expected a string.' })).toBe(false);
    expect(agrees(400, { error: 'The answer would have 6 numbers, and 5 are the most.' })).toBeUndefined();
    expect(agrees(503, { error: 'Later' })).toBeUndefined();
    const { answer } = outcome(400, { error: 'Invalid parameter: event. Expected another string.' });
    const refusal = (status: number, error: string) => answer && isExpected(answer, { status, error });
    expect(refusal(400, 'Invalid parameter: event. Expected a string.')).toBe(true);
    expect(refusal(400, 'Invalid parameter: unit. Expected a string.')).toBe(false);
    expect(refusal(404, 'Invalid parameter: event. Expected a string.')).toBe(false);
  });
});
