import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileWhere } from '../../../src/api/expressions.ts';
import { duckdb, postgresql, toSql } from '../../../src/api/sql.ts';
import { translateSql } from '../../../src/lang/foreign/translate.ts';
import type { Properties } from '../../../src/lang/value.ts';
import { runs, splitRuns } from '../../runs.ts';
import { anyValueOf, expectSameRecords, NUMBERS, STRINGS } from './compare-records.ts';

const SOURCE = {
  table: 'events',
  properties: {
    columns: {
      plan: { string: 'plan' },
      country: { string: 'country' },
      amount: { number: 'amount' },
      score: { number: 'score' },
      active: { boolean: 'active' },
    },
  },
} as const;

const anyNumber = fc.constantFrom(...NUMBERS).map((name) => `properties["${name}"]`);
const anyString = fc.constantFrom(...STRINGS).map((name) => `properties["${name}"]`);
const literalOf = (name: 'plan' | 'amount') => anyValueOf(name).map((value) => JSON.stringify(value));

/** Expressions that SQL of one meaning can say: typed columns, compared with literals and with each other. */
const { expression: anyExpression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4 },
    fc
      .tuple(anyString, fc.constantFrom('==', '!='), fc.oneof(literalOf('plan'), anyString))
      .map((parts) => parts.join(' ')),
    fc
      .tuple(anyNumber, fc.constantFrom('==', '!='), fc.oneof(literalOf('amount'), anyNumber))
      .map((parts) => parts.join(' ')),
    fc.tuple(anyNumber, fc.constantFrom('<', '<=', '>', '>='), literalOf('amount')).map((parts) => parts.join(' ')),
    fc
      .tuple(anyString, fc.array(literalOf('plan'), { minLength: 1, maxLength: 3 }))
      .map(([left, items]) => `${left} in [${items.join(', ')}]`),
    fc.tuple(literalOf('plan'), anyString).map(([part, whole]) => `${part} in ${whole}`),
    fc.oneof(anyString, anyNumber).map((operand) => `defined(${operand})`),
    fc.constant('properties["active"]'),
    tie('expression').map((inner) => `not (${inner})`),
    fc
      .tuple(tie('expression'), fc.constantFrom('and', 'or'), tie('expression'))
      .map(([left, operator, right]) => `(${left}) ${operator} (${right})`),
  ),
}));

/** Writes the parameters of a condition as literals. */
function inline(sql: string, parameters: readonly unknown[]): string {
  return sql.replace(/\$(\d+)/g, (_, number) => {
    const value = parameters[Number(number) - 1];
    return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
  });
}

it.each([duckdb, postgresql])('SQL for $name, read back, selects the same records', (dialect) => {
  let read = 0;
  let all = 0;
  const law = fc.property(anyExpression, (source) => {
    all++;
    const { condition = '', parameters } = toSql(source, dialect, SOURCE, { use: 'where' });
    const sql = inline(condition, parameters);
    const translation = translateSql(sql);
    if ('reason' in translation) {
      expect(translation.span.end).toBeLessThanOrEqual(sql.length);
      return;
    }
    read++;
    const selects = compileWhere(source);
    expectSameRecords(sql, translation, (record) => selects(record as Properties));
  });
  const { seeded, fresh } = splitRuns(runs(3000));
  fc.assert(law, seeded);
  expect(read).toBeGreaterThan(all / 3);
  fc.assert(law, fresh);
});
