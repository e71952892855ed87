import type { LayoutName } from './sql-layouts.ts';

/** How a person reads a property in one layout of one database: what has another type is NULL, or what the cast makes of it. */
export interface Reads {
  text(name: string): string;
  number(name: string): string;
  boolean(name: string): string;
  time(name: string): string;
}

/** A question: how many events a filter selects, or how many there are of each segment. */
export interface SqlCase {
  readonly name: string;
  readonly use: 'where' | 'on';
  readonly expression: string;
  /** The condition, or what is grouped by, as a person writes it who knows these events. */
  readonly byHand: (reads: Reads) => string;
  /** Where it is not asked, for what is text there would be a type error. */
  readonly notIn?: LayoutName;
}

/** The questions that are asked of databases. */
export const SQL_CASES: readonly SqlCase[] = [
  {
    name: 'country',
    use: 'where',
    expression: 'properties["country"] == "US"',
    byHand: ({ text }) => `${text('country')} = 'US'`,
  },
  {
    name: 'plan and amount',
    use: 'where',
    expression: 'properties["plan"] in ["pro", "team"] and number(properties["amount"]) > 100',
    byHand: ({ text, number }) => `${text('plan')} IN ('pro', 'team') AND ${number('amount')} > 100`,
  },
  {
    name: 'unpaid pages',
    use: 'where',
    expression: '"/p/7" in properties["url"] and not boolean(properties["is_paid"])',
    byHand: ({ text, boolean }) => `${text('url')} LIKE '%/p/7%' AND NOT coalesce(${boolean('is_paid')}, false)`,
  },
  {
    name: 'paid in a country',
    use: 'where',
    expression: 'properties["is_paid"] and properties["country"] != "US"',
    byHand: ({ text, boolean }) => `${boolean('is_paid')} AND coalesce(${text('country')}, '') <> 'US'`,
    notIn: 'map',
  },
  {
    name: 'arithmetic',
    use: 'where',
    expression: 'number(properties["amount"]) * number(properties["quantity"]) - 20 >= 500',
    byHand: ({ number }) => `${number('amount')} * ${number('quantity')} - 20 >= 500`,
  },
  {
    name: 'signed up since',
    use: 'where',
    expression: 'properties["signed_up"] >= datetime("2025-06-01")',
    byHand: ({ time }) => `${time('signed_up')} >= '2025-06-01 00:00:00'`,
  },
  {
    name: 'by country',
    use: 'on',
    expression: 'properties["country"]',
    byHand: ({ text }) => text('country'),
  },
  {
    name: 'by fifties',
    use: 'on',
    expression: 'floor(number(properties["amount"]) / 50) * 50',
    byHand: ({ number }) => `floor(${number('amount')} / 50) * 50`,
  },
];
