import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inspect, parseArgs } from 'node:util';
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { ClickHouseStore } from '../src/service/store/clickhouse/click-house-store.ts';
import type { StoredVersion } from '../src/service/store/store.ts';
import { Client } from '../test/end-to-end/client.ts';
import { countOf } from '../test/service/store/count-of.ts';
import { eventLine, writeLogFile } from '../test/service/store/log-files.ts';

// Checks what only a running ClickHouse can show, and prints a line for each property: see `USAGE`.

const ROOT = fileURLToPath(new URL('../', import.meta.url));

const USAGE = `npm run cluster-check -- <url of ClickHouse> [options]

  --cluster <name>    the cluster in the configuration of ClickHouse; without it, a single server is checked
  --kill <command>    a command that kills a replica; without it, no node is killed
  --revive <command>  a command that starts it again
  --server <url>      an onwhere server, or the proxy before several; needs --secret and --token of a project
                      with a dataset that is called check
  --secret <secret>   the secret of the project
  --token <token>     the token of the project
  --kill-server <command>    a command that kills the active onwhere server

The checks use a database of their own and drop it.`;

const EVENTS = 10_000;

/** How long a flush may fail while a replica is down, and how long a server may take to go on. */
const PATIENCE_MS = 120_000;

type Outcome = 'held' | 'failed' | 'not run';

const outcomes: Outcome[] = [];

function print(outcome: Outcome, property: string, detail = ''): void {
  outcomes.push(outcome);
  console.log(`${outcome.padEnd(8)} ${property}${detail === '' ? '' : `: ${detail}`}`);
}

/** Prints whether `run` succeeds. What it returns is printed behind the property. */
async function check(property: string, run: () => Promise<string>): Promise<void> {
  try {
    print('held', property, await run());
  } catch (error) {
    print('failed', property, (error instanceof Error ? error.message : inspect(error)).split('\n', 1)[0]);
  }
}

function expect(condition: boolean, problem: string): void {
  if (!condition) throw new Error(problem);
}

interface Options {
  readonly cluster?: string | undefined;
  readonly kill?: string | undefined;
  readonly revive?: string | undefined;
  readonly server?: string | undefined;
  readonly secret?: string | undefined;
  readonly token?: string | undefined;
  readonly 'kill-server'?: string | undefined;
}

function connect(url: string): ClickHouseClient {
  return createClient({ url, request_timeout: 300_000, log: { level: ClickHouseLogLevel.OFF } });
}

async function readRows<Row>(client: ClickHouseClient, query: string): Promise<Row[]> {
  return (await client.query({ query, format: 'JSONEachRow' })).json<Row>();
}

/** Checks that the servers of a cluster know each other, and have macros and Keeper. */
async function checkConfiguration(client: ClickHouseClient, cluster: string): Promise<void> {
  await check('the cluster has shards with replicas', async () => {
    const rows = await readRows<{ shard_num: number; replica_num: number }>(
      client,
      `SELECT shard_num, replica_num FROM system.clusters WHERE cluster = '${cluster}'`,
    );
    expect(rows.length > 0, `no cluster is called ${cluster}`);
    return `${new Set(rows.map((row) => row.shard_num)).size} shards, ${rows.length} replicas`;
  });
  await check('every server has the macros shard and replica', async () => {
    const rows = await readRows<{ macros: string }>(
      client,
      `SELECT toString(count()) AS macros FROM clusterAllReplicas('${cluster}', system.macros) WHERE macro IN ('shard', 'replica')`,
    );
    const [servers] = await readRows<{ servers: string }>(
      client,
      `SELECT toString(count()) AS servers FROM system.clusters WHERE cluster = '${cluster}'`,
    );
    expect(Number(rows[0]?.macros) === 2 * Number(servers?.servers), `${rows[0]?.macros} macros`);
    return `${rows[0]?.macros} macros`;
  });
  await check('Keeper answers', async () => {
    await readRows(client, "SELECT name FROM system.zookeeper WHERE path = '/'");
    return '';
  });
}

