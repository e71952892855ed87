import type { SqlSource } from '../../src/lang/engines/sql/sql-source.ts';

export type LayoutName = keyof typeof SQL_LAYOUTS;

/** The layouts of events, each in the table of its name. */
export const SQL_LAYOUTS = {
  columns: {
    table: 'columns',
    properties: {
      columns: {
        country: { string: 'country' },
        plan: { string: 'plan' },
        amount: { number: 'amount', string: 'amount_text' },
        quantity: { number: 'quantity' },
        url: { string: 'url' },
        is_paid: { boolean: 'is_paid' },
        signed_up: { string: 'signed_up' },
      },
    },
  },
  json: { table: 'json', properties: { rest: { kind: 'json', column: 'properties' } } },
  map: { table: 'map', properties: { rest: { kind: 'map', column: 'properties', values: 'text' } } },
} as const satisfies Readonly<Record<string, SqlSource>>;
