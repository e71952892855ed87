import { castToBoolean, castToNumber, hasPart, numberOf } from '../casts.ts';
import { syntheticEvents } from '../events/synthetic-events.ts';
import type { Case } from './case.ts';

const EVENTS = 100_000;

const FILTERS: readonly Omit<Case, 'events'>[] = [
  {
    name: 'P1',
    question: (ask) => ask.equals('country', 'US'),
    byHand: (properties) => properties.country === 'US',
    byHandOwn: (properties) => Object.hasOwn(properties, 'country') && properties.country === 'US',
  },
  {
    name: 'P2',
    question: (ask) => ask.and([ask.compares('amount', '>', 100), ask.equals('plan', 'pro')]),
    byHand: (properties) => numberOf(properties.amount) > 100 && properties.plan === 'pro',
    byHandOwn: (properties) =>
      Object.hasOwn(properties, 'amount') &&
      numberOf(properties.amount) > 100 &&
      Object.hasOwn(properties, 'plan') &&
      properties.plan === 'pro',
  },
  {
    name: 'P3',
    question: (ask) =>
      ask.or([
        ask.and([ask.castCompares('age', '>=', 21), ask.contains('referrer', 'google')]),
        ask.and([ask.isTrue('is_paid'), ask.isEvenStep('amount', 10)]),
      ]),
    byHand: (properties) =>
      (castToNumber(properties.age) >= 21 && hasPart(properties.referrer, 'google')) ||
      (castToBoolean(properties.is_paid) && Math.floor(numberOf(properties.amount) / 10) % 2 === 0),
    byHandOwn: (properties) =>
      (Object.hasOwn(properties, 'age') &&
        castToNumber(properties.age) >= 21 &&
        Object.hasOwn(properties, 'referrer') &&
        hasPart(properties.referrer, 'google')) ||
      (Object.hasOwn(properties, 'is_paid') &&
        castToBoolean(properties.is_paid) &&
        Object.hasOwn(properties, 'amount') &&
        Math.floor(numberOf(properties.amount) / 10) % 2 === 0),
  },
  {
    name: 'P4',
    question: (ask) =>
      ask.or([
        ask.and([ask.equals('country', 'US'), ask.equals('plan', 'pro'), ask.compares('amount', '>', 250)]),
        ask.and([
          ask.isOneOf('country', ['DE', 'FR', 'NL', 'ES']),
          ask.equals('$browser', 'Firefox'),
          ask.castCompares('age', '<', 30),
        ]),
        ask.and([
          ask.contains('referrer', 'google'),
          ask.differs('plan', 'free'),
          ask.compares('amount', '>=', 50),
          ask.compares('amount', '<', 75),
        ]),
        ask.and([
          ask.isTrue('is_paid'),
          ask.differs('country', 'US'),
          ask.isEvenStep('amount', 10),
          ask.castCompares('age', '>=', 65),
        ]),
        ask.and([ask.equals('plan', 'team'), ask.equals('is_paid', false), ask.contains('referrer', '/pricing')]),
        ask.and([
          ask.isOneOf('$browser', ['Safari', 'Edge']),
          ask.castCompares('age', '<=', 24),
          ask.contains('referrer', 'campaign'),
        ]),
      ]),
    byHand: (properties) => {
      const { country } = properties;
      return (
        (country === 'US' && properties.plan === 'pro' && numberOf(properties.amount) > 250) ||
        ((country === 'DE' || country === 'FR' || country === 'NL' || country === 'ES') &&
          properties.$browser === 'Firefox' &&
          castToNumber(properties.age) < 30) ||
        (hasPart(properties.referrer, 'google') &&
          properties.plan !== 'free' &&
          numberOf(properties.amount) >= 50 &&
          numberOf(properties.amount) < 75) ||
        (castToBoolean(properties.is_paid) &&
          country !== 'US' &&
          Math.floor(numberOf(properties.amount) / 10) % 2 === 0 &&
          castToNumber(properties.age) >= 65) ||
        (properties.plan === 'team' && properties.is_paid === false && hasPart(properties.referrer, '/pricing')) ||
        ((properties.$browser === 'Safari' || properties.$browser === 'Edge') &&
          castToNumber(properties.age) <= 24 &&
          hasPart(properties.referrer, 'campaign'))
      );
    },
    byHandOwn: (properties) => {
      const country = Object.hasOwn(properties, 'country') ? properties.country : undefined;
      const plan = Object.hasOwn(properties, 'plan') ? properties.plan : undefined;
      const browser = Object.hasOwn(properties, '$browser') ? properties.$browser : undefined;
      const referrer = Object.hasOwn(properties, 'referrer') ? properties.referrer : undefined;
      const isPaid = Object.hasOwn(properties, 'is_paid') ? properties.is_paid : undefined;
      const amount = Object.hasOwn(properties, 'amount') ? numberOf(properties.amount) : Number.NaN;
      const age = Object.hasOwn(properties, 'age') ? castToNumber(properties.age) : Number.NaN;
      return (
        (country === 'US' && plan === 'pro' && amount > 250) ||
        ((country === 'DE' || country === 'FR' || country === 'NL' || country === 'ES') &&
          browser === 'Firefox' &&
          age < 30) ||
        (hasPart(referrer, 'google') && plan !== 'free' && amount >= 50 && amount < 75) ||
        (castToBoolean(isPaid) && country !== 'US' && Math.floor(amount / 10) % 2 === 0 && age >= 65) ||
        (plan === 'team' && isPaid === false && hasPart(referrer, '/pricing')) ||
        ((browser === 'Safari' || browser === 'Edge') && age <= 24 && hasPart(referrer, 'campaign'))
      );
    },
  },
];

/** Four filters, from one comparison to 20 clauses, over events of 4 shapes and then of 200. */
export const SYNTHETIC_CASES: readonly Case[] = [
  ...FILTERS.map((filter) => ({ ...filter, events: () => syntheticEvents(EVENTS) })),
  ...FILTERS.map((filter) => ({
    ...filter,
    name: `${filter.name}, 200 shapes`,
    events: () => syntheticEvents(EVENTS, true),
  })),
];
