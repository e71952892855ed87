export type Order = '<' | '<=' | '>' | '>=';

/**
 * How one language writes each kind of clause that the questions are made of, so that it gives the answer of this
 * language.
 */
export interface Dialect<Written = string> {
  /** `properties["name"] == value` */
  equals(name: string, value: string | number | boolean): Written;
  /** `properties["name"] != value`, true for a missing property */
  differs(name: string, value: string | number): Written;
  /** `properties["name"] < value` and so on, for two numbers or two texts */
  compares(name: string, order: Order, value: string | number): Written;
  /** `number(properties["name"]) < value` and so on */
  castCompares(name: string, order: Order, value: number): Written;
  /** `"part" in properties["name"]` */
  contains(name: string, part: string): Written;
  /** `not ("part" in properties["name"])`, true for what is no text */
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

/** A filter, told without a language: each engine writes it in its own. */
export type FilterTemplate = <Written>(dialect: Dialect<Written>) => Written;

/** What a language cannot say. */
export class Inexpressible extends Error {
  override readonly name = 'Inexpressible';
}

/** Joins clauses by an operator between them, in parentheses. */
export function joinWith(operator: string): (parts: readonly string[]) => string {
  return (parts) => `(${parts.join(` ${operator} `)})`;
}

/** The same question with other texts in it, so that nobody has seen its text before. */
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

/** The names of the properties that a question reads, once each. */
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