/** Runs the contracts of stores and analytics in the tests, on the given database. */
async function checkContracts(url: string, cluster: string | undefined): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'onwhere-cluster-check-'));
  const report = join(folder, 'report.json');
  const vitest = ['vitest', 'run', '--config', 'test/vitest.config.ts', '--project', 'clickhouse'];
  const test = ['test/clickhouse/cluster.test.ts', '--reporter', 'json', '--outputFile', report];
  const environment = {
    ONWHERE_CHECK_CLICKHOUSE: url,
    ...(cluster !== undefined && { ONWHERE_CHECK_CLUSTER: cluster }),
  };
  const child = spawn('npx', [...vitest, ...test], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: 'ignore',
  });
  await new Promise((resolve) => child.once('exit', resolve));
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as TestReport;
    // Some tests of the contracts are for another store.
    const tests = testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === 'passed' || status === 'failed');
    for (const contract of ['store', 'Analytics on cluster']) {
      const own = tests.filter(({ ancestorTitles }) => ancestorTitles.includes(contract));
      const failed = own.filter(({ status }) => status !== 'passed');
      const detail = `${own.length - failed.length} of ${own.length} tests passed`;
      print(own.length > 0 && failed.length === 0 ? 'held' : 'failed', `the contract: ${contract}`, detail);
      for (const { fullName } of failed) console.log(`         ${fullName}`);
    }
  } catch (error) {
    print('failed', 'the contracts', `the tests did not run: ${(error as Error).message}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface TestReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly fullName: string;
      readonly status: string;
    }[];
  }[];
}

/** Kills a replica between flushes, and during one. */
async function checkLostNode(url: string, { cluster, kill, revive }: Options): Promise<void> {
  const property = 'a replica is lost: queries answer, flushes wait for it and lose nothing';
  if (cluster === undefined || kill === undefined || revive === undefined)
    return print('not run', property, 'needs --cluster, --kill and --revive');
  const folder = mkdtempSync(join(tmpdir(), 'onwhere-cluster-check-'));
  const store = await ClickHouseStore.open(connect(url), { cluster });
  const version: StoredVersion = { id: 'lost', folder };
  const files = await Promise.all(
    [1, 2].map((number) =>
      writeLogFile(folder, `0000000${number}`, [
        Array.from({ length: EVENTS }, (_, index) =>
          eventLine('a', { distinct_id: `u${index}`, time: number, number }),
        ),
      ]),
    ),
  );
  const flush = (number: number) => store.flush(version, 'events', files.slice(number - 1, number));
  try {
    await flush(1);
    const flushing = flush(2).then(
      () => undefined,
      () => undefined,
    );
    run(kill);
    await check('a replica is lost: queries answer', async () => {
      const count = await countOf(store, version, 'events');
      expect(count === EVENTS || count === 2 * EVENTS, `${count} events`);
      return `${count} events`;
    });
    await flushing;
    run(revive);
    await check('the replica is back: the flush is repeated, and nothing is lost or doubled', async () => {
      for (const end = performance.now() + PATIENCE_MS; ; await pause(1_000)) {
        const error = await flush(2).catch((reason: Error) => reason);
        if (error === undefined) break;
        if (performance.now() > end) throw error;
      }
      const count = await countOf(store, version, 'events');
      expect(count === 2 * EVENTS, `${count} of ${2 * EVENTS} events`);
      return `${count} events`;
    });
  } finally {
    await store.drop(version).catch(() => undefined);
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Imports through an onwhere server, and kills the active one meanwhile. */
async function checkServer({ server, secret, token, 'kill-server': kill }: Options): Promise<void> {
  const property = 'imports through an onwhere server are stored once, also if the active server is killed';
  if (server === undefined || secret === undefined || token === undefined)
    return print('not run', property, 'needs --server, --secret and --token');
  const client = new Client({ secret, token }, { address: server.replace(/\/$/, '') }, 'check');
  await check(property, async () => {
    const { version_id: id } = await client.create();
    const batches = 50;
    for (let batch = 0; batch < batches; batch++) {
      if (batch === batches / 2 && kill !== undefined) run(kill);
      const events = Array.from({ length: 100 }, (_, index) =>
        client.event({ distinct_id: `u${index}`, time: 1_750_000_000, $insert_id: `${batch}/${index}` }),
      );
      await insist(async () => expect(await client.import('events', id, events), 'the import was refused'));
    }
    await insist(() => client.setState(id, { readable: true, writable: true }));
    await insist(() => client.untilReady(id));
    const dates = { event: 'order', from_date: '2025-06-14', to_date: '2025-06-16', unit: 'month' };
    const count = await insist(async () => {
      const response = await client.request('GET', '/api/2.0/segmentation', { ...dates, dataset_version: id });
      expect(response.ok, `the query: status ${response.status}`);
      const { data } = (await response.json()) as { data: { values: Record<string, Record<string, number>> } };
      return Object.values(data.values.order ?? {}).reduce((sum, value) => sum + value, 0);
    });
    await insist(() => client.delete(id));
    expect(count === batches * 100, `${count} of ${batches * 100} events`);
    return `${count} events${kill === undefined ? ', no server was killed: needs --kill-server' : ''}`;
  });
}

/** Repeats a request for as long as a server may need to take over. */
async function insist<Result>(request: () => Promise<Result>): Promise<Result> {
  for (const end = performance.now() + PATIENCE_MS; ; await pause(500)) {
    try {
      return await request();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
  }
}

function run(command: string): void {
  const { status } = spawnSync(command, { shell: true, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`the command ended with ${status}: ${command}`);
}

async function main(): Promise<number> {
  const string = { type: 'string' } as const;
  const names = ['cluster', 'kill', 'revive', 'server', 'secret', 'token', 'kill-server'];
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: Object.fromEntries(names.map((name) => [name, string])),
  });
  const options = values as Options;
  const [given] = positionals;
  if (given === undefined || positionals.length > 1) throw new Error('Pass the URL of ClickHouse.');
  const { cluster } = options;
  const client = connect(given);
  await check('ClickHouse answers', async () => {
    const [found] = await readRows<{ version: string }>(client, 'SELECT version() AS version');
    return `version ${found?.version}`;
  });
  if (outcomes.includes('failed')) return 1;
  if (cluster !== undefined) await checkConfiguration(client, cluster);
  else print('not run', 'shards, replicas, ON CLUSTER and Keeper', 'needs --cluster');
  const database = `onwhere_check_${randomBytes(6).toString('hex')}`;
  const onCluster = cluster === undefined ? '' : ` ON CLUSTER '${cluster}'`;
  await client.command({ query: `CREATE DATABASE ${database}${onCluster}` });
  const url = new URL(given);
  url.pathname = database;
  try {
    await checkContracts(String(url), cluster);
    await checkLostNode(String(url), options).catch((error: Error) =>
      print('failed', 'a replica is lost', error.message),
    );
  } finally {
    await client.command({ query: `DROP DATABASE ${database}${onCluster} SYNC` });
    await client.close();
  }
  await checkServer(options);
  const count = (outcome: Outcome) => outcomes.filter((one) => one === outcome).length;
  console.log(`${count('held')} held, ${count('failed')} failed, ${count('not run')} not run`);
  return outcomes.includes('failed') ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  process.exitCode = 2;
}
