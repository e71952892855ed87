import { toSql } from '../../api/to-sql.ts';
import { DIALECTS } from '../../lang/engines/sql/dialects/dialects.ts';
import type { SqlSource } from '../../lang/engines/sql/sql-source.ts';
import { ExpressionError } from '../../lang/errors.ts';
import type { ShellCommand } from '../shared/query-api.ts';

const TITLES: Readonly<Record<keyof typeof DIALECTS, string>> = {
  duckdb: 'DuckDB SQL',
  clickhouse: 'ClickHouse SQL',
  postgresql: 'PostgreSQL SQL',
  sqlite: 'SQLite SQL',
};

/** A table as services write events: properties as JSON, beside the profile of the user. */
const SOURCE: SqlSource = {
  table: 'events',
  properties: { rest: { kind: 'json', column: 'properties' } },
  user: { rest: { kind: 'json', column: 'user' } },
};

/** Formats a filter as a query of each database, followed by its parameters as comments. */
export function formatFilterSql(filter: string): readonly ShellCommand[] {
  return Object.entries(DIALECTS).map(([name, dialect]) => {
    return { name, title: TITLES[name as keyof typeof DIALECTS], text: formatQuery(filter, dialect) };
  });
}

function formatQuery(filter: string, dialect: (typeof DIALECTS)[keyof typeof DIALECTS]): string {
  try {
    const { condition, from, parameters } = toSql(filter, dialect, SOURCE, { use: 'where' });
    const notes = parameters.map((value, index) => {
      return `-- ${dialect.placeholder(index + 1, value)} = ${JSON.stringify(value)}`;
    });
    return [`SELECT count(*)\nFROM ${from}\nWHERE ${condition};`, ...notes].join('\n');
  } catch (error) {
    if (error instanceof ExpressionError) return `-- ${error.message}`;
    throw error;
  }
}
