import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@clickhouse/client';
import type { Random } from '../../src/data/random.ts';
import { ClickHouseStore } from '../../src/service/store/clickhouse/click-house-store.ts';
import { onwhere, TestFolder } from '../end-to-end/server-process.ts';
import { DAY, isOfPeople, isRepeatable, recordKindOf, recordsOf } from './batch.ts';
import { type ExpectedVersion, ExpectedVersions } from './expected-versions.ts';
import { readBatches } from './ledger.ts';
import { numbers } from './load.ts';
import { DatabaseProcess, type Disturbance, PairClient, ServerPair } from './server-pair.ts';
import type { Tally } from './tally.ts';

const WRITERS = 3;

/**
 * Imports into two servers over one data folder while they are killed and stopped, and compares what the database has
 * with what they acknowledged.
 *
 * @param takeoverMs the time after which a server takes over
 */
export async function disturbServers(
  disturbances: readonly Disturbance[],
  takeoverMs: number,
  random: Random,
  tally: Tally,
): Promise<void> {
  const folder = TestFolder.make();
  const database = await DatabaseProcess.start();
  try {
    const pair = await ServerPair.start(folder, database.url, takeoverMs, tally);
    const run = new DisturbedRun(folder, pair, tally);
    await run.run(disturbances, random);
    await run.finish();
    await pair.stop();
    await run.checkStored(database.url);
    checkFiles(folder, database.url, tally);
  } finally {
    await database.stop();
    folder.remove();
  }
}

class DisturbedRun {
  private readonly expected = new ExpectedVersions();
  private readonly client: PairClient;
  private readonly batches = numbers();
  private isOver = false;

  constructor(
    private readonly folder: TestFolder,
    private readonly pair: ServerPair,
    private readonly tally: Tally,
  ) {
    this.client = new PairClient(folder, pair);
  }

  /** Disturbs the servers under load. Halfway, the version becomes readable, so that servers also flush. */
  async run(disturbances: readonly Disturbance[], random: Random): Promise<void> {
    const version = await this.create();
    const writers = Array.from({ length: WRITERS }, () => this.write(version));
    for (const [index, kind] of disturbances.entries()) {
      if (index === Math.floor(disturbances.length / 2)) await this.publish(version);
      await this.untilAcknowledged(random.integer(1, 30));
      await pause(random.integer(0, 300));
      await this.pair.disturb(kind);
      await this.changeOthers(version, random);
    }
    await this.untilAcknowledged(10);
    this.isOver = true;
    await Promise.all(writers);
  }

  /** Publishes all versions, repeats what may be repeated, and waits until queries read everything. */
  async finish(): Promise<void> {
    for (const version of this.expected.present) {
      await this.publish(version);
      for (const batch of version.ledger.unknown) {
        while (isRepeatable(batch) && !version.ledger.acknowledged.has(batch)) await this.send(version, batch);
      }
      await this.insist(() => this.client.untilReady(version.id));
      await this.checkQuery(version);
    }
    this.expected.checkList(await this.insist(() => this.client.list()), this.tally);
  }

  /** Compares the records in the database with the acknowledged ones. */
  async checkStored(url: string): Promise<void> {
    const store = await ClickHouseStore.open(createClient({ url }));
    for (const { id, ledger } of this.expected.present)
      ledger.check(id, await readBatches(store, { id, folder: this.folder.versionFolder(id) }), this.tally);
    await store.close();
  }

  private async create(): Promise<ExpectedVersion> {
    return this.expected.add((await this.insist(() => this.client.create())).version_id);
  }

  private async publish(version: ExpectedVersion): Promise<void> {
    await this.insist(() => this.client.setState(version.id, { readable: true, writable: true }));
    version.isReadable = true;
  }

  /** Checks the versions, and creates, fills, publishes and deletes another one. */
  private async changeOthers(main: ExpectedVersion, random: Random): Promise<void> {
    const listed = await this.insist(() => this.client.list());
    this.expected.checkList(listed, this.tally);
    // A server may have created a version and ended before it responded.
    for (const { version_id: id } of listed)
      if (this.expected.get(id) === undefined) await this.insist(() => this.client.delete(id));
    for (const other of this.expected.present) {
      if (other === main || random.chance(0.5)) continue;
      other.deletion = 'requested';
      await this.insist(() => this.client.delete(other.id));
      other.deletion = 'acknowledged';
    }
    if (this.expected.present.length > 3) return;
    const version = await this.create();
    await this.send(version, this.batches.next().value);
    if (random.chance(0.5)) await this.publish(version);
  }

  private async write(version: ExpectedVersion): Promise<void> {
    while (!this.isOver) {
      const again = [...version.ledger.unknown].find(isRepeatable);
      await this.send(version, again ?? this.batches.next().value);
    }
  }

  /** Sends a batch once. Without an acknowledgement, it may be stored. */
  private async send({ id, ledger }: ExpectedVersion, batch: number): Promise<void> {
    if (ledger.acknowledged.has(batch)) return;
    ledger.unknown.add(batch);
    const response = await this.client
      .importVerbosely(recordKindOf(batch), id, recordsOf(batch, this.client))
      .catch(() => undefined);
    if (response?.status !== 1) return;
    ledger.acknowledge(batch);
    this.tally.batches++;
  }

  private async checkQuery({ id, ledger }: ExpectedVersion): Promise<void> {
    const [batch] = [...ledger.acknowledged].filter((one) => !isOfPeople(one)).slice(-1);
    if (batch === undefined) return;
    const parameters = {
      event: 'order',
      from_date: DAY,
      to_date: DAY,
      where: `properties["batch"] == ${batch}`,
      dataset_id: 'orders',
      dataset_version: id,
    };
    const count = await this.insist(async () => {
      const response = await this.client.request('GET', '/api/2.0/segmentation', parameters);
      const [series] = Object.values((await readJson(response)).data.values) as Record<string, number>[];
      return series?.[DAY];
    });
    const size = recordsOf(batch, this.client).length;
    this.tally.expect(count === size, `a query of ${id} found ${count} of ${size} events`);
  }

  private async untilAcknowledged(batches: number): Promise<void> {
    const enough = this.tally.batches + batches;
    while (this.tally.batches < enough) await pause(10);
  }

  /** Repeats a request until a server grants it. */
  private async insist<Result>(request: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await request();
      } catch (error) {
        const isTransient =
          error instanceof TypeError || (error as Error).name === 'TimeoutError' || /: 503 /.test(String(error));
        // The request was granted before, but the server ended before it responded.
        if (/DELETE .*: 404 /.test(String(error))) return undefined as Result;
        if (!isTransient) throw error;
      }
    }
  }
}

async function readJson(response: Response) {
  if (!response.ok) throw new Error(`the query: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Checks the data folder while no server runs. */
function checkFiles(folder: TestFolder, url: string, tally: Tally): void {
  const settings = ['--data', folder.path, '--store', 'clickhouse', '--clickhouse-url', url];
  const { status, stdout, stderr } = onwhere('fsck', ...settings);
  tally.expect(status === 0, `onwhere fsck found damage: ${stdout}${stderr}`);
}
