import { inspect, isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { SqlSource } from '../../src/engines/sql/sql-source.ts';
import type { SqlStatement } from '../../src/engines/sql/to-statement.ts';
import { ExpressionCheckError, ExpressionUnsupportedError } from '../../src/language/errors.ts';
import { numberOrZero, segmentNames } from '../../src/operators/uses.ts';
import { toSqlTogether, valueOfRow } from '../../src/sql.ts';
import { parse } from '../../src/syntax/parse.ts';
import { ENGINES, type Input, type Outcome, outcome } from '../engines.ts';
import type { Database } from './database.ts';

/** What became of comparing: how many answers agreed, or why there was nothing to ask. */
export type Comparison = { readonly answers: number } | 'fails on every record' | 'unsupported';

const VALUE_COLUMNS = ['number', 'string', 'boolean', 'null', 'list'] as const;

/**
 * Asks a database for every use of an expression on every record of a table, and expects what the interpreter answers. All records
 * have the same `now`.
 */
export async function compareAnswers(
  source: string,
  database: Database,
  table: SqlSource,
  records: readonly Input[],
): Promise<Comparison> {
  const values = await compareUses(source, ['value', 'on', 'number'], database, table, records);
  const filters = await compareUses(source, ['where'], database, table, records);
  if (typeof values === 'string') return typeof filters === 'string' ? values : filters;
  return typeof filters === 'string' ? values : { answers: values.answers + filters.answers };
}

type AnyUse = 'value' | 'on' | 'number' | 'where';

async function compareUses(
  source: string,
  uses: readonly AnyUse[],
  database: Database,
  table: SqlSource,
  records: readonly Input[],
): Promise<Comparison> {
  const isFilter = uses.includes('where');
  const tree = parse(source);
  const reference = ENGINES.interpret?.(source, tree, isFilter) ?? expect.unreachable();
  const expected = records.map((record) => outcome(reference, record));
  let statement: SqlStatement<AnyUse>;
  try {
    const expressions = Object.fromEntries(uses.map((use) => [use, { expression: source, use }]));
    const now = records[0]?.now ?? 0;
    statement = toSqlTogether(
      expressions as Record<AnyUse, { expression: string; use: AnyUse }>,
      database.dialect,
      table,
      { now },
    );
  } catch (error) {
    if (error instanceof ExpressionUnsupportedError) return 'unsupported';
    if (!(error instanceof ExpressionCheckError)) throw error;
    expect(expected.filter((answer) => 'value' in answer)).toEqual([]);
    return 'fails on every record';
  }
  const answered = await ask(statement, database);
  let answers = 0;
  for (const [id, answer] of expected.entries()) {
    const row = answered.get(id) ?? expect.unreachable();
    for (const use of uses) {
      answers++;
      const got = answerOf(use, statement, row);
      const wanted = wantedFor(use, answer);
      if (!isDeepStrictEqual(got, wanted)) {
        expect.fail(
          `${database.dialect.name} answers ${inspect(got)} for ${source} as ${use} on ${inspect(records[id])}, not ${inspect(wanted)}:\n${inspect(statement)}`,
        );
      }
    }
  }
  return { answers };
}

type Row = Readonly<Record<string, unknown>>;

/** Every part of a statement for every record, by its number; for a filter, whether the record is selected with it too. */
async function ask({ from, parts, parameters }: SqlStatement<AnyUse>, database: Database): Promise<Map<number, Row>> {
  const { quoteName } = database.dialect;
  const selected = Object.entries(parts).flatMap(([use, { value, ...others }]) =>
    Object.entries({ ...others, ...value }).map(([name, sql]) => `${sql} AS ${quoteName(`${use} ${name}`)}`),
  );
  const select = `SELECT ${['id', ...selected].join(', ')} FROM ${from}`;
  const rows = await database.query(select, parameters);
  const condition = parts.where?.condition;
  const chosen = condition === undefined ? [] : await database.query(`${select} WHERE ${condition}`, parameters);
  const ids = new Set(chosen.map(({ id }) => id));
  return new Map(rows.map((row) => [Number(row.id), { ...row, 'where selects': ids.has(row.id) }]));
}

function answerOf(use: AnyUse, { errors }: SqlStatement<AnyUse>, row: Row): unknown {
  const error = row[`${use} error`];
  if (error !== null && error !== undefined) {
    const { operator, found, span } = errors[Number(error) - 1] ?? expect.unreachable();
    return { operator, found, span };
  }
  if (use === 'where') {
    const condition = row['where condition'];
    const holds = condition === true || condition === 1;
    return {
      value: holds === row['where selects'] ? holds : 'one thing where it is selected, another where it selects',
    };
  }
  if (use === 'value')
    return { value: valueOfRow(Object.fromEntries(VALUE_COLUMNS.map((name) => [name, row[`value ${name}`]]))) };
  if (use === 'number') return { value: Number(row['number number']) + 0 };
  const segments = row['on segments'];
  return { value: Array.isArray(segments) ? [...segments].sort() : [row['on segment']] };
}

function wantedFor(use: AnyUse, answer: Outcome): unknown {
  if (!('value' in answer)) return answer;
  if (use === 'on') return { value: segmentNames(answer.value).sort() };
  return { value: use === 'number' ? numberOrZero(answer.value) : answer.value };
}
