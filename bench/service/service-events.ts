import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Random } from '../../src/data/random.ts';
import { drawEventProperties } from '../sql/sql-events.ts';

const BATCH = 10_000;
const DAY = 86_400;

/** Midnight of 2025-06-01, in Unix seconds. */
export const FIRST_DAY = 1_748_736_000;

export const EVENT_NAMES = ['view', 'search', 'add to cart', 'purchase', 'sign up', 'share'];

interface Spread {
  /** The number of days. */
  readonly days: number;
  /** The number of users. */
  readonly users: number;
  /** The number of event names. */
  readonly names: number;
}

function* batches(events: number, { days, users, names }: Spread): Generator<string> {
  const random = new Random(6);
  for (let written = 0; written < events; written += BATCH) {
    const lines = Array.from({ length: Math.min(BATCH, events - written) }, (_, index) => {
      const time = FIRST_DAY + Math.floor(((written + index) / events) * days * DAY);
      const number = random.integer(0, names - 1);
      const event = EVENT_NAMES[number] ?? `event ${number + 1}`;
      return JSON.stringify({ event, properties: { ...drawEventProperties(random, users), time } });
    });
    yield `${lines.join('\n')}\n`;
  }
}

/** Writes events for an import as NDJSON, the same on every machine and in order of time. */
export async function writeServiceEvents(
  path: string,
  events: number,
  spread: Spread = { days: 90, users: 300_000, names: EVENT_NAMES.length },
): Promise<void> {
  await pipeline(Readable.from(batches(events, spread)), createWriteStream(path));
}
