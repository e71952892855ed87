import { isDeepStrictEqual } from 'node:util';
import type { SqlValue } from '../../src/engines/sql/sql.ts';
import type { SqlSource } from '../../src/engines/sql/sql-source.ts';
import { toSql } from '../../src/sql-api.ts';
import type { Measurement } from '../results.ts';
import { summarise } from '../statistics.ts';
import type { SqlCase } from './sql-case.ts';
import type { SqlConnection, SqlDatabase } from './sql-database.ts';
import type { LayoutName } from './sql-layouts.ts';
import { SQL_LAYOUTS } from './sql-layouts.ts';

interface Entry {
  readonly engine: 'by hand' | 'onwhere';
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
  readonly times: number[];
}

/** Asks a question in a person's SQL and in ours: both must answer the same, and then take turns. */
export async function raceSql(
  database: SqlDatabase,
  connection: SqlConnection,
  layout: LayoutName,
  asked: SqlCase,
  rounds: number,
): Promise<Measurement[]> {
  const entries = [byHand(database, layout, asked), lowered(database, layout, asked)];
  const answers: unknown[] = [];
  for (const { sql, parameters } of entries) answers.push(answerIn(await connection.query(sql, parameters), asked));
  const failed = isDeepStrictEqual(answers[0], answers[1]) ? undefined : 'other answer';
  for (let round = 0; round < rounds && failed === undefined; round++) {
    for (const { sql, parameters, times } of entries) {
      const start = performance.now();
      await connection.query(sql, parameters);
      times.push(performance.now() - start);
    }
  }
  return entries.map(({ engine, sql, parameters, times }) => ({
    section: 'sql',
    case: sqlCaseName(database, layout, asked.name),
    engine,
    sql: [sql, ...parameters.map((value, index) => `-- ${index + 1}: ${JSON.stringify(value)}`)].join('\n'),
    ...(failed === undefined ? { metrics: { query: summarise(times) } } : { failed }),
  }));
}

/** What the measurements of a case are kept under. */
export function sqlCaseName({ dialect }: SqlDatabase, layout: LayoutName, name: string): string {
  return `${dialect.name}, ${layout}: ${name}`;
}

function byHand({ reads }: SqlDatabase, layout: LayoutName, { use, byHand }: SqlCase): Entry {
  const written = byHand(reads[layout]);
  const sql =
    use === 'where'
      ? `SELECT count(*)\nFROM ${layout}\nWHERE ${written}`
      : `SELECT ${written} AS segment, count(*)\nFROM ${layout}\nGROUP BY segment`;
  return { engine: 'by hand', sql, parameters: [], times: [] };
}

/** With the number of errors beside the result, which a caller has to ask for. */
function lowered({ dialect }: SqlDatabase, layout: LayoutName, { use, expression }: SqlCase): Entry {
  const source: SqlSource = SQL_LAYOUTS[layout];
  const { from, parameters, condition, segment, segments, error } = toSql(expression, dialect, source, { use });
  const errors = error === undefined ? '' : `, count(${error})`;
  const statement = () => {
    if (segments !== undefined) {
      const groups = `SELECT ${segments} AS segments, count(*) AS events\nFROM ${from}\nGROUP BY segments`;
      return `SELECT segment, sum(events)\nFROM (SELECT ${dialect.unnest('segments')} AS segment, events FROM (${groups}))\nGROUP BY segment`;
    }
    if (segment !== undefined) return `SELECT ${segment} AS segment, count(*)${errors}\nFROM ${from}\nGROUP BY segment`;
    return error === undefined
      ? `SELECT count(*)\nFROM ${from}\nWHERE ${condition}`
      : `SELECT count(*) FILTER (WHERE ${condition})${errors}\nFROM ${from}`;
  };
  return { engine: 'onwhere', sql: statement(), parameters, times: [] };
}

/** What was counted, however a database writes it: a person gets a number where the language has its text, and NULL or no text for what is undefined. */
function answerIn(rows: readonly (readonly unknown[])[], { use }: SqlCase): unknown {
  if (use === 'where') return { selected: Number(rows[0]?.[0]), errors: Number(rows[0]?.[1] ?? 0) };
  return new Map(rows.map(([segment, events]) => [String(segment ?? '') || 'undefined', Number(events)]));
}
