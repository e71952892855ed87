import type { LayoutName } from './sql-layouts.ts';

/**
 * SQL by hand that reads a property in a layout of a database. A value of another type is NULL or the result of a cast.
 */
export interface Reads {
  text(name: string): string;
  number(name: string): string;
  boolean(name: string): string;
  time(name: string): string;
}

/** A query that counts the events that a filter selects, or the events of each segment. */
export interface SqlCase {
  readonly name: string;
  readonly use: 'where' | 'on';
  readonly expression: string;
  /** The condition or the segment as SQL by hand. It relies on the types in these events. */
  readonly byHand: (reads: Reads) => string;
  /** The layout without this case, because its strings would be type errors. */
  readonly notIn?: LayoutName;
}

/** The queries of this section. */
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
