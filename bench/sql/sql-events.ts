import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Random } from '../../src/data/random.ts';

const BATCH = 10_000;
export const COUNTRIES = 'US DE GB FR JP BR IN CA ES NL SE NO DK FI PL CZ AT CH IT PT'.split(' ');
export const BROWSERS = ['Chrome', 'Safari', 'Firefox', 'Edge'];

// biome-ignore format: a table of weights
const PLANS = [
  ['free', 55],
  ['pro', 25],
  ['team', 15],
  [undefined, 5],
] as const;

/**
 * Draws the properties of an event of a shop. One in ten amounts is a string and one in ten is missing, like other
 * values.
 */
export function drawEventProperties(random: Random, users = 300_000) {
  const amount = random.integer(100, 50_000) / 100;
  const day = String(random.integer(1, 28)).padStart(2, '0');
  const time = [random.integer(0, 23), random.integer(0, 59), random.integer(0, 59)].map((part) =>
    String(part).padStart(2, '0'),
  );
  return {
    distinct_id: `u${random.integer(1, users)}`,
    country: random.chance(0.05) ? undefined : random.chance(0.3) ? 'US' : COUNTRIES[random.integer(1, 19)],
    plan: random.weighted(PLANS),
    amount: random.weighted<string | number | undefined>([
      [amount, 80],
      [String(amount), 10],
      [undefined, 10],
    ]),
    quantity: random.integer(1, 9),
    $browser: BROWSERS[random.integer(0, 3)],
    url: `https://shop.example/p/${random.integer(1, 9_999)}?ref=${random.integer(1, 2 ** 31)}`,
    is_paid: random.weighted([
      [true, 40],
      [false, 40],
      [undefined, 20],
    ]),
    signed_up: random.chance(0.1) ? undefined : `2025-0${random.integer(1, 9)}-${day}T${time.join(':')}`,
  };
}

/** Returns an event for loading: its properties, and the property of mixed types in a column per type. */
function lineOf(properties: ReturnType<typeof drawEventProperties>): string {
  const { amount } = properties;
  const isText = typeof amount === 'string';
  return JSON.stringify({
    ...properties,
    amount: isText ? undefined : amount,
    amount_text: isText ? amount : undefined,
    properties,
  });
}

function* batches(events: number): Generator<string> {
  const random = new Random(5);
  for (let written = 0; written < events; written += BATCH) {
    const lines = Array.from({ length: Math.min(BATCH, events - written) }, () => lineOf(drawEventProperties(random)));
    yield `${lines.join('\n')}\n`;
  }
}

/** Writes events as NDJSON, the same on every machine. */
export async function writeSqlEvents(path: string, events: number): Promise<void> {
  await pipeline(Readable.from(batches(events)), createWriteStream(path));
}
