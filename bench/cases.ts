import type { Properties } from '../src/language/value.ts';

/** A filter and the same question written by hand, with the exact semantics: what an engine is compared with. */
export interface Case {
  readonly name: string;
  readonly filter: string;
  readonly byHand: (properties: Properties) => boolean;
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
const number = (value: unknown) => (typeof value === 'number' ? value : Number.NaN);

export const CASES: readonly Case[] = [
  {
    name: 'equality',
    filter: 'properties["country"] == "US"',
    byHand: (properties) => properties.country === 'US',
  },
  {
    name: 'two conditions',
    filter: 'properties["amount"] > 100 and properties["plan"] == "pro"',
    byHand: (properties) => number(properties.amount) > 100 && properties.plan === 'pro',
  },
  {
    name: 'substring and arithmetic',
    filter: '"google" in properties["referrer"] or floor(properties["amount"] / 10) % 2 == 0',
    byHand: (properties) =>
      text(properties.referrer)?.includes('google') === true || Math.floor(number(properties.amount) / 10) % 2 === 0,
  },
  {
    name: 'list',
    filter: 'properties["country"] in ["DE", "FR", "NL", "ES"]',
    byHand: ({ country }) => country === 'DE' || country === 'FR' || country === 'NL' || country === 'ES',
  },
];
