import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { EventCollector } from '../../src/cli/api/event-collector.ts';
import { TableApi } from '../../src/cli/api/table-api.ts';
import { type QueryClient, READ_PROPERTIES } from './query-case.ts';

/** Reads files of events and people, and returns what answers queries about them in this process, on one thread. */
export async function readIntoMemory(files: readonly string[]): Promise<QueryClient> {
  const collector = new EventCollector(READ_PROPERTIES.map((name) => ({ scope: 'properties', name }) as const));
  for (const file of files) {
    for await (const line of createInterface(createReadStream(file))) {
      const record = JSON.parse(line);
      const { time, distinct_id } = record.properties ?? {};
      if (record.$distinct_id !== undefined) collector.addPerson(record);
      else collector.addEvent({ ...record, time, distinct_id: String(distinct_id) });
    }
  }
  const api = new TableApi(
    { ...collector.finish(), countProperties: async () => new Map() },
    'UTC',
    () => Date.now() / 1000,
  );
  return { query: (path, parameters) => api.query(path.replace(/\/$/, ''), parameters) };
}
