import { type Dialect, joinWith } from '../dialect.ts';

/** The SQL of a property as a number, a string and a boolean; NULL if it has another type. */
export interface Columns {
  readonly number: (name: string) => string;
  readonly text: (name: string) => string;
  readonly boolean: (name: string) => string;
}

const literal = (value: string | number | boolean) =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);

/**
 * Writes filters in the SQL of DuckDB over typed columns. A condition that is NULL selects nothing, as undefined does.
 */
export function createSqlDialect({ number, text, boolean }: Columns): Dialect {
  const column = (name: string, value: string | number | boolean) => {
    if (typeof value === 'string') return text(name);
    return typeof value === 'number' ? number(name) : boolean(name);
  };
  return {
    equals: (name, value) => `${column(name, value)} = ${literal(value)}`,
    differs: (name, value) => `${column(name, value)} IS DISTINCT FROM ${literal(value)}`,
    compares: (name, order, value) => `${column(name, value)} ${order} ${literal(value)}`,
    castCompares: (name, order, value) =>
      `coalesce(${number(name)}, try_cast(${text(name)} AS DOUBLE)) ${order} ${value}`,
    contains: (name, part) => `contains(${text(name)}, ${literal(part)})`,
    lacks: (name, part) => `NOT coalesce(contains(${text(name)}, ${literal(part)}), false)`,
    isOneOf: (name, values) => `${text(name)} IN (${values.map(literal).join(', ')})`,
    isTrue: boolean,
    isEvenStep: (name, step) => `floor(${number(name)} / ${step}) % 2 = 0`,
    and: joinWith('AND'),
    or: joinWith('OR'),
  };
}
