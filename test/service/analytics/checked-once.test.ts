import { tmpdir } from 'node:os';
import { expect, it, vi } from 'vitest';
import { checkTree } from '../../../src/lang/check/check.ts';
import { duckdb } from '../../../src/lang/engines/sql/dialects/duckdb.ts';
import { parseFor, tryParse } from '../../../src/lang/syntax/parse.ts';
import type { QueryName, RequestOf } from '../../../src/queries/requests.ts';
import { Analytics } from '../../../src/service/analytics/analytics.ts';
import { QueryExecutor } from '../../../src/service/analytics/execution/query-executor.ts';
import type { JsonSqlRow, StoreSnapshot, VersionSources } from '../../../src/service/store/store-snapshot.ts';

vi.mock('../../../src/lang/syntax/parse.ts', { spy: true });
vi.mock('../../../src/lang/check/check.ts', { spy: true });

// Their normal forms, which are parsed too, are other texts.
const WHERE = 'properties["plan"]=="pro" and now > 5';
const ON = '(properties["country"])';
const SECOND = 'properties["amount"]>100';
const DATES = { from: '2025-06-01', to: '2025-06-30' };

/** Creates a version whose properties are JSON: its source says nothing about types. */
function createVersion(number: number): VersionSources {
  const properties = { rest: { kind: 'json', column: 'properties' } } as const;
  return { events: { table: `events${number}`, properties }, people: { table: `people${number}`, properties } };
}

/** Runs a query over some versions without rows. Returns how often each of its expressions was parsed and checked. */
async function count<Name extends QueryName>(name: Name, request: RequestOf<Name>, versions: number) {
  vi.clearAllMocks();
  const snapshot: StoreSnapshot = {
    dialect: duckdb,
    isSnapshot: true,
    versions: Array.from({ length: versions }, (_, index) => createVersion(index)),
    parameters: [],
    rows: async () => [],
    async *stream(): AsyncGenerator<readonly JsonSqlRow[]> {},
  };
  const limits = { atOnce: 1, waiting: 1, seconds: 60, cacheBytes: 0, cacheFileBytes: 0 };
  const executor = new QueryExecutor(limits, tmpdir(), (context) => new Analytics(context));
  const state = async () => '';
  const target = { project: 'shop', timeZone: 'Europe/Berlin', state, versions: state };
  await executor.ask(
    { ...target, read: (work) => work(snapshot) },
    { name, request, format: 'json', write: () => [''] },
    new AbortController().signal,
  );
  const parsed = [
    ...vi.mocked(parseFor).mock.calls.map(([, source]) => source),
    ...vi.mocked(tryParse).mock.calls.map(([source]) => source),
  ];
  const checked = vi.mocked(checkTree).mock.calls.map(([source]) => source);
  return [WHERE, ON, SECOND].map((source) => ({
    parsed: parsed.filter((one) => one === source).length,
    checked: checked.filter((one) => one === source).length,
  }));
}

it.each([1, 3])(
  'a request parses each expression once, and types it once more for each of %i versions',
  async (versions) => {
    const used = { parsed: 1, checked: 1 + versions };
    const unused = { parsed: 0, checked: 0 };
    const segmentation = {
      event: 'order',
      dates: DATES,
      unit: 'day',
      type: 'general',
      where: WHERE,
      on: ON,
      limit: 9,
    } as const;
    expect(await count('segmentation', segmentation, versions)).toEqual([used, used, unused]);
    const steps = [
      { event: 'visit', where: WHERE },
      { event: 'order', where: SECOND },
    ];
    const funnel = { steps, dates: DATES, bucket: { days: 1 }, length: 14, on: ON, limit: 9 };
    expect(await count('funnel', funnel, versions)).toEqual([used, used, used]);
  },
);
