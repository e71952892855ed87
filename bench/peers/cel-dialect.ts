import { type Dialect, joinWith } from '../dialect.ts';

const literal = (value: string | number | boolean) => JSON.stringify(value);

function read(name: string): string {
  return /^\w+$/.test(name) ? `e.${name}` : `e[${literal(name)}]`;
}

/** Guards a clause, because reading a missing property is an error in CEL. */
function guard(name: string, clause: string): string {
  return /^\w+$/.test(name) ? `has(e.${name}) && ${clause}` : `${literal(name)} in e && ${clause}`;
}

/**
 * Writes filters in the Common Expression Language, on an event `e`. `%` takes only integers; JSON numbers are doubles.
 */
export const CEL_DIALECT: Dialect = {
  equals: (name, value) => guard(name, `${read(name)} == ${literal(value)}`),
  differs: (name, value) => `!(${guard(name, `${read(name)} == ${literal(value)}`)})`,
  compares: (name, order, value) => guard(name, `${read(name)} ${order} ${literal(value)}`),
  castCompares: (name, order, value) => guard(name, `double(${read(name)}) ${order} ${value}`),
  contains: (name, part) => guard(name, `${read(name)}.contains(${literal(part)})`),
  lacks: (name, part) => {
    const isText = `type(${read(name)}) == string`;
    return `!(${guard(name, `${isText} && ${read(name)}.contains(${literal(part)})`)})`;
  },
  isOneOf: (name, values) => guard(name, `${read(name)} in [${values.map(literal).join(', ')}]`),
  isTrue: (name) => guard(name, `${read(name)} == true`),
  isEvenStep: (name, step) => guard(name, `int(${read(name)} / ${step}.0) % 2 == 0`),
  and: joinWith('&&'),
  or: joinWith('||'),
};
