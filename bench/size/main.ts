import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { BenchError } from '../bench-error.ts';
import { readRevision } from '../history.ts';
import { Client } from '../queries/client.ts';
import { HandDatabase } from '../queries/hand-database.ts';
import { writePeople } from '../queries/people.ts';
import { QUERY_CASES, type QueryCase } from '../queries/query-case.ts';
import { timeQuery } from '../queries/query-race.ts';
import { describeMachine } from '../results.ts';
import { findStoreFile, makeDataFolder, runOnwhere } from '../service/data-folder.ts';
import { loadJson, loadLayout } from '../service/load-by-hand.ts';
import { importWithCommand, type Load, loadWithCommand, loadWithDuckDb } from '../service/loaders.ts';
import { readPeakMemory, readProcessorSeconds } from '../service/process-usage.ts';
import { Server } from '../service/server.ts';
import { computePercentiles } from '../statistics.ts';
import { askAtOnce } from './ask-at-once.ts';
import { type LoadName, PEOPLE_ROUNDS, type QueryTimes, type SizeResult, saveSize } from './size-results.ts';
import { countUsers, writeSizeEvents } from './write-events.ts';

// `npm run bench:size -- --events 100000` measures the import of events and all queries over them.

/** The limit of DuckDB's memory. With it, a server and its database process stay within 4 GB. */
const MEMORY_LIMIT = '2500MB';

/** Sorting more events takes more disk than a machine of this size has. */
const MAX_UNSORTED = 10_000_000;

/** The number of rounds of a query; fewer where each takes seconds. */
const getRounds = (events: number) => (events > 10_000_000 ? 11 : 21);

const limit = ['--memory-limit', MEMORY_LIMIT];

async function measure(events: number, folder: string): Promise<Omit<SizeResult, 'commit' | 'date' | 'machine'>> {
  const data = join(folder, 'data');
  const file = join(folder, 'events.ndjson');
  await writeSizeEvents(file, events, true);
  const { size: bytes } = statSync(file);
  const keys = makeDataFolder(data);
  const loads: Partial<Record<LoadName, Load>> = {};
  const load = async (name: LoadName, work: (data: string) => Load | Promise<Load>) => {
    const place = join(folder, 'load');
    mkdirSync(place);
    const found = await work(place);
    rmSync(place, { recursive: true });
    if (found.events !== events) throw new BenchError(`${name} loaded ${found.events} events.`);
    loads[name] = found;
    console.log(name, JSON.stringify(found));
  };
  await load('json', (place) => loadWithDuckDb(loadJson(file), place, MEMORY_LIMIT));
  await load('layout', (place) => loadWithDuckDb(loadLayout(file), place, MEMORY_LIMIT));
  await load('import', () => importWithCommand(file, data, 'bench', ...limit));
  if (events <= MAX_UNSORTED) {
    await writeSizeEvents(file, events, false);
    await load('import unsorted', (place) => loadWithCommand(file, place, ...limit));
  }
  rmSync(file);
  const users = countUsers(events);
  const people = join(folder, 'people.ndjson');
  await writePeople(people, users);
  runOnwhere('dataset', 'create', 'people', '--project', 'bench', '--data', data);
  runOnwhere('import', people, '--dataset', 'people', '--project', 'bench', '--data', data, ...limit);
  rmSync(people);
  const rounds = getRounds(events);
  const measured = await measureQueries(data, folder, keys.secret, rounds);
  const complete = loads as SizeResult['loads'];
  return { events, users, memoryLimit: MEMORY_LIMIT, bytes, loads: complete, rounds, ...measured };
}

async function measureQueries(
  data: string,
  folder: string,
  secret: string,
  rounds: number,
): Promise<Pick<SizeResult, 'queries' | 'clients' | 'memory'>> {
  const openCopy = (dataset: string) => {
    const copy = join(folder, `${dataset}.duckdb`);
    copyFileSync(findStoreFile(data, dataset), copy);
    return HandDatabase.open(copy, MEMORY_LIMIT);
  };
  const byHand = { bench: await openCopy('bench'), people: await openCopy('people') };
  const cases = QUERY_CASES.map((testCase) => ({ ...testCase, ...readOnly(testCase) }));
  const server = await Server.start(data, ...limit);
  const client = new Client(server.address, secret);
  const queries: QueryTimes[] = [];
  try {
    for (const testCase of cases) {
      const contestants = { client, byHand: byHand[testCase.dataset] };
      let serial = rounds + 1;
      // A second after the first page of people, the server begins to write the others. After the wait, both are woken.
      const wake = async () => {
        await waitUntilIdle(server.pid);
        await client.query(testCase.path, testCase.parameters(++serial));
        await contestants.byHand.rows(testCase.byHand(contestants.byHand.column));
      };
      const isPeople = testCase.dataset === 'people';
      const times = await timeQuery(
        testCase,
        contestants,
        isPeople ? PEOPLE_ROUNDS : rounds,
        isPeople ? wake : undefined,
      );
      const { name } = testCase;
      queries.push(
        times === undefined
          ? { name }
          : { name, byHand: computePercentiles(times.byHand), served: computePercentiles(times.served) },
      );
      console.log(JSON.stringify(queries.at(-1)));
    }
    const memory = readPeakMemory(server.pid) ?? Number.NaN;
    for (const database of Object.values(byHand)) database.close();
    await waitUntilIdle(server.pid);
    const clients = await askAtOnce(server.address, secret, cases);
    console.log(JSON.stringify(clients));
    return { queries, clients, memory: { queries: memory, clients: readPeakMemory(server.pid) ?? Number.NaN } };
  } finally {
    client.close();
    await server.stop();
  }
}

/** Waits until a process and its children take almost no processor time. */
async function waitUntilIdle(pid: number | undefined): Promise<void> {
  let seconds = Number.NEGATIVE_INFINITY;
  for (let used = readProcessorSeconds(pid); used - seconds > 0.1; used = readProcessorSeconds(pid)) {
    seconds = used;
    await pause(1_500);
  }
}

/** Returns a query of the dataset that has its records. */
function readOnly({ path, parameters }: QueryCase) {
  const dataset = path === '/engage/' ? 'people' : 'bench';
  return {
    dataset,
    parameters: (serial: number) => ({ ...parameters(serial), dataset_id: dataset }),
  } as const;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { events: { type: 'string', default: '100000' } } });
  const events = Number(values.events);
  if (!Number.isSafeInteger(events) || events < 1_000)
    throw new BenchError('usage: npm run bench:size -- --events <number of at least 1000>');
  const revision = readRevision();
  const folder = mkdtempSync(join(tmpdir(), 'onwhere-size-'));
  try {
    const measured = await measure(events, folder);
    const machine = { ...describeMachine(), duckdb: readDuckdbVersion() };
    if (revision.dirty) console.log('Not saved, because there are uncommitted changes.');
    else saveSize({ ...revision, machine, ...measured });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readDuckdbVersion(): string {
  const path = new URL('../../node_modules/@duckdb/node-api/package.json', import.meta.url);
  return JSON.parse(readFileSync(path, 'utf8')).version;
}

main().catch((error: unknown) => {
  if (!(error instanceof BenchError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
});
