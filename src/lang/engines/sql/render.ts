import type { Dialect } from './dialect.ts';
import { PRECEDENCE, type Precedence, type Shared, type Sql, type SqlValue } from './sql.ts';

/** Rendered SQL expressions, with the `FROM` clause and the parameters that they need. */
export interface Rendered {
  readonly expressions: readonly string[];
  /** The table, or a subselect of it whose columns are the expressions that are used several times. */
  readonly from: string;
  /** The values of the parameters, in order. */
  readonly parameters: readonly SqlValue[];
}

/** Renders expressions over one table. The number of their first parameter is `parameterOffset` + 1. */
export function render(expressions: readonly Sql[], table: string, dialect: Dialect, parameterOffset = 0): Rendered {
  const writer = new Writer(dialect, findSharedColumns(expressions), parameterOffset);
  const rendered = expressions.map((sql) => writer.write(sql, PRECEDENCE.anything));
  return { expressions: rendered, from: writer.writeFrom(table), parameters: writer.parameters };
}

/** The column of a shared expression that is used several times. */
interface Column {
  readonly name: string;
  /** The nesting level of the subselect, from 1: one more than the highest level of the columns that it uses. */
  readonly level: number;
}

/** Begins the names of columns that hold an expression used in several places. */
export const SHARED_PREFIX = 'onwhere_';

/** Returns the columns for the expressions that are used several times. The operands of an expression come first. */
function findSharedColumns(expressions: readonly Sql[]): Map<Shared, Column> {
  const uses = new Map<Shared, number>();
  const order: Shared[] = [];
  const count = (sql: Sql): void => {
    if (sql.kind === 'shared') {
      const previousUses = uses.get(sql) ?? 0;
      uses.set(sql, previousUses + 1);
      if (previousUses > 0) return;
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
  const getLevel = (sql: Sql): number => {
    if (sql.kind === 'parameter') return 0;
    if (sql.kind === 'shared') return levels.get(sql) ?? 0;
    return sql.parts.reduce(
      (level, part) => (typeof part === 'string' ? level : Math.max(level, getLevel(part.sql))),
      0,
    );
  };
  for (const sql of order) {
    const isColumn = (uses.get(sql) ?? 0) > 1;
    const level = getLevel(sql.sql) + (isColumn ? 1 : 0);
    levels.set(sql, level);
    if (isColumn) columns.set(sql, { name: `${SHARED_PREFIX}${columns.size + 1}`, level });
  }
  return columns;
}

class Writer {
  readonly parameters: SqlValue[] = [];
  private readonly numberByValue = new Map<SqlValue, number>();

  constructor(
    private readonly dialect: Dialect,
    private readonly columns: ReadonlyMap<Shared, Column>,
    private readonly parameterOffset: number,
  ) {}

  write(sql: Sql, minPrecedence: Precedence): string {
    switch (sql.kind) {
      case 'parameter':
        return this.writePlaceholder(sql.value);
      case 'shared': {
        const column = this.columns.get(sql);
        return column === undefined ? this.write(sql.sql, minPrecedence) : this.dialect.quoteName(column.name);
      }
      case 'piece': {
        const code = sql.parts
          .map((part) => (typeof part === 'string' ? part : this.write(part.sql, part.minPrecedence)))
          .join('');
        return sql.precedence < minPrecedence ? `(${code})` : code;
      }
    }
  }

  /** Writes the table in one subselect per level of columns. Each adds its columns to those of the level below. */
  writeFrom(table: string): string {
    const deepest = [...this.columns.values()].reduce((max, { level }) => Math.max(max, level), 0);
    return this.writeSubselect(table, deepest, '');
  }

  private writeSubselect(table: string, level: number, indent: string): string {
    if (level === 0) return table;
    const { dialect, columns } = this;
    const inner = `${indent}  `;
    const selected = [...columns]
      .filter(([, column]) => column.level === level)
      .map(([{ sql }, { name }]) => `${this.write(sql, PRECEDENCE.anything)} AS ${dialect.quoteName(name)}`);
    const from = `${this.writeSubselect(table, level - 1, inner)}${dialect.fence ?? ''}`;
    return `(\n${inner}SELECT *, ${selected.join(', ')}\n${inner}FROM ${from}\n${indent}) AS ${dialect.quoteName('onwhere')}`;
  }

  /** Writes a placeholder. Equal values share one parameter. */
  private writePlaceholder(value: SqlValue): string {
    const number = this.numberByValue.get(value) ?? this.parameters.push(this.dialect.toBindable?.(value) ?? value);
    this.numberByValue.set(value, number);
    return this.dialect.placeholder(this.parameterOffset + number, value);
  }
}
