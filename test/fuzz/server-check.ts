import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Expression } from '../../src/lang/ast.ts';
import { toSegmentNames } from '../../src/lang/operators/coercions.ts';
import { parse } from '../../src/lang/syntax/parse.ts';
import { print } from '../../src/lang/syntax/print.ts';
import type { Properties } from '../../src/lang/value.ts';
import { QueryError } from '../../src/queries/errors.ts';
import { Analytics } from '../../src/service/analytics/analytics.ts';
import { DuckDbStore } from '../../src/service/store/duckdb/duck-db-store.ts';
import type { PersonLine } from '../../src/service/store/log-line.ts';
import { Difference } from '../difference.ts';
import { ENGINES, type Input, outcome } from '../engines.ts';
import { dropNonFinite, toStored } from '../lang/engines/sql/layouts.ts';
import { eventLine, writeLogFile } from '../service/store/log-files.ts';
import type { Case } from '../value-first.ts';
import type { SlowCheck } from './slow-check.ts';

export const DAY = '2025-01-01';
const FIRST_SECOND = Date.parse(DAY) / 1000;

/** In every time zone, the records have one of these dates. */
const DATES = { from: '2024-12-31', to: '2025-01-02' };

const QUERY = { event: 'done', dates: DATES, type: 'general', unit: 'day', limit: 1e6 } as const;

type Counts = Readonly<Record<string, number>>;

/** Imports records as events, and compares the counts of segmentations with those of the closures. */
export class ServerCheck implements SlowCheck {
  private imports = 0;

  private constructor(
    private readonly folder: string,
    private readonly store: DuckDbStore,
  ) {}

  static async open(): Promise<ServerCheck> {
    const folder = await mkdtemp(join(tmpdir(), 'onwhere-fuzz-'));
    return new ServerCheck(folder, await DuckDbStore.open({ temporaryFolder: join(folder, 'own') }));
  }

  /** Evaluates all records at the time and in the time zone of the first, because a query has only one. */
  async compare(cases: readonly Case[]): Promise<number> {
    const records = cases.flatMap((one) => one.records).map(toImported);
    const { now = 0, timeZone = 'UTC' } = cases[0]?.records[0] ?? {};
    const version = { id: `v${++this.imports}`, folder: join(this.folder, 'version') };
    const events = records.map(({ properties }) => eventLine(QUERY.event, properties));
    const people = records.flatMap(({ user, properties }): PersonLine[] =>
      user === undefined ? [] : [{ $distinct_id: properties.distinct_id as string, $set: user }],
    );
    for (const [kind, lines] of [
      ['events', events],
      ['people', people],
    ] as const) {
      const segment = await writeLogFile(join(version.folder, kind), '00000001', [lines]);
      await this.store.flush(version, kind, [segment]);
    }
    try {
      return await this.store.read([version], async (snapshot) => {
        const analytics = new Analytics({ snapshot, timeZone, now });
        let compared = 0;
        for (const { tree } of cases) {
          for (const use of ['where', 'on'] as const) {
            const expected = countExpected(
              tree,
              use,
              records.map((record) => ({ ...record, now })),
              timeZone,
            );
            const got = await queryCounts(analytics, use, print(tree));
            if (!isDeepStrictEqual(got, expected))
              throw new Difference('server', got, expected, `${use}: ${print(tree)}`);
            compared += records.length;
          }
        }
        return compared;
      });
    } finally {
      await this.store.drop(version);
      await rm(version.folder, { recursive: true });
    }
  }

  async close(): Promise<void> {
    await this.store.close();
    await rm(this.folder, { recursive: true });
  }
}

/** Returns a record as an import stores it, with a distinct ID and a time. */
export function toImported(record: Input, index: number): Input {
  const { properties, user } = toStored(record, true);
  const own = { distinct_id: `u${index}`, time: FIRST_SECOND + index };
  const toJson = (part: Properties) => JSON.parse(JSON.stringify(dropNonFinite(part))) as Properties;
  return { properties: { ...toJson(properties), ...own }, user: user && toJson(user) };
}

/** Counts the events that a filter selects, or those of each segment. A type error of any record is the result. */
function countExpected(
  tree: Expression,
  use: 'where' | 'on',
  records: readonly Input[],
  timeZone: string,
): Counts | 'a type error' {
  const source = print(tree);
  const run = ENGINES.closures?.(source, parse(source), use === 'where', timeZone);
  const counts = new Map<string, number>(use === 'where' ? [[QUERY.event, 0]] : []);
  for (const record of records) {
    const result = outcome((input) => run?.(input), record);
    if (!('value' in result)) return 'a type error';
    const names = use === 'on' ? toSegmentNames(result.value) : result.value === true ? [QUERY.event] : [];
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}

async function queryCounts(analytics: Analytics, use: 'where' | 'on', expression: string): Promise<unknown> {
  try {
    const { series } = await analytics.segmentation({ ...QUERY, [use]: expression });
    return Object.fromEntries(series.map(({ name, values }) => [name, values.reduce((sum, value) => sum + value, 0)]));
  } catch (error) {
    if (error instanceof QueryError) return 'a type error';
    throw error;
  }
}
