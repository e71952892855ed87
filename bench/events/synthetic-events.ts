import { Random } from '../../src/data/random.ts';
import type { Properties } from '../../src/lang/value.ts';

const COUNTRIES = (
  'US DE GB FR JP BR IN CA ES NL SE NO DK FI PL CZ AT CH IT PT IE BE GR TR RO HU BG HR SK SI ' +
  'LT LV EE UA IL AE SA EG ZA NG KE MX AR CL CO PE AU NZ SG KR'
).split(' ');

// biome-ignore-start format: tables of weights
const PLANS = [
  ['free', 55],
  ['pro', 25],
  ['team', 15],
  [null, 5],
] as const;
const BROWSERS = [
  ['Chrome', 55],
  ['Safari', 25],
  ['Firefox', 14],
  ['Edge', 6],
] as const;
const SITES = [
  ['www.google.com/search', 35],
  ['news.example/today', 25],
  ['shop.example/pricing', 20],
  ['mail.example/campaign', 20],
] as const;
// biome-ignore-end format: tables of weights

/** The number of orders of the properties. Times the four ways to omit some, it is the number of shapes. */
const ORDERS = 50;

/**
 * Generates properties of events as `JSON.parse` returns them, the same on every machine. A fifth has no amount and a
 * fifth no `is_paid`, so they have 4 shapes. With `manyShapes` they have 200, from the order of their properties and a
 * property that only this order has.
 */
export function generateSyntheticEvents(count: number, manyShapes = false): Properties[] {
  const random = new Random(1);
  return Array.from({ length: count }, (_, index) => {
    const properties = drawProperties(index, random);
    return JSON.parse(JSON.stringify(manyShapes ? reorder(properties, random.integer(0, ORDERS - 1)) : properties));
  });
}

function drawProperties(index: number, random: Random): Properties {
  const age = random.integer(16, 80);
  const site = random.weighted(SITES);
  return {
    distinct_id: `u${random.integer(1, 10_000)}`,
    time: 1_748_736_000 + index * 20,
    country: random.chance(0.3) ? 'US' : COUNTRIES[random.integer(1, COUNTRIES.length - 1)],
    plan: random.weighted(PLANS),
    amount: random.chance(0.2) ? undefined : random.integer(100, 50_000) / 100,
    age: random.chance(0.3) ? String(age) : age,
    $browser: random.weighted(BROWSERS),
    referrer: `https://${site}?id=${random.integer(0, 2 ** 31)}`,
    is_paid: random.weighted([
      [true, 40],
      [false, 30],
      [null, 10],
      [undefined, 20],
    ]),
  };
}

function reorder(properties: Properties, order: number): Properties {
  const entries = Object.entries(properties);
  const first = order % entries.length;
  return Object.fromEntries([...entries.slice(first), [`only_${order}`, order], ...entries.slice(0, first)]);
}
