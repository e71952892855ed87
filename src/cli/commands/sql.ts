import { check } from '../../api/expressions.ts';
import { findRelations } from '../../api/relate.ts';
import { type SqlQuery, toSql } from '../../api/to-sql.ts';
import type { Use } from '../../lang/check/check.ts';
import type { Schema } from '../../lang/check/schema.ts';
import { createSqlSource } from '../../lang/engines/sql/create-sql-source.ts';
import type { Dialect } from '../../lang/engines/sql/dialect.ts';
import { DIALECTS } from '../../lang/engines/sql/dialects/dialects.ts';
import type { SqlSource } from '../../lang/engines/sql/sql-source.ts';
import { formatPosition, positionAt } from '../../lang/source.ts';
import { UsageError } from '../exit.ts';
import type { Io } from '../io.ts';
import { layOutSql } from '../lay-out-sql.ts';
import { printWarning } from '../messages.ts';
import { loadSchema, readSource } from '../options.ts';

export interface SqlCommandOptions {
  readonly dialect: keyof typeof DIALECTS;
  readonly use: Use;
  /** A file with a schema. */
  readonly columns?: string;
  /** Unix seconds. */
  readonly now: number;
  /** The time zone of dates without one. Default: UTC. */
  readonly timeZone?: string;
  readonly json?: boolean;
}

/** The name of the table in printed queries. */
const TABLE = 'events';

const JSON_COLUMNS: SqlSource = {
  table: TABLE,
  properties: { rest: { kind: 'json', column: 'properties' } },
  user: { rest: { kind: 'json', column: 'user' } },
};

/** Prints an expression as a SQL query, followed by its parameters as comments. */
export async function runSql(
  io: Io,
  expression: string,
  { use, columns, now, timeZone = 'UTC', json, ...options }: SqlCommandOptions,
): Promise<void> {
  const source = await readSource(io, expression);
  const schema = columns === undefined ? undefined : await loadSchema(columns);
  const dialect = DIALECTS[options.dialect];
  const table = schema === undefined ? JSON_COLUMNS : toColumnSource(schema);
  const query = toSql(source, dialect, table, { use, now, timeZone });
  const { diagnostics } = check(source, { use, timeZone, ...(schema && { schema }), relations: findRelations });
  printWarning(io, { source, diagnostics });
  const statement = buildStatement(query, dialect);
  const sql = layOutSql(statement, options.dialect === 'clickhouse');
  const { parameters, errors } = query;
  await io.out.print(
    json
      ? [JSON.stringify({ dialect: options.dialect, sql, parameters, errors })]
      : [`${sql};`, ...describeQuery(source, query, dialect), ...describeSetup(statement)],
  );
}

function toColumnSource(schema: Schema): SqlSource {
  try {
    return createSqlSource(schema, TABLE);
  } catch (error) {
    throw new UsageError(`Invalid schema: ${(error as Error).message}`);
  }
}

/** Prints the statements that create the functions that queries call. */
export async function runSqlSetup(
  io: Io,
  { dialect, json }: Pick<SqlCommandOptions, 'dialect' | 'json'>,
): Promise<void> {
  const statements = DIALECTS[dialect].setup;
  await io.out.print(
    json ? [JSON.stringify({ dialect, statements })] : statements.map((statement) => `${statement};\n`),
  );
}

/** Builds a statement: the records of a filter, the counts of segments, or values; always with type errors. */
function buildStatement(
  { condition, segment, segments, number, value, error, from }: SqlQuery,
  dialect: Dialect,
): string {
  const as = (sql: string, name: string) => `${sql} AS ${dialect.quoteName(name)}`;
  if (condition !== undefined) {
    if (error === undefined) return `SELECT * FROM ${from} WHERE ${condition}`;
    // The table can have columns of any other name; these two are reserved.
    const judged = `SELECT *, ${as(condition, 'onwhere_selected')}, ${as(error, 'onwhere_error')} FROM ${from}`;
    const [selected, failed] = [dialect.quoteName('onwhere_selected'), dialect.quoteName('onwhere_error')];
    return `SELECT * FROM (${judged}) AS ${dialect.quoteName('judged')} WHERE ${selected} OR ${failed} IS NOT NULL`;
  }
  const errors = error === undefined ? [] : [as(error, 'error')];
  const name = segments === undefined ? segment : dialect.unnest(segments);
  if (name !== undefined) {
    const elements = segments === undefined ? undefined : dialect.joinElements?.(segments);
    const tables = elements === undefined ? from : `${from}, ${elements}`;
    // A set-returning function cannot be grouped by in the same SELECT.
    const named = `SELECT ${[as(name, 'segment'), ...errors].join(', ')} FROM ${tables}`;
    const groups = ['segment', ...(error === undefined ? [] : ['error'])].map(dialect.quoteName).join(', ');
    const [records, subselect] = [dialect.quoteName('records'), dialect.quoteName('named')];
    return `SELECT ${groups}, count(*) AS ${records} FROM (${named}) AS ${subselect} GROUP BY ${groups} ORDER BY ${records} DESC`;
  }
  const channels = Object.entries({ ...value, ...(number !== undefined && { number }) });
  const selected = channels.map(([channel, text]) => as(text, channel));
  return `SELECT ${[...(selected.length > 0 ? selected : [as('NULL', 'undefined')]), ...errors].join(', ')} FROM ${from}`;
}

/** Returns a SQL comment that says how to create the functions of onwhere, if a statement calls one. */
function describeSetup(statement: string): string[] {
  if (!/\bonwhere_\w+\(/.test(statement.replace(/'[^']*'|"[^"]*"|`[^`]*`/g, ''))) return [];
  return ['-- `onwhere sql --setup` prints the statements that create the onwhere_… functions'];
}

/** Returns SQL comments with the parameters and the type errors. */
function describeQuery(source: string, query: SqlQuery, dialect: Dialect): string[] {
  const { parameters, errors } = query;
  return [
    ...parameters.map((value, index) => `-- ${dialect.placeholder(index + 1, value)} = ${JSON.stringify(value)}`),
    ...errors.map(({ operator, found, span }, index) => {
      return `-- error ${index + 1}: ${operator} found ${found} (${formatPosition(positionAt(source, span.start))})`;
    }),
  ];
}
