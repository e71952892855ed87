import type { ClickHouseClient } from '@clickhouse/client';
import { expect, it } from 'vitest';
import { ClickHouseDatabase } from '../../../src/service/store/clickhouse/database.ts';

/** A client whose queries go on until they are aborted. */
function endlessClient() {
  const asked: string[] = [];
  const killed: unknown[] = [];
  const client = {
    query: ({ query_id, abort_signal }: { query_id: string; abort_signal: AbortSignal }) => {
      asked.push(query_id);
      return new Promise((_, reject) => {
        abort_signal.addEventListener('abort', () => reject(new Error('aborted')));
      });
    },
    command: async ({ query, query_params }: { query: string; query_params: object }) => {
      killed.push({ query, ...query_params });
      throw new Error('not allowed');
    },
  };
  return { database: new ClickHouseDatabase(client as unknown as ClickHouseClient), asked, killed };
}

it('a query that is given up is killed on the server, and no other', async () => {
  const { database, asked, killed } = endlessClient();
  const controller = new AbortController();
  const ask = (one: AbortSignal) => database.chunks('SELECT 1', { parameters: {}, settings: {}, signal: one }).next();
  void ask(new AbortController().signal);
  const given = ask(controller.signal);
  controller.abort(new Error('too late'));
  await expect(given).rejects.toThrow('too late');
  expect(new Set(asked).size).toBe(2);
  expect(killed).toEqual([{ query: 'KILL QUERY WHERE query_id = {id: String} ASYNC', id: asked[1] }]);
});
