import { castToBoolean, castToNumber, includesString, toFiniteNumber } from '../casts.ts';
import { generateSyntheticEvents } from '../events/synthetic-events.ts';
import type { Case } from './case.ts';

const EVENTS = 100_000;

const FILTERS: readonly Omit<Case, 'events'>[] = [
  {
    name: 'P1',
    filter: (dialect) => dialect.equals('country', 'US'),
    byHand: (properties) => properties.country === 'US',
    byHandOwn: (properties) => Object.hasOwn(properties, 'country') && properties.country === 'US',
  },
  {
    name: 'P2',
    filter: (dialect) => dialect.and([dialect.compares('amount', '>', 100), dialect.equals('plan', 'pro')]),
    byHand: (properties) => toFiniteNumber(properties.amount) > 100 && properties.plan === 'pro',
    byHandOwn: (properties) =>
      Object.hasOwn(properties, 'amount') &&
      toFiniteNumber(properties.amount) > 100 &&
      Object.hasOwn(properties, 'plan') &&
      properties.plan === 'pro',
  },
  {
    name: 'P3',
    filter: (dialect) =>
      dialect.or([
        dialect.and([dialect.castCompares('age', '>=', 21), dialect.contains('referrer', 'google')]),
        dialect.and([dialect.isTrue('is_paid'), dialect.isEvenStep('amount', 10)]),
      ]),
    byHand: (properties) =>
      (castToNumber(properties.age) >= 21 && includesString(properties.referrer, 'google')) ||
      (castToBoolean(properties.is_paid) && Math.floor(toFiniteNumber(properties.amount) / 10) % 2 === 0),
    byHandOwn: (properties) =>
      (Object.hasOwn(properties, 'age') &&
        castToNumber(properties.age) >= 21 &&
        Object.hasOwn(properties, 'referrer') &&
        includesString(properties.referrer, 'google')) ||
      (Object.hasOwn(properties, 'is_paid') &&
        castToBoolean(properties.is_paid) &&
        Object.hasOwn(properties, 'amount') &&
        Math.floor(toFiniteNumber(properties.amount) / 10) % 2 === 0),
  },
  {
    name: 'P4',
    filter: (dialect) =>
      dialect.or([
        dialect.and([
          dialect.equals('country', 'US'),
          dialect.equals('plan', 'pro'),
          dialect.compares('amount', '>', 250),
        ]),
        dialect.and([
          dialect.isOneOf('country', ['DE', 'FR', 'NL', 'ES']),
          dialect.equals('$browser', 'Firefox'),
          dialect.castCompares('age', '<', 30),
        ]),
        dialect.and([
          dialect.contains('referrer', 'google'),
          dialect.differs('plan', 'free'),
          dialect.compares('amount', '>=', 50),
          dialect.compares('amount', '<', 75),
        ]),
        dialect.and([
          dialect.isTrue('is_paid'),
          dialect.differs('country', 'US'),
          dialect.isEvenStep('amount', 10),
          dialect.castCompares('age', '>=', 65),
        ]),
        dialect.and([
          dialect.equals('plan', 'team'),
          dialect.equals('is_paid', false),
          dialect.contains('referrer', '/pricing'),
        ]),
        dialect.and([
          dialect.isOneOf('$browser', ['Safari', 'Edge']),
          dialect.castCompares('age', '<=', 24),
          dialect.contains('referrer', 'campaign'),
        ]),
      ]),
    byHand: (properties) => {
      const { country } = properties;
      return (
        (country === 'US' && properties.plan === 'pro' && toFiniteNumber(properties.amount) > 250) ||
        ((country === 'DE' || country === 'FR' || country === 'NL' || country === 'ES') &&
          properties.$browser === 'Firefox' &&
          castToNumber(properties.age) < 30) ||
        (includesString(properties.referrer, 'google') &&
          properties.plan !== 'free' &&
          toFiniteNumber(properties.amount) >= 50 &&
          toFiniteNumber(properties.amount) < 75) ||
        (castToBoolean(properties.is_paid) &&
          country !== 'US' &&
          Math.floor(toFiniteNumber(properties.amount) / 10) % 2 === 0 &&
          castToNumber(properties.age) >= 65) ||
        (properties.plan === 'team' &&
          properties.is_paid === false &&
          includesString(properties.referrer, '/pricing')) ||
        ((properties.$browser === 'Safari' || properties.$browser === 'Edge') &&
          castToNumber(properties.age) <= 24 &&
          includesString(properties.referrer, 'campaign'))
      );
    },
    byHandOwn: (properties) => {
      const country = Object.hasOwn(properties, 'country') ? properties.country : undefined;
      const plan = Object.hasOwn(properties, 'plan') ? properties.plan : undefined;
      const browser = Object.hasOwn(properties, '$browser') ? properties.$browser : undefined;
      const referrer = Object.hasOwn(properties, 'referrer') ? properties.referrer : undefined;
      const isPaid = Object.hasOwn(properties, 'is_paid') ? properties.is_paid : undefined;
      const amount = Object.hasOwn(properties, 'amount') ? toFiniteNumber(properties.amount) : Number.NaN;
      const age = Object.hasOwn(properties, 'age') ? castToNumber(properties.age) : Number.NaN;
      return (
        (country === 'US' && plan === 'pro' && amount > 250) ||
        ((country === 'DE' || country === 'FR' || country === 'NL' || country === 'ES') &&
          browser === 'Firefox' &&
          age < 30) ||
        (includesString(referrer, 'google') && plan !== 'free' && amount >= 50 && amount < 75) ||
        (castToBoolean(isPaid) && country !== 'US' && Math.floor(amount / 10) % 2 === 0 && age >= 65) ||
        (plan === 'team' && isPaid === false && includesString(referrer, '/pricing')) ||
        ((browser === 'Safari' || browser === 'Edge') && age <= 24 && includesString(referrer, 'campaign'))
      );
    },
  },
];

/** Four filters, from one comparison to 20 clauses, over events of 4 shapes and then of 200. */
export const SYNTHETIC_CASES: readonly Case[] = [
  ...FILTERS.map((filter) => ({ ...filter, events: () => generateSyntheticEvents(EVENTS) })),
  ...FILTERS.map((filter) => ({
    ...filter,
    name: `${filter.name}, 200 shapes`,
    events: () => generateSyntheticEvents(EVENTS, true),
  })),
];
