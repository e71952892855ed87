import fc from 'fast-check';
import { translateSql } from '../../../../src/lang/foreign/translate.ts';
import type { Database } from '../../engines/sql/database.ts';
import { dropParentheses } from '../parentheses.ts';
import { anyRow, looseSql } from '../sql-conditions.ts';
import { hasNoList, join, joinList, type MixedRecord, type Original } from './original.ts';

/** Properties that only JSON holds, with values of any type. */
const MIXED = ['item', 'other'] as const;
const VALUES = [
  '',
  'pro',
  'Pro',
  '5',
  '10',
  '0.5',
  '-1',
  'true',
  '2025-06-01',
  0,
  1,
  5,
  -1,
  0.5,
  1e21,
  true,
  false,
  null,
];
const LISTS = [[], ['pro'], [5]];

const anyMixed = fc.record(Object.fromEntries(MIXED.map((name) => [name, fc.constantFrom(...VALUES, ...LISTS)])), {
  requiredKeys: [],
});

const json = fc.constantFrom(...MIXED).map((name) => `(properties->>'${name}')`);
const quote = (value: unknown) => `'${String(value).replaceAll("'", "''")}'`;
const text = fc.constantFrom(...VALUES, '[]', '["pro"]', 'p').map(quote);
const comparison = fc.constantFrom('=', '<>', '<', '<=', '>', '>=').map((operator) => ` ${operator} `);
const maybeNot = fc.constantFrom('', 'NOT ');
const cast = join(json, fc.constantFrom('::numeric', '::int', '::float8'));
const number = fc.constantFrom('0', '1', '5', '0.5', '-1');

/** Conditions on what `->>` reads. */
const fromJson = fc.oneof(
  { weight: 3, arbitrary: join(json, comparison, text) },
  join(text, comparison, json),
  join(json, comparison, fc.oneof(json, fc.constantFrom('plan', 'country'))),
  join(json, comparison, number),
  join(cast, comparison, number),
  join(json, ' ', maybeNot, 'IN (', joinList(text), ')'),
  join(json, ' ', maybeNot, 'IN (', joinList(number), ')'),
  join(json, ' ', maybeNot, 'LIKE ', fc.constantFrom("'%5%'", "'pr%'", "'true'", "'%'", "'%[%'")),
  join(json, ' ', maybeNot, 'BETWEEN ', text, ' AND ', text),
  join(json, fc.constantFrom(' IS NULL', ' IS NOT NULL')),
  join(json, fc.constantFrom(' IS DISTINCT FROM ', ' IS NOT DISTINCT FROM '), fc.oneof(text, json)),
  join('COALESCE(', json, ', ', text, ')', comparison, text),
  join('NULLIF(', json, ', ', text, ')', comparison, text),
  join('CASE ', json, ' WHEN ', text, ' THEN 1 ELSE 0 END = 1'),
  join('CASE WHEN active THEN ', json, ' END', comparison, text),
);

/** Columns alone, and types that databases convert or refuse. */
const converted = fc.constantFrom(
  ...['amount', 'NOT amount', 'score IS TRUE', 'amount IS NOT FALSE', 'active AND amount', 'plan', "amount = '5'"],
  ...['plan = 5', "plan > 'a'", "plan <= 'pro'", 'plan < country', "country BETWEEN 'D' AND 'p'"],
  ...["amount LIKE '%1%'", "created LIKE '2025%'", 'COALESCE(amount, 0)', 'plan IN (1, 2)'],
);

const { filter } = fc.letrec<{ filter: string }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 2 },
    { weight: 3, arbitrary: fromJson },
    { weight: 3, arbitrary: looseSql },
    { weight: 1, arbitrary: converted },
    { weight: 1, arbitrary: join('NOT (', tie('filter'), ')') },
    { weight: 2, arbitrary: join('(', tie('filter'), ')', fc.constantFrom(' AND ', ' OR '), '(', tie('filter'), ')') },
  ),
}));

const records = fc
  .sample(fc.tuple(anyRow, anyMixed), { numRuns: 150, seed: 7 })
  .map(([row, mixed]) => ({ ...row, ...mixed }) as MixedRecord)
  .concat(VALUES.map((item) => ({ item })));

const TYPES = { plan: 'text', country: 'text', amount: 'double', score: 'double', active: 'boolean' } as const;

const isWhole = (value: MixedRecord[string]) => Number.isInteger(Number(value ?? 0));

/** Fills a table, and returns conditions of SQL, run by its database. One that fails has no answer. */
export async function createSql(language: string, database: Database): Promise<Original> {
  const columns = [
    { name: 'number', type: 'integer' as const },
    ...Object.entries(TYPES).map(([name, type]) => ({ name, type })),
    { name: 'created_text', type: 'text' as const },
    { name: 'properties', type: 'json' as const },
  ];
  const cells = records.map((record, index) => [
    index,
    ...Object.keys(TYPES).map((name) => (record[name] ?? null) as string | number | boolean | null),
    (record.created ?? null) as string | null,
    JSON.stringify(record),
  ]);
  await database.createTable('stored', columns, cells);
  return {
    language,
    filters: filter.chain(dropParentheses),
    translate: translateSql,
    records,
    assumptions: [
      [/^A list has no text/, (record) => hasNoList(record) && ![record.item, record.other].includes(1e21)],
      [/collation|^Only decimals|^Times are|is read as a date/, () => true],
      [/^A number with a fraction/, ({ item, other }) => [item, other].every(isWhole)],
    ],
    async read(source) {
      const table = 'SELECT *, CAST(created_text AS TIMESTAMP) AS created FROM stored';
      try {
        const answer = await database.query(`SELECT number FROM (${table}) AS t WHERE ${source}`, []);
        const selected = new Set(answer.map(({ number }) => records[Number(number)]));
        return (record) => selected.has(record);
      } catch {
        return undefined;
      }
    },
  };
}
