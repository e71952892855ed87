import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ClickHouseStore } from '../../../src/service/store/clickhouse/click-house-store.ts';
import { RECORD_KINDS, type RecordKind } from '../../../src/service/store/store.ts';
import { eventLine, writeLogFile } from './log-files.ts';

type Row = Readonly<Record<string, unknown>>;

const LINES = {
  events: [eventLine('a', { distinct_id: 'u', time: 1, country: 'US', amount: 1 })],
  people: [{ $distinct_id: 'u', $set: { country: 'US' } }],
};

/** Records the statements for a cluster, and answers as if an earlier flush had failed. */
class RecordingClient {
  readonly statements: string[] = [];
  private flush: unknown;
  private promoted: readonly string[] = [];

  async command({ query, query_params }: { query: string; query_params?: Row }): Promise<void> {
    this.statements.push(query);
    if (query.includes('_commits (')) this.flush = query_params?.flush;
  }

  async exec({ query }: { query: string }) {
    this.statements.push(query);
    if (query.includes('_promoted (')) {
      this.promoted = ['country', 'amount'];
    }
    return { stream: { resume: () => undefined } };
  }

  async query({ query }: { query: string }) {
    if (!query.includes('currentDatabase')) this.statements.push(query);
    const rows = this.fakeRows(query);
    return {
      json: async () => rows,
      stream: () => [rows.map((row) => ({ json: () => row }))],
      close: () => undefined,
    };
  }

  private fakeRows(query: string): readonly Row[] {
    const results: readonly (readonly [string, readonly Row[]])[] = [
      ['SELECT currentDatabase()', [{ name: 'analytics' }]],
      ['AS commits', [{ commits: 1, last: '5', known: ['00000001'] }]],
      ['SELECT DISTINCT settle', [{ flush: '7' }]],
      ['count() AS records', [{ records: '1' }]],
      ['count() AS values', [{ name: 'country', type: 'string', values: '1' }]],
      [
        'SELECT DISTINCT number',
        [
          { number: 1, type: 'string' },
          { number: 2, type: 'number' },
        ],
      ],
      ['match(name', [{ name: 'events_v1_incoming_7' }, { name: 'events_v1_incoming_7_shard' }]],
      ['system.columns', [{ name: 'settle' }, { name: 'p1_string' }, { name: 'p2_number' }]],
      ['SELECT flush FROM', [{ flush: this.flush }]],
      ['AS json FROM', [{ distinct_id: 'u', position: '0', json: '{}' }]],
      ['AS names', [{ names: this.promoted }]],
    ];
    return results.find(([part]) => query.includes(part))?.[1] ?? [];
  }
}

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onwhere-cluster-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Returns the statements of a flush, or of dropping a version. */
async function listStatements(what: RecordKind | 'drop'): Promise<string[]> {
  const client = new RecordingClient();
  const store = await ClickHouseStore.open(client as unknown as ClickHouseClient, { cluster: 'main' });
  const functions = client.statements.splice(0);
  expect(functions.filter((statement) => !/ FUNCTION \w+ ON CLUSTER `main` AS /.test(statement))).toEqual([]);
  const version = { id: 'v1', folder };
  if (what === 'drop') await store.drop(version);
  else await store.flush(version, what, [await writeLogFile(join(folder, what), '00000002', [LINES[what]])]);
  // The ID of a flush is random.
  return client.statements.map((statement) => statement.replace(/_(incoming|updates)_\d{2,}/g, '_$1_42'));
}

it('a cluster gets exactly the statements in clickhouse-cluster.sql', async () => {
  const parts = await Promise.all(
    [...RECORD_KINDS, 'drop' as const].map(async (what) => {
      const title = what === 'drop' ? 'A version is dropped' : `More ${what} are flushed`;
      return `-- ${title}\n\n${(await listStatements(what)).map((statement) => `${statement};\n`).join('\n')}`;
    }),
  );
  await expect(parts.join('\n')).toMatchFileSnapshot('clickhouse-cluster.sql');
});
