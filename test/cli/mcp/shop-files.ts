import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateShopEvents, listShopPeople, type ShopEvent } from '../../../src/data/shop-sample.ts';

const SEED = 2025;

/** Events and people of the shop, in a folder. */
export class ShopFiles {
  readonly events: readonly ShopEvent[];
  /** The profiles by the ids of people. */
  readonly people = new Map(listShopPeople().map(({ $distinct_id, $set }) => [$distinct_id, $set]));
  private readonly folder = mkdtempSync(join(tmpdir(), 'onwhere-mcp-test-'));
  readonly eventFile = join(this.folder, 'events.ndjson');
  readonly peopleFile = join(this.folder, 'people.ndjson');

  constructor(events: number) {
    this.events = [...generateShopEvents(events, SEED)];
    writeFileSync(this.eventFile, toLines(this.events));
    const people = Array.from(this.people, ([$distinct_id, $properties]) => ({ $distinct_id, $properties }));
    writeFileSync(this.peopleFile, toLines(people));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

function toLines(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}
