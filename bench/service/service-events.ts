import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Random } from '../../src/samples/random.ts';
import { propertiesOf } from '../sql/sql-events.ts';

const BATCH = 10_000;
const DAY = 86_400;

/** Over how many days the events are spread, in the order of their times. */
const DAYS = 90;

/** Midnight of a day, in Unix seconds. */
const FIRST_DAY = 1_748_736_000;

const EVENTS = ['view', 'search', 'add to cart', 'purchase', 'sign up', 'share'];

function* batches(events: number): Generator<string> {
  const random = new Random(6);
  for (let written = 0; written < events; written += BATCH) {
    const lines = Array.from({ length: Math.min(BATCH, events - written) }, (_, index) => {
      const time = FIRST_DAY + Math.floor(((written + index) / events) * DAYS * DAY);
      const event = EVENTS[random.integer(0, EVENTS.length - 1)];
      return JSON.stringify({ event, properties: { ...propertiesOf(random), time } });
    });
    yield `${lines.join('\n')}\n`;
  }
}

/** Writes events as they are imported, the same on every machine, one JSON object a line. */
export async function writeServiceEvents(path: string, events: number): Promise<void> {
  await pipeline(Readable.from(batches(events)), createWriteStream(path));
}
