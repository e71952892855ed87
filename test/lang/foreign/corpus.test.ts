import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileWhere } from '../../../src/api/expressions.ts';
import { repair } from '../../../src/api/repair.ts';
import { translate } from '../../../src/api/translate.ts';
import type { Database } from '../engines/sql/database.ts';
import { openDuckdb } from '../engines/sql/duckdb-database.ts';
import { EXCEL } from './corpus/excel.ts';
import { CEL, JAVASCRIPT } from './corpus/infix.ts';
import { JSON_LOGIC, MONGODB } from './corpus/json.ts';
import { readCel, readJavaScript, readJsonLogic, readMongoDb, type Selects } from './corpus/meanings.ts';
import { NEAR } from './corpus/near.ts';
import { type CorpusRecord, RECORDS } from './corpus/records.ts';
import { SQL } from './corpus/sql.ts';

/** Diagnostics that say no more than that the source is not an expression. */
const BARE = new Set(['unexpected-character', 'missing-operand', 'missing-operator', 'several-operands', 'bare-name']);

type Grade = 'repaired' | 'noted' | 'suggested' | 'refused' | 'unexplained';

interface Filter {
  readonly language: string;
  readonly source: string;
  /** Returns its meaning, or its meaning under the notes of a suggestion. */
  readonly read: (isSuggestion: boolean) => Selects | Promise<Selects>;
}

let database: Database;
beforeAll(async () => {
  database = await openDuckdb();
  const types = {
    ...Object.fromEntries(
      ['plan', 'country', 'url', 'email', 'name', 'zip', 'created_text'].map((n) => [n, 'text' as const]),
    ),
    ...Object.fromEntries(['amount', 'quantity', 'score'].map((n) => [n, 'double' as const])),
    ...Object.fromEntries(['active', 'is_trial'].map((n) => [n, 'boolean' as const])),
  };
  const columns = [
    { name: 'number', type: 'integer' as const },
    ...Object.entries(types).map(([name, type]) => ({ name, type })),
  ];
  const rows = RECORDS.map((record, index) => [
    index,
    ...Object.keys(types).map((name) => (record as never)[name === 'created_text' ? 'created_at' : name] ?? null),
  ]);
  await database.createTable('stored', columns, rows);
});
afterAll(() => database.close());

async function readSql(condition: string): Promise<Selects> {
  const table = 'SELECT *, CAST(created_text AS TIMESTAMP) AS created_at FROM stored';
  const answer = await database.query(`SELECT number FROM (${table}) AS t WHERE ${condition}\n`, []);
  const selected = new Set(answer.map(({ number }) => RECORDS[Number(number)]));
  return (record) => selected.has(record);
}

const NAMES = [
  'plan',
  'country',
  'url',
  'email',
  'name',
  'zip',
  'amount',
  'quantity',
  'active',
  'is_trial',
  'created_at',
  'tags',
];

const FILTERS: readonly Filter[] = [
  ...SQL.map((row): Filter => {
    const [source, condition] = typeof row === 'string' ? [row, row] : row;
    return { language: 'SQL', source, read: () => readSql(condition) };
  }),
  ...JAVASCRIPT.map(
    (source): Filter => ({ language: 'JavaScript', source, read: () => readJavaScript(source, NAMES) }),
  ),
  ...CEL.map((source): Filter => ({ language: 'CEL', source, read: () => readCel(source) })),
  ...MONGODB.map((source): Filter => ({ language: 'MongoDB', source, read: () => readMongoDb(source) })),
  ...JSON_LOGIC.map((source): Filter => ({ language: 'JSON Logic', source, read: () => readJsonLogic(source) })),
  ...EXCEL.map(([source, meaning]): Filter => {
    const read = (isSuggestion: boolean) => {
      const fold = (text: string) => (isSuggestion ? text : text.toLowerCase());
      return (record: CorpusRecord) => meaning(record, fold);
    };
    return { language: 'Excel', source, read };
  }),
  ...NEAR.map(
    ([source, meaning]): Filter => ({
      language: 'near',
      source,
      read: (isUncertain) => meaning ?? (isUncertain ? () => undefined : expect.unreachable(source)),
    }),
  ),
];

/** Grades what becomes of a filter. Fails if the answers differ. */
async function grade({ source, read }: Filter): Promise<Grade> {
  const { source: after, diagnostics, translation } = repair(source, { use: 'where', translate });
  const isRepaired = diagnostics.every(({ severity }) => severity !== 'error');
  const suggested = translation && 'expression' in translation ? translation : undefined;
  const expression = isRepaired ? after : suggested?.expression;
  if (expression === undefined) {
    const isExplained = translation !== undefined || !BARE.has(diagnostics[0]?.code ?? '');
    return isExplained ? 'refused' : 'unexplained';
  }
  const notes = suggested?.notes ?? [];
  const selects = await read(notes.length > 0);
  const found = compileWhere(expression);
  const differing = RECORDS.filter((record) => isAssumed(notes, record)).filter((record) => {
    const expected = selects(record);
    return expected !== undefined && expected !== found(record);
  });
  expect({ source, expression, differing: differing.slice(0, 3) }).toEqual({ source, expression, differing: [] });
  if (notes.length === 0) return 'repaired';
  return isRepaired ? 'noted' : 'suggested';
}

/** The assumptions of notes about records. */
const ASSUMED: readonly (readonly [note: RegExp, holds: (record: CorpusRecord) => boolean])[] = [
  [/null as missing/, (record) => !Object.values(record).includes(null)],
  [/single values/, ({ tags }) => !Array.isArray(tags)],
  [/compared as a string/, ({ amount }) => typeof amount !== 'number'],
  [/CEL/, (record) => Object.keys(record).length > 0],
];

function isAssumed(notes: readonly string[], record: CorpusRecord): boolean {
  return ASSUMED.every(([note, holds]) => !notes.some((text) => note.test(text)) || holds(record));
}

describe('filters as people write them', () => {
  const grades = new Map<Filter, Promise<Grade>>();
  const gradeOnce = (filter: Filter) => {
    const known = grades.get(filter) ?? grade(filter);
    grades.set(filter, known);
    return known;
  };

  it('are at least 300, all different', () => {
    expect(new Set(FILTERS.map(({ source }) => source)).size).toBe(FILTERS.length);
    expect(FILTERS.length).toBeGreaterThanOrEqual(300);
  });

  it.each(FILTERS)('$language: $source is repaired to the same answers, or refused', async (filter) => {
    await gradeOnce(filter);
  });

  it('are repaired, or refused with the reason, in at least 98 of 100 cases', async () => {
    const graded = await Promise.all(FILTERS.map(gradeOnce));
    const count = (...wanted: Grade[]) => graded.filter((found) => wanted.includes(found)).length;
    expect(count('unexplained')).toBeLessThanOrEqual(0.02 * FILTERS.length);
    expect(count('repaired', 'noted', 'suggested')).toBeGreaterThan(0.7 * FILTERS.length);
  });
});
