import { isDeepStrictEqual } from 'node:util';
import { toSql } from '../../src/api/to-sql.ts';
import { readRowValue } from '../../src/lang/engines/sql/read-row-value.ts';
import type { SqlValue } from '../../src/lang/engines/sql/sql.ts';
import type { SqlSource } from '../../src/lang/engines/sql/sql-source.ts';
import type { ChannelName } from '../../src/lang/engines/sql/to-statement.ts';
import { toSegmentNames } from '../../src/lang/operators/coercions.ts';
import type { Measurement } from '../results.ts';
import { summarize } from '../statistics.ts';
import type { SqlCase } from './sql-case.ts';
import type { SqlConnection, SqlDatabase } from './sql-database.ts';
import type { LayoutName } from './sql-layouts.ts';
import { SQL_LAYOUTS } from './sql-layouts.ts';

interface Entry {
  readonly engine: 'by hand' | 'onwhere';
  readonly sql: string;
  /** The parts of a segment that the SQL of onwhere selects, in this order. */
  readonly channels?: readonly ChannelName[];
  readonly parameters: readonly SqlValue[];
  readonly times: number[];
}

/** Runs a query as SQL by hand and as SQL of onwhere. Both must return the same, and then take turns. */
export async function raceSql(
  database: SqlDatabase,
  connection: SqlConnection,
  layout: LayoutName,
  testCase: SqlCase,
  rounds: number,
): Promise<Measurement[]> {
  const entries = [writeByHand(database, layout, testCase), writeWithOnwhere(database, layout, testCase)];
  const results: unknown[] = [];
  for (const entry of entries)
    results.push(readResult(await connection.query(entry.sql, entry.parameters), testCase, entry));
  const failed = isDeepStrictEqual(results[0], results[1]) ? undefined : 'other answer';
  for (let round = 0; round < rounds && failed === undefined; round++) {
    for (const { sql, parameters, times } of entries) {
      const start = performance.now();
      await connection.query(sql, parameters);
      times.push(performance.now() - start);
    }
  }
  return entries.map(({ engine, sql, parameters, times }) => ({
    section: 'sql',
    case: sqlCaseName(database, layout, testCase.name),
    engine,
    sql: [sql, ...parameters.map((value, index) => `-- ${index + 1}: ${JSON.stringify(value)}`)].join('\n'),
    ...(failed === undefined ? { metrics: { query: summarize(times) } } : { failed }),
  }));
}

/** Returns the name of a case in the results. */
export function sqlCaseName({ dialect }: SqlDatabase, layout: LayoutName, name: string): string {
  return `SQL in ${dialect.name}, ${layout}: ${name}`;
}

function writeByHand({ reads }: SqlDatabase, layout: LayoutName, { use, byHand }: SqlCase): Entry {
  const written = byHand(reads[layout]);
  const sql =
    use === 'where'
      ? `SELECT count(*)\nFROM ${layout}\nWHERE ${written}`
      : `SELECT ${written} AS segment, count(*)\nFROM ${layout}\nGROUP BY segment`;
  return { engine: 'by hand', sql, parameters: [], times: [] };
}

/** Writes the SQL of onwhere. It also counts errors, as callers must, and names segments after counting them. */
function writeWithOnwhere({ dialect }: SqlDatabase, layout: LayoutName, { use, expression }: SqlCase): Entry {
  const source: SqlSource = SQL_LAYOUTS[layout];
  const options = { use: use === 'on' ? 'value' : use } as const;
  const { from, parameters, condition, value = {}, error } = toSql(expression, dialect, source, options);
  const errors = error === undefined ? '' : `, count(${error})`;
  const channels = Object.entries(value).map(
    ([channel, sql]) => `${sql} AS ${dialect.quoteName(`segment ${channel}`)}`,
  );
  const groups = channels.map((_, index) => index + 1).join(', ');
  const counted =
    error === undefined
      ? `SELECT count(*)\nFROM ${from}\nWHERE ${condition}`
      : `SELECT count(*) FILTER (WHERE ${condition})${errors}\nFROM ${from}`;
  const sql =
    use === 'where' ? counted : `SELECT ${channels.join(', ')}, count(*)${errors}\nFROM ${from}\nGROUP BY ${groups}`;
  return { engine: 'onwhere', sql, channels: Object.keys(value) as ChannelName[], parameters, times: [] };
}

/** Reads the counts. In SQL by hand, an undefined segment is NULL or an empty string. */
function readResult(rows: readonly (readonly unknown[])[], { use }: SqlCase, { channels }: Entry): unknown {
  if (use === 'where') return { selected: Number(rows[0]?.[0]), errors: Number(rows[0]?.[1] ?? 0) };
  if (channels === undefined) {
    return new Map(rows.map(([segment, events]) => [String(segment ?? '') || 'undefined', Number(events)]));
  }
  const counts = new Map<string, number>();
  for (const row of rows) {
    const value = readRowValue(Object.fromEntries(channels.map((channel, index) => [channel, row[index]])));
    for (const name of toSegmentNames(value)) counts.set(name, (counts.get(name) ?? 0) + Number(row[channels.length]));
  }
  return counts;
}
