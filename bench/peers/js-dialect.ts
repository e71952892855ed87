import { type Dialect, joinWith } from '../dialect.ts';

interface Options {
  readonly read: (name: string) => string;
  readonly equal: '==' | '===';
}

const literal = (value: string | number | boolean) => JSON.stringify(value);

/**
 * Writes filters in languages that resemble JavaScript. The host provides the functions `contains`, `number` and, for
 * some, `floor`. They compare a missing number as JavaScript does, which is false.
 */
export function createJsDialect({ read, equal }: Options): Dialect {
  const equals = (name: string, value: string | number | boolean) => `${read(name)} ${equal} ${literal(value)}`;
  const or = joinWith('||');
  return {
    equals,
    differs: (name, value) => `${read(name)} ${equal.replace('=', '!')} ${literal(value)}`,
    compares: (name, order, value) => `${read(name)} ${order} ${literal(value)}`,
    castCompares: (name, order, value) => `number(${read(name)}) ${order} ${value}`,
    contains: (name, part) => `contains(${read(name)}, ${literal(part)})`,
    lacks: (name, part) => `!contains(${read(name)}, ${literal(part)})`,
    isOneOf: (name, values) => or(values.map((value) => equals(name, value))),
    isTrue: (name) => equals(name, true),
    isEvenStep: (name, step) => `floor(${read(name)} / ${step}) % 2 ${equal} 0`,
    and: joinWith('&&'),
    or,
  };
}
