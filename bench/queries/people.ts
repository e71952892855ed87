import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Random } from '../../src/data/random.ts';

const BATCH = 10_000;
const PLANS = ['free', 'pro', 'team'];

function* batches(people: number): Generator<string> {
  const random = new Random(7);
  for (let written = 0; written < people; written += BATCH) {
    const lines = Array.from({ length: Math.min(BATCH, people - written) }, (_, index) => {
      const id = `u${written + index + 1}`;
      const properties = {
        $email: `${id}@shop.example`,
        plan: PLANS[random.integer(0, 2)],
        visits: random.integer(1, 500),
        $last_seen: `2025-06-${String(random.integer(1, 30)).padStart(2, '0')}T12:00:00`,
      };
      return JSON.stringify({ $distinct_id: id, $properties: properties });
    });
    yield `${lines.join('\n')}\n`;
  }
}

/** Writes people as NDJSON, the same on every machine. */
export async function writePeople(path: string, people: number): Promise<void> {
  await pipeline(Readable.from(batches(people)), createWriteStream(path));
}
