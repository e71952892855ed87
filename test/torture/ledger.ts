import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDbStore } from '../../src/service/store/duckdb/duck-db-store.ts';
import type { Store, StoredVersion } from '../../src/service/store/store.ts';
import { sizeOf } from './batch.ts';
import type { Tally } from './tally.ts';

/** The batches that were sent to a version. */
export class Ledger {
  readonly acknowledged = new Set<number>();
  /** Batches that were sent and not acknowledged. Each is stored completely or not at all. */
  readonly unknown = new Set<number>();

  acknowledge(batch: number): void {
    this.unknown.delete(batch);
    this.acknowledged.add(batch);
  }

  /** The number of acknowledged records. */
  get acknowledgedRecords(): number {
    return [...this.acknowledged].reduce((sum, batch) => sum + sizeOf(batch), 0);
  }

  /** Compares the stored batches with those that were sent. */
  check(version: string, stored: StoredBatches, tally: Tally): void {
    const problems = { lost: [] as number[], partial: [] as number[], doubled: [] as number[], unsent: [] as number[] };
    for (const batch of new Set([...this.acknowledged, ...stored.indexes.keys()])) {
      const indexes = stored.indexes.get(batch) ?? [];
      const found = new Set(indexes).size;
      const missing = sizeOf(batch) - found;
      tally.records += sizeOf(batch);
      if (missing > 0) problems[this.acknowledged.has(batch) ? 'lost' : 'partial'].push(batch);
      if (indexes.length > found) problems.doubled.push(batch);
      if (!this.acknowledged.has(batch) && !this.unknown.has(batch)) problems.unsent.push(batch);
      if (this.acknowledged.has(batch)) tally.lost += missing;
      tally.doubled += indexes.length - found;
    }
    for (const [kind, batches] of Object.entries(problems)) {
      tally.expect(batches.length === 0, `version ${version} has ${kind} batches: ${batches.join(', ')}`);
    }
    for (const problem of stored.problems) tally.expect(false, `version ${version}: ${problem}`);
  }
}

/** The stored records of a version, by batch. */
export interface StoredBatches {
  /** For each batch, the indexes of its records. A record that is stored twice is listed twice. */
  readonly indexes: ReadonlyMap<number, readonly number[]>;
  /** Inconsistencies within a record. */
  readonly problems: readonly string[];
}

/** Reads the stored batches of a version. No server may have the folder open. */
export async function readStoredBatches(versionFolder: string, versionId: string): Promise<StoredBatches> {
  const store = await DuckDbStore.open({ temporaryFolder: join(tmpdir(), 'onwhere-torture-temporary') });
  try {
    return await readBatches(store, { id: versionId, folder: join(versionFolder, 'store') });
  } finally {
    await store.close();
  }
}

/** Reads the batches of a version in a store. */
export async function readBatches(store: Store, version: StoredVersion): Promise<StoredBatches> {
  const indexes = new Map<number, number[]>();
  const problems: string[] = [];
  const add = (batch: number, index: number) => {
    const known = indexes.get(batch) ?? [];
    indexes.set(batch, [...known, index]);
  };
  for await (const { properties } of store.events(version)) add(Number(properties.batch), Number(properties.index));
  for await (const { distinctId, properties } of store.people(version)) {
    const { united = [], appended = [], total = 0 } = properties as Record<string, never>;
    for (const place of [...(united as string[]), ...(appended as string[])]) {
      const [batch, index] = place.split('/').map(Number);
      add(batch as number, index as number);
    }
    const appends = (appended as string[]).length;
    if (appends !== total) problems.push(`${distinctId} has ${appends} appended values and a total of ${total}`);
  }
  return { indexes, problems };
}
