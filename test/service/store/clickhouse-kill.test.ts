import type { ClickHouseClient } from '@clickhouse/client';
import { expect, it } from 'vitest';
import { ClickHouseDatabase } from '../../../src/service/store/clickhouse/database.ts';

/** Creates a client whose queries run until they are aborted. */
function createEndlessClient() {
  const sent: string[] = [];
  const killed: unknown[] = [];
  const client = {
    query: ({ query_id, abort_signal }: { query_id: string; abort_signal: AbortSignal }) => {
      sent.push(query_id);
      return new Promise((_, reject) => {
        abort_signal.addEventListener('abort', () => reject(new Error('aborted')));
      });
    },
    command: async ({ query, query_params }: { query: string; query_params: object }) => {
      killed.push({ query, ...query_params });
      throw new Error('not allowed');
    },
  };
  return { database: new ClickHouseDatabase(client as unknown as ClickHouseClient), sent, killed };
}

it('an aborted query is killed on the server, and no other query', async () => {
  const { database, sent, killed } = createEndlessClient();
  const controller = new AbortController();
  const send = (signal: AbortSignal) => database.chunks('SELECT 1', { parameters: {}, settings: {}, signal }).next();
  void send(new AbortController().signal);
  const aborted = send(controller.signal);
  controller.abort(new Error('too late'));
  await expect(aborted).rejects.toThrow('too late');
  expect(new Set(sent).size).toBe(2);
  expect(killed).toEqual([{ query: 'KILL QUERY WHERE query_id = {id: String} ASYNC', id: sent[1] }]);
});
