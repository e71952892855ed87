import type { Dialect } from './dialect.ts';
import { PRECEDENCE, type Precedence, type Shared, type Sql, type SqlValue } from './sql.ts';

/** Expressions as text, what to select them from, and the values of their parameters. */
export interface Rendered {
  readonly texts: readonly string[];
  /** The table, or a subselect over it with what stands in several places as columns. */
  readonly from: string;
  /** The value of each parameter, the first one first. */
  readonly parameters: readonly SqlValue[];
}

/** Writes expressions that are selected from one table. Their parameters are numbered after as many as stand before them. */
export function render(expressions: readonly Sql[], table: string, dialect: Dialect, before = 0): Rendered {
  const writer = new Writer(dialect, columnsIn(expressions), before);
  const texts = expressions.map((sql) => writer.text(sql, PRECEDENCE.anything));
  return { texts, from: writer.from(table), parameters: writer.parameters };
}

/** A shared expression that stands in several places. */
interface Column {
  readonly name: string;
  /** How many subselects must be around it: one more than around what it is made of. */
  readonly level: number;
}

/** Begins the names of columns that hold an expression used in several places. */
export const SHARED_PREFIX = 'onwhere_';

/** The expressions that are worth a column: those that stand in several places. What they are made of comes first. */
function columnsIn(expressions: readonly Sql[]): Map<Shared, Column> {
  const uses = new Map<Shared, number>();
  const order: Shared[] = [];
  const count = (sql: Sql): void => {
    if (sql.kind === 'shared') {
      const before = uses.get(sql) ?? 0;
      uses.set(sql, before + 1);
      if (before > 0) return;
      count(sql.sql);
      order.push(sql);
    } else if (sql.kind === 'piece') {
      for (const part of sql.parts) {
        if (typeof part === 'string') continue;
        count(part.sql);
        if (part.repeats) count(part.sql);
      }
    }
  };
  for (const sql of expressions) count(sql);
  const columns = new Map<Shared, Column>();
  const levels = new Map<Shared, number>();
  const levelOf = (sql: Sql): number => {
    if (sql.kind === 'parameter') return 0;
    if (sql.kind === 'shared') return levels.get(sql) ?? 0;
    return sql.parts.reduce(
      (level, part) => (typeof part === 'string' ? level : Math.max(level, levelOf(part.sql))),
      0,
    );
  };
  for (const sql of order) {
    const isColumn = (uses.get(sql) ?? 0) > 1;
    const level = levelOf(sql.sql) + (isColumn ? 1 : 0);
    levels.set(sql, level);
    if (isColumn) columns.set(sql, { name: `${SHARED_PREFIX}${columns.size + 1}`, level });
  }
  return columns;
}

class Writer {
  readonly parameters: SqlValue[] = [];
  private readonly numbers = new Map<SqlValue, number>();

  constructor(
    private readonly dialect: Dialect,
    private readonly columns: ReadonlyMap<Shared, Column>,
    private readonly before: number,
  ) {}

  text(sql: Sql, needs: Precedence): string {
    switch (sql.kind) {
      case 'parameter':
        return this.placeholder(sql.value);
      case 'shared': {
        const column = this.columns.get(sql);
        return column === undefined ? this.text(sql.sql, needs) : this.dialect.quoteName(column.name);
      }
      case 'piece': {
        const text = sql.parts
          .map((part) => (typeof part === 'string' ? part : this.text(part.sql, part.needs)))
          .join('');
        return sql.binds < needs ? `(${text})` : text;
      }
    }
  }

  /** The table in as many subselects as there are levels of columns, each with its columns beside what is below. */
  from(table: string): string {
    const deepest = [...this.columns.values()].reduce((most, { level }) => Math.max(most, level), 0);
    return this.subselect(table, deepest, '');
  }

  private subselect(table: string, level: number, indent: string): string {
    if (level === 0) return table;
    const { dialect, columns } = this;
    const inner = `${indent}  `;
    const selected = [...columns]
      .filter(([, column]) => column.level === level)
      .map(([{ sql }, { name }]) => `${this.text(sql, PRECEDENCE.anything)} AS ${dialect.quoteName(name)}`);
    const from = `${this.subselect(table, level - 1, inner)}${dialect.fence ?? ''}`;
    return `(\n${inner}SELECT *, ${selected.join(', ')}\n${inner}FROM ${from}\n${indent}) AS ${dialect.quoteName('onwhere')}`;
  }

  /** A value has one place, however often it is needed. */
  private placeholder(value: SqlValue): string {
    const number = this.numbers.get(value) ?? this.parameters.push(this.dialect.bound?.(value) ?? value);
    this.numbers.set(value, number);
    return this.dialect.placeholder(this.before + number, value);
  }
}
