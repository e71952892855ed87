import { clickhouse, duckdb, formatDialect, postgresql } from 'sql-formatter';
import { check } from '../../api/expressions.ts';
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
import { printWarning } from '../messages.ts';
import { loadSchema, readSource } from '../options.ts';

const FORMATS = { duckdb, clickhouse, postgresql } as const satisfies Record<keyof typeof DIALECTS, unknown>;

export interface SqlCommandOptions {
  readonly dialect: keyof typeof DIALECTS;
  readonly where?: boolean;
  readonly on?: boolean;
  /** A file with a schema. */
  readonly columns?: string;
  /** Unix seconds. */
  readonly now: number;
}

/** The table of a query without `--columns`. */
const TABLE = 'events';

const JSON_COLUMNS: SqlSource = {
  table: TABLE,
  properties: { rest: { kind: 'json', column: 'properties' } },
  user: { rest: { kind: 'json', column: 'user' } },
};

/** Prints the query that an expression is in a dialect, and what its parameters hold. */
export async function runSql(
  io: Io,
  expression: string,
  { where, on, columns, now, ...options }: SqlCommandOptions,
): Promise<void> {
  const source = await readSource(io, expression);
  const use: Use = where ? 'where' : on ? 'on' : 'value';
  const schema = columns === undefined ? undefined : await loadSchema(columns);
  const dialect = DIALECTS[options.dialect];
  const table = schema === undefined ? JSON_COLUMNS : typedColumns(schema);
  const query = toSql(source, dialect, table, { use, now });
  const { diagnostics } = check(source, { use, ...(schema && { schema }) });
  printWarning(io, { source, diagnostics });
  const text = formatDialect(statementOf(query, dialect), { dialect: FORMATS[options.dialect], expressionWidth: 80 });
  await io.out.print([`${text};`, ...notesOn(source, query, dialect)]);
}

function typedColumns(schema: Schema): SqlSource {
  try {
    return createSqlSource(schema, TABLE);
  } catch (error) {
    throw new UsageError(`The schema cannot be used: ${(error as Error).message}`);
  }
}

/** Prints the statements that make the functions which queries in a dialect call. */
export async function runSqlSetup(io: Io, { dialect }: Pick<SqlCommandOptions, 'dialect'>): Promise<void> {
  await io.out.print(DIALECTS[dialect].setup.map((statement) => `${statement};\n`));
}

/** A query for the use: the records of a filter, the counts of segments, or values; with the type errors of all records beside. */
function statementOf({ condition, segment, segments, number, value, error, from }: SqlQuery, dialect: Dialect): string {
  const as = (sql: string, name: string) => `${sql} AS ${dialect.quoteName(name)}`;
  if (condition !== undefined) {
    if (error === undefined) return `SELECT * FROM ${from} WHERE ${condition}`;
    // Beside the columns of the table, which can have any name that is not reserved.
    const judged = `SELECT *, ${as(condition, 'onwhere_selected')}, ${as(error, 'onwhere_error')} FROM ${from}`;
    const [selected, failed] = [dialect.quoteName('onwhere_selected'), dialect.quoteName('onwhere_error')];
    return `SELECT * FROM (${judged}) AS ${dialect.quoteName('judged')} WHERE ${selected} OR ${failed} IS NOT NULL`;
  }
  const errors = error === undefined ? [] : [as(error, 'error')];
  const name = segments === undefined ? segment : dialect.unnest(segments);
  if (name !== undefined) {
    // What makes rows cannot be grouped by where it makes them.
    const named = `SELECT ${[as(name, 'segment'), ...errors].join(', ')} FROM ${from}`;
    const groups = ['segment', ...(error === undefined ? [] : ['error'])].map(dialect.quoteName).join(', ');
    const [records, subselect] = [dialect.quoteName('records'), dialect.quoteName('named')];
    return `SELECT ${groups}, count(*) AS ${records} FROM (${named}) AS ${subselect} GROUP BY ${groups} ORDER BY ${records} DESC`;
  }
  const channels = Object.entries({ ...value, ...(number !== undefined && { number }) });
  const selected = channels.map(([channel, text]) => as(text, channel));
  return `SELECT ${[...(selected.length > 0 ? selected : [as('NULL', 'undefined')]), ...errors].join(', ')} FROM ${from}`;
}

/** What the text does not show: the parameters, the type errors, and where functions come from. */
function notesOn(source: string, query: SqlQuery, dialect: Dialect): string[] {
  const { parameters, errors } = query;
  const calls = /\bonwhere_[a-z_]+\(/.test(JSON.stringify(query));
  return [
    ...parameters.map((value, index) => `-- ${dialect.placeholder(index + 1, value)} = ${JSON.stringify(value)}`),
    ...errors.map(({ operator, found, span }, index) => {
      return `-- error ${index + 1}: ${operator} found ${found} (${formatPosition(positionAt(source, span.start))})`;
    }),
    ...(calls ? ['-- onwhere_… are functions that `onwhere sql --setup` makes'] : []),
  ];
}
