import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_SECONDS } from '../../src/lang/operators/time.ts';
import { print } from '../../src/lang/syntax/print.ts';
import type { Properties } from '../../src/lang/value.ts';
import { ClickHouseStore } from '../../src/service/store/clickhouse/click-house-store.ts';
import type { PersonLine } from '../../src/service/store/log-line.ts';
import type { RecordKind } from '../../src/service/store/store.ts';
import { expressions, records, timeZones } from '../arbitraries.ts';
import type { Input } from '../engines.ts';
import type { Database } from '../lang/engines/sql/database.ts';
import { toStored } from '../lang/engines/sql/layouts.ts';
import { expectAgreement, SqlComparison } from '../lang/engines/sql/sql-comparison.ts';
import { splitRuns } from '../runs.ts';
import { eventLine, writeLogFile } from '../service/store/log-files.ts';
import { openShardedClickhouse } from './cluster-database.ts';
import { openServers } from './cluster-stand-in.ts';
import { createDatabase, HAS_CLICKHOUSE } from './open-clickhouse.ts';

const TABLES = Number(process.env.ONWHERE_RUNS ?? 2);
const RECORDS = 40;
const EXPRESSIONS = 8;
const PER_STATEMENT = 8;

/** Returns the properties of a record as a log holds them: without numbers that are not finite, as JSON has none. */
function toImported(record: Input, extra: Properties): Properties {
  const entries = Object.entries(toStored(record, true).properties).filter(
    ([, value]) => !(typeof value === 'number' && !Number.isFinite(value)),
  );
  return JSON.parse(JSON.stringify({ ...Object.fromEntries(entries), ...extra }));
}

describe.skipIf(!HAS_CLICKHOUSE).each([1, 3] as const)('expressions over flushed records (shards: %d)', (shards) => {
  let database: Database;
  let client: ClickHouseClient;
  let store: ClickHouseStore;
  let folder: string;
  let versions = 0;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'onwhere-expressions-'));
    const servers = openServers(shards);
    client = servers.client;
    database = await (shards === 1 ? createDatabase(client) : openShardedClickhouse(shards, client));
    store = await ClickHouseStore.open(client, servers.options);
  });

  afterAll(async () => {
    await store?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Flushes records in three parts, so that later ones bring properties without columns, and types without. */
  async function flushParts(kind: RecordKind, inputs: readonly Input[]): Promise<Input[]> {
    const version = { id: `e${++versions}`, folder };
    const kept = inputs.map((input, id) => ({
      properties: toImported(input, kind === 'events' ? { distinct_id: `u${id % 7}`, time: id } : {}),
      user: undefined,
      now: input.now,
      timeZone: input.timeZone,
    }));
    const lines = kept.map(({ properties }, id) =>
      kind === 'events' ? eventLine('a', properties) : ({ $distinct_id: String(id), $set: properties } as PersonLine),
    );
    for (const [index, from] of [0, RECORDS / 3, RECORDS / 2].entries()) {
      const part = lines.slice(from, [RECORDS / 3, RECORDS / 2][index]);
      const file = await writeLogFile(join(folder, version.id, kind), `0000000${index + 1}`, [part]);
      await store.flush(version, kind, [file]);
    }
    const source = await store.sourceOf(version, kind);
    const id = kind === 'events' ? 'time' : 'toInt64(distinct_id)';
    const table = shards === 1 ? source.table : `${source.table}_shard`;
    await client.command({ query: `CREATE OR REPLACE VIEW records AS SELECT *, ${id} AS id FROM ${table}` });
    expect(Object.keys(source.properties.columns ?? {}).length).toBeGreaterThan(0);
    return kept;
  }

  it.each<RecordKind>(['events', 'people'])(
    `have the same results as in the interpreter for %s, for ${TABLES * EXPRESSIONS} expressions`,
    async (kind) => {
      const trees = fc.array(expressions(4), { minLength: EXPRESSIONS, maxLength: EXPRESSIONS });
      const inputs = fc.array(records, { minLength: RECORDS, maxLength: RECORDS });
      let agreed = 0;
      const property = fc.asyncProperty(trees, inputs, timeZones, async (sample, table, timeZone) => {
        const now = Math.min(table[0]?.now ?? 0, MAX_SECONDS);
        const kept = await flushParts(
          kind,
          table.map((input) => ({ ...input, now, timeZone })),
        );
        const source = await store.sourceOf({ id: `e${versions}`, folder }, kind);
        const answers = new SqlComparison(database, { ...source, table: 'records' }, kept);
        const expressionSources = sample.map((tree) => print(tree));
        for (let at = 0; at < expressionSources.length; at += PER_STATEMENT)
          await answers.compare(expressionSources.slice(at, at + PER_STATEMENT));
        agreed += answers.compared;
      });
      const { seeded, fresh } = splitRuns(TABLES);
      await expectAgreement(property, seeded);
      expect(agreed).toBeGreaterThan(seeded.numRuns * EXPRESSIONS * RECORDS);
      await expectAgreement(property, fresh);
    },
    3_600_000,
  );
});
