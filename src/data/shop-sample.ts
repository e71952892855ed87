import { Random } from './random.ts';

/** An event in the import format of the service. */
export interface ShopEvent {
  readonly event: string;
  readonly properties: { readonly distinct_id: string; readonly time: number; readonly [name: string]: unknown };
}

interface Customer {
  readonly id: string;
  readonly country: string | undefined;
  readonly plan: string | null;
  readonly age: number | string | undefined;
  readonly browser: string;
}

/** A customer in the import format of the service. */
export interface ShopPerson {
  readonly $distinct_id: string;
  readonly $set: Readonly<Record<string, unknown>>;
}

const SAMPLE_SEED = 2025;
const SAMPLE_EVENTS = 20_000;
const FIRST_SECOND = Date.UTC(2025, 5, 1) / 1000;
const DAYS = 30;
const DAY_SECONDS = 86_400;

// biome-ignore-start format: tables, to be read by their rows
const COUNTRIES = [
  ['US', 30],
  ['DE', 14],
  ['GB', 12],
  ['FR', 9],
  ['JP', 7],
  ['BR', 6],
  ['IN', 6],
  ['CA', 5],
  ['ES', 4],
  ['NL', 3],
  [undefined, 4],
] as const;
const PLANS = [
  ['free', 60],
  ['pro', 25],
  ['team', 12],
  [null, 3],
] as const;
const BROWSERS = [
  ['Chrome', 55],
  ['Safari', 25],
  ['Firefox', 14],
  ['Edge', 6],
] as const;
const EVENTS = [
  ['view product', 60],
  ['add to cart', 20],
  ['purchase', 12],
  ['sign up', 5],
  ['refund', 3],
] as const;
const CATEGORIES = [
  ['books', 30],
  ['kitchen', 22],
  ['garden', 18],
  ['toys', 16],
  ['music', 9],
  ['outdoor', 5],
] as const;
const TAGS = [
  ['gift', 40],
  ['sale', 40],
  ['new', 20],
] as const;
const FIRST_NAMES = ['Ada', 'Ben', 'Chiara', 'Deniz', 'Emil', 'Farah', 'Goran', 'Hana', 'Ines', 'Jonas', 'Kaya', 'Leo'];
const LAST_NAMES = ['Adler', 'Bell', 'Costa', 'Dubois', 'Ek', 'Fischer', 'Garcia', 'Haddad', 'Ito', 'Jansen'];
/** The number of each event today and yesterday. */
const RECENT_EVENTS = [
  ['view product', 9, 6],
  ['add to cart', 4, 4],
  ['purchase', 2, 3],
] as const;
// biome-ignore-end format: tables, to be read by their rows

/** Generates the sample of `onwhere demo` and the page. */
export function generateShopSample(): Generator<ShopEvent> {
  return generateShopEvents(SAMPLE_EVENTS, SAMPLE_SEED);
}

/** Returns the customers of {@link generateShopSample}. */
export function listShopPeople(): ShopPerson[] {
  const random = new Random(SAMPLE_SEED + 1);
  const pickName = (names: readonly string[]) => names[random.integer(0, names.length - 1)] as string;
  return createCustomers(SAMPLE_EVENTS, new Random(SAMPLE_SEED)).map(({ id, country, plan }) => {
    const [firstName, lastName] = [pickName(FIRST_NAMES), pickName(LAST_NAMES)];
    const created = new Date((FIRST_SECOND - random.integer(1, 300) * DAY_SECONDS) * 1000);
    return {
      $distinct_id: id,
      $set: {
        $created: created.toISOString().slice(0, 19),
        $email: `${firstName}.${lastName}.${id}@shop.example`.toLowerCase(),
        $first_name: firstName,
        $last_name: lastName,
        country,
        plan,
      },
    };
  });
}

/** Returns a few events at the start of today and of yesterday in UTC. `now` is in Unix seconds. */
export function createRecentShopEvents(now: number): ShopEvent[] {
  const today = now - (now % DAY_SECONDS);
  return RECENT_EVENTS.flatMap(([event, ...counts]) =>
    counts.flatMap((count, daysAgo) =>
      Array.from({ length: count }, (_, index) => {
        return { event, properties: { distinct_id: `u0000${index + 1}`, time: today - daysAgo * DAY_SECONDS } };
      }),
    ),
  );
}

/**
 * Generates events of a small shop over June 2025 in time order; the same seed gives the same events. They are as
 * untidy as real ones: some amounts and ages are strings, some plans null, some countries missing, and tags are lists.
 */
export function* generateShopEvents(count: number, seed: number): Generator<ShopEvent> {
  const random = new Random(seed);
  const customers = createCustomers(count, random);
  for (let index = 0; index < count; index++) {
    const time = FIRST_SECOND + Math.floor((index / count) * DAYS * DAY_SECONDS) + random.integer(0, 30);
    yield createEvent(customers[random.integer(0, customers.length - 1)] as Customer, time, random);
  }
}

function createCustomers(events: number, random: Random): Customer[] {
  return Array.from({ length: Math.max(1, Math.round(events / 12)) }, (_, index) => createCustomer(index, random));
}

function createCustomer(index: number, random: Random): Customer {
  const age = random.integer(16, 80);
  return {
    id: `u${String(index + 1).padStart(5, '0')}`,
    country: random.weighted(COUNTRIES),
    plan: random.weighted(PLANS),
    age: random.weighted<Customer['age']>([
      [age, 60],
      [String(age), 15],
      [undefined, 25],
    ]),
    browser: random.weighted(BROWSERS),
  };
}

/** Creates an event. `JSON.stringify` drops its undefined properties. */
function createEvent({ id, country, plan, age, browser }: Customer, time: number, random: Random): ShopEvent {
  const event = random.weighted(EVENTS);
  const bought = event === 'purchase' || event === 'refund';
  const amount = (event === 'refund' ? -1 : 1) * (random.integer(300, 24_000) / 100);
  return {
    event,
    properties: {
      distinct_id: id,
      time,
      country,
      plan,
      age,
      $browser: browser,
      category: event === 'sign up' ? undefined : random.weighted(CATEGORIES),
      amount: bought ? (random.chance(0.08) ? String(amount) : amount) : undefined,
      is_gift: bought
        ? random.weighted<unknown>([
            [true, 20],
            [false, 70],
            ['true', 5],
            [null, 5],
          ])
        : undefined,
      tags: random.chance(0.4) ? [...new Set([random.weighted(TAGS), random.weighted(TAGS)])] : undefined,
      referrer: random.chance(0.5)
        ? `https://${random.weighted([
            ['www.google.com/search', 5],
            ['news.example/today', 3],
            ['blog.example/gifts', 2],
          ])}?ref=${random.integer(1, 999)}`
        : '',
    },
  };
}
