export type Order = '<' | '<=' | '>' | '>=';

/**
 * Writes each kind of clause of the filters in one language, so that it has the same result as in onwhere.
 */
export interface Dialect<Written = string> {
  /** `properties["name"] == value` */
  equals(name: string, value: string | number | boolean): Written;
  /** `properties["name"] != value`, true for a missing property */
  differs(name: string, value: string | number): Written;
  /** `properties["name"] < value` and so on, for two numbers or two strings */
  compares(name: string, order: Order, value: string | number): Written;
  /** `number(properties["name"]) < value` and so on */
  castCompares(name: string, order: Order, value: number): Written;
  /** `"part" in properties["name"]` */
  contains(name: string, part: string): Written;
  /** `not ("part" in properties["name"])`, true for values that are not strings */
  lacks(name: string, part: string): Written;
  /** `properties["name"] in ["a", "b"]` */
  isOneOf(name: string, values: readonly string[]): Written;
  /** `boolean(properties["name"])` */
  isTrue(name: string): Written;
  /** `floor(properties["name"] / step) % 2 == 0` */
  isEvenStep(name: string, step: number): Written;
  and(parts: readonly Written[]): Written;
  or(parts: readonly Written[]): Written;
}

/** A filter that each engine writes in its own language. */
export type FilterTemplate = <Written>(dialect: Dialect<Written>) => Written;

/** Thrown for a filter that a language cannot express. */
export class Inexpressible extends Error {
  override readonly name = 'Inexpressible';
}

/** Returns a function that joins clauses with an operator, in parentheses. */
export function joinWith(operator: string): (parts: readonly string[]) => string {
  return (parts) => `(${parts.join(` ${operator} `)})`;
}

/** Returns the same filter with other constants, so that no engine has compiled it before. */
export function varyConstants(filter: FilterTemplate, serial: number): FilterTemplate {
  const text = <Value>(value: Value) => (typeof value === 'string' ? `${value}${serial}` : value) as Value;
  return (dialect) =>
    filter({
      ...dialect,
      equals: (name, value) => dialect.equals(name, typeof value === 'number' ? value + serial : text(value)),
      differs: (name, value) => dialect.differs(name, text(value)),
      compares: (name, order, value) =>
        dialect.compares(name, order, typeof value === 'number' ? value + serial : text(value)),
      castCompares: (name, order, value) => dialect.castCompares(name, order, value + serial),
      contains: (name, part) => dialect.contains(name, text(part)),
      lacks: (name, part) => dialect.lacks(name, text(part)),
      isOneOf: (name, values) => dialect.isOneOf(name, values.map(text)),
    });
}

/** Returns the names of the properties that a filter reads, without duplicates. */
export function readPropertyNames(filter: FilterTemplate): string[] {
  const name = (found: string) => [found];
  const all = (parts: readonly string[][]) => parts.flat();
  const found = filter<string[]>({
    equals: name,
    differs: name,
    compares: name,
    castCompares: name,
    contains: name,
    lacks: name,
    isOneOf: name,
    isTrue: name,
    isEvenStep: name,
    and: all,
    or: all,
  });
  return [...new Set(found)];
}
