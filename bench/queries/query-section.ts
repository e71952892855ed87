import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IsSelected } from '../options.ts';
import type { Measurement } from '../results.ts';
import { findStoreFile, makeDataFolder, runOnwhere } from '../service/data-folder.ts';
import { Server } from '../service/server.ts';
import { writeServiceEvents } from '../service/service-events.ts';
import { Client } from './client.ts';
import { CLIENTS_CASE, raceClients } from './client-race.ts';
import { HandDatabase } from './hand-database.ts';
import { readIntoMemory } from './memory-client.ts';
import { writePeople } from './people.ts';
import { QUERY_CASES } from './query-case.ts';
import { raceQuery } from './query-race.ts';

const DAYS = 30;
const NAMES = 20;

/** Few enough users that many complete the funnel and return. */
const USERS_PER_EVENT = 0.06;

/**
 * Times queries from the HTTPS request to the response, and SQL by hand on a copy of the same file; then many clients
 * at once.
 */
export async function* measureQueries(
  events: number,
  rounds: number,
  isSelected: IsSelected,
): AsyncGenerator<Measurement[]> {
  const cases = QUERY_CASES.filter(({ name }) => isSelected('queries', name));
  const areClientsSelected = isSelected('clients', CLIENTS_CASE);
  if (cases.length === 0 && !areClientsSelected) return;
  const folder = mkdtempSync(join(tmpdir(), 'onwhere-queries-'));
  try {
    const data = join(folder, 'data');
    const { secret } = makeDataFolder(data);
    const files = await writeFiles(folder, events);
    const byHand = await HandDatabase.open(importInto(data, folder, files));
    const inMemory = await readIntoMemory(files);
    const server = await Server.start(data);
    const client = new Client(server.address, secret);
    try {
      for (const testCase of cases) yield await raceQuery(testCase, { client, byHand, inMemory }, rounds);
      if (areClientsSelected) yield await raceClients(server, secret);
    } finally {
      client.close();
      await server.stop();
      byHand.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function writeFiles(folder: string, events: number): Promise<readonly string[]> {
  const files = [join(folder, 'events.ndjson'), join(folder, 'people.ndjson')] as const;
  const users = Math.ceil(events * USERS_PER_EVENT);
  await writeServiceEvents(files[0], events, { days: DAYS, users, names: NAMES });
  await writePeople(files[1], users);
  return files;
}

/** Imports the files; returns the path of a copy of their database file. */
function importInto(data: string, folder: string, files: readonly string[]): string {
  runOnwhere('import', ...files, '--dataset', 'bench', '--project', 'bench', '--data', data);
  const copy = join(folder, 'copy.duckdb');
  copyFileSync(findStoreFile(data, 'bench'), copy);
  return copy;
}
