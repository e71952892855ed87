import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../src/data/random.ts';
import type { Client } from '../end-to-end/client.ts';
import { DAY, isOfPeople, isRepeatable, recordKindOf, recordsOf, sizeOf } from './batch.ts';
import type { ExpectedVersion, ExpectedVersions } from './expected-versions.ts';
import type { Tally } from './tally.ts';

const MAX_SIDE_VERSIONS = 2;

/** Clients of a server that record what it acknowledges. All of them end when the server is gone. */
export class Load {
  constructor(
    private readonly client: Client,
    private readonly expected: ExpectedVersions,
    /** The numbers of the next batches. */
    private readonly batches: Iterator<number, never>,
    private readonly tally: Tally,
  ) {}

  /**
   * Imports batches until one is refused or gets no response. Repeatable batches are sent again until they are
   * acknowledged.
   */
  async write(version: ExpectedVersion): Promise<void> {
    for (;;) {
      const again = [...version.ledger.unknown].find(isRepeatable);
      if (!(await this.send(version, again ?? this.batches.next().value))) return;
    }
  }

  /**
   * Sends a batch; returns whether it was acknowledged. A refused batch is not stored; without a response, it may be.
   */
  async send({ id, ledger }: ExpectedVersion, batch: number): Promise<boolean> {
    ledger.unknown.add(batch);
    const records = recordsOf(batch, this.client);
    const response = await this.client.importVerbosely(recordKindOf(batch), id, records).catch(() => undefined);
    if (response === undefined) return false;
    if (response.status === 1) {
      ledger.acknowledge(batch);
      this.tally.batches++;
    } else ledger.unknown.delete(batch);
    return response.status === 1;
  }

  async publish(version: ExpectedVersion): Promise<void> {
    try {
      await this.client.setState(version.id, { readable: true, writable: true });
      version.isReadable = true;
    } catch (error) {
      // Another client may have deleted it in the meantime.
      if (isGone(error) || version.deletion === 'none') throw error;
    }
  }

  async delete(version: ExpectedVersion): Promise<void> {
    if (version.deletion !== 'none') return;
    version.deletion = 'requested';
    await this.client.delete(version.id);
    version.deletion = 'acknowledged';
  }

  /** Creates versions next to the main one, fills and publishes them, and deletes them at any stage. */
  async makeAndDelete(main: ExpectedVersion, random: Random): Promise<void> {
    await untilGone(async () => {
      const sides = this.expected.present.filter((version) => version !== main);
      const [oldest] = sides;
      if (oldest !== undefined && sides.length >= MAX_SIDE_VERSIONS) return this.delete(oldest);
      const version = this.expected.add((await this.client.create()).version_id);
      for (let left = random.integer(0, 3); left > 0; left--) await this.send(version, this.batches.next().value);
      if (random.chance(0.6)) await this.publish(version);
      await pause(random.integer(0, 200));
      if (random.chance(0.5)) await this.delete(version);
    });
  }

  /**
   * Queries the number of events of a batch, which must be all or none. The query may fail because its database is
   * killed.
   */
  async query({ id, ledger }: ExpectedVersion, random: Random): Promise<void> {
    await untilGone(async () => {
      const { state } = await this.client.get(id);
      const sent = [...ledger.acknowledged, ...ledger.unknown].filter((batch) => !isOfPeople(batch));
      const batch = sent[random.integer(0, sent.length - 1)];
      if (!state.readable || batch === undefined) return pause(50);
      const where = `properties["batch"] == ${batch}`;
      const dates = { from_date: DAY, to_date: DAY };
      const parameters = { event: 'order', ...dates, where, dataset_id: 'orders', dataset_version: id };
      const response = await this.client.request('GET', '/api/2.0/segmentation', parameters);
      const text = await response.text();
      if (response.status !== 200) {
        const isExpected = response.status === 503;
        return this.tally.expect(isExpected, `a query got status ${response.status}: ${text}`);
      }
      const [series] = Object.values(JSON.parse(text).data.values) as Record<string, number>[];
      const count = series?.[DAY] ?? 0;
      this.tally.expect([0, sizeOf(batch)].includes(count), `a query found ${count} of ${sizeOf(batch)} events`);
    });
  }
}

/** Yields 1, 2, 3 … */
export function* numbers(): Generator<number, never> {
  for (let number = 1; ; number++) yield number;
}

async function untilGone(work: () => Promise<void>): Promise<void> {
  try {
    for (;;) await work();
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/** Returns whether an error says that the server does not respond, as after a kill. */
export function isGone(error: unknown): boolean {
  return error instanceof TypeError && ['fetch failed', 'terminated'].includes(error.message);
}
