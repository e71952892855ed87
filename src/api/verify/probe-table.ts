import type { Dialect } from '../../lang/engines/sql/dialect.ts';
import type { SqlValue } from '../../lang/engines/sql/sql.ts';
import type { SqlSource } from '../../lang/engines/sql/sql-source.ts';
import type { SqlStatement } from '../../lang/engines/sql/to-statement.ts';
import { type SqlExpression, toSql, toSqlStatement } from '../to-sql.ts';
import { formatAnswer } from './expected-answers.ts';
import { type Cell, withInlineTable } from './inline-table.ts';
import type { ProbeRecord } from './probe-group.ts';
import type { ProbeLayout } from './probe-layouts.ts';

/**
 * Runs a statement on your connection with these parameters, in order, and returns the rows as objects by column name.
 * Numbers, strings, booleans and null have their JavaScript types; arrays are arrays of strings. Rejects if the statement
 * fails.
 */
export type RunSql = (sql: string, parameters: readonly SqlValue[]) => Promise<readonly Row[]>;

type Row = Readonly<Record<string, unknown>>;

/** The name of the table inside each statement. */
const TABLE = 'onwhere_probes';

/** The value of `now` in every statement: 2025-01-01T12:00:00Z. */
export const PROBE_TIME = 1_735_732_800;

/** Records in a table that each statement defines for itself, so that nothing is written to the database. */
export class ProbeTable {
  private readonly source: SqlSource;
  private readonly withClause: string;
  private readonly rows: readonly (readonly Cell[])[];

  constructor(
    private readonly run: RunSql,
    private readonly dialect: Dialect,
    layout: ProbeLayout,
    records: readonly ProbeRecord[],
    private readonly timeZone: string,
  ) {
    const events = records.map(({ properties }) => properties);
    const users = records.map(({ user = {} }) => user);
    const [event, user] = [layout.layOut(events, 'p'), layout.layOut(users, 'u')];
    this.source = { table: TABLE, properties: event.source, user: user.source };
    const columns = [{ name: 'id', type: 'integer' } as const, ...event.columns, ...user.columns];
    this.withClause = withInlineTable(dialect, TABLE, columns);
    this.rows = records.map((_, id) => [String(id), ...event.cells(events[id] ?? {}), ...user.cells(users[id] ?? {})]);
  }

  /** @throws as {@link toSql}. */
  expectSupported({ expression, use }: SqlExpression): void {
    toSql(expression, this.dialect, this.source, { use, timeZone: this.timeZone });
  }

  /**
   * Returns the results of the database: an array for each expression, with a string for each record id.
   *
   * @throws the error of `run` if the statement fails.
   */
  async fetchResults(
    expressions: readonly SqlExpression[],
    ids: readonly number[],
  ): Promise<readonly (readonly string[])[]> {
    const statement = this.lower(Object.fromEntries(expressions.entries()), 1);
    const needsParts = statement.errors.length > 0 || expressions.some(({ use }) => use !== 'where');
    const parts = needsParts ? await this.select(statement, ids) : new Map<number, Row>();
    const selected = await this.filter(expressions, ids);
    return expressions.map(({ use }, index) =>
      ids.map((id) => {
        const part = (name: string) => parts.get(id)?.[`${index} ${name}`];
        return formatAnswer(use, part, statement.errors, selected.has(`${index} ${id}`));
      }),
    );
  }

  /** Returns the row with all parts of all expressions for each record, by record id. */
  private async select({ from, parts, parameters }: SqlStatement, ids: readonly number[]): Promise<Map<number, Row>> {
    const columns = Object.entries(parts).flatMap(([index, { value, ...others }]) =>
      Object.entries({ ...others, ...value }).map(
        ([part, sql]) => `${sql} AS ${this.dialect.quoteName(`${index} ${part}`)}`,
      ),
    );
    const sql = `${this.withClause} SELECT ${['id', ...columns].join(', ')} FROM ${from}`;
    const rows = await this.run(sql, [this.rowsOf(ids), ...parameters]);
    return new Map(rows.map((row) => [Number(row.id), row]));
  }

  /** Returns the index of each filter with the id of each record that it selects: `"3 17"`. */
  private async filter(expressions: readonly SqlExpression[], ids: readonly number[]): Promise<ReadonlySet<string>> {
    const parameters: SqlValue[] = [this.rowsOf(ids)];
    const selects = expressions.flatMap((filter, index) => {
      if (filter.use !== 'where') return [];
      const { from, parts, parameters: own } = this.lower({ filter }, parameters.length);
      const { condition, error = '0' } = parts.filter;
      parameters.push(...own);
      // The error is not needed, but drivers refuse parameters that the statement does not use.
      return [`SELECT ${index} AS probe, id, ${error} AS error FROM ${from} WHERE ${condition}`];
    });
    if (selects.length === 0) return new Set();
    const rows = await this.run(`${this.withClause} ${selects.join(' UNION ALL ')}`, parameters);
    return new Set(rows.map(({ probe, id }) => `${probe} ${id}`));
  }

  private lower<Name extends string>(expressions: Readonly<Record<Name, SqlExpression>>, parametersBefore: number) {
    const { timeZone } = this;
    return toSqlStatement(expressions, this.dialect, this.source, { now: PROBE_TIME, parametersBefore, timeZone });
  }

  private rowsOf(ids: readonly number[]): string {
    return JSON.stringify(ids.map((id) => this.rows[id]));
  }
}
