import { type Dialect, joinWith } from '../dialect.ts';
import type { Tool } from './tool.ts';

const read = (name: string) => `.properties[${JSON.stringify(name)}]`;
const literal = (value: string | number | boolean) => JSON.stringify(value);
const ofType = (name: string, type: string, test: string) => `(${read(name)} | type == "${type}" and ${test})`;

const DIALECT: Dialect = {
  equals: (name, value) => `${read(name)} == ${literal(value)}`,
  differs: (name, value) => `${read(name)} != ${literal(value)}`,
  // jq orders values of different types: null is less than any number.
  compares: (name, order, value) => ofType(name, typeof value, `. ${order} ${literal(value)}`),
  castCompares: (name, order, value) => `(${read(name)} | (tonumber? // null) | . != null and . ${order} ${value})`,
  contains: (name, part) => ofType(name, 'string', `contains(${literal(part)})`),
  lacks: (name, part) => `(${ofType(name, 'string', `contains(${literal(part)})`)} | not)`,
  isOneOf: (name, values) => `(${read(name)} | IN(${values.map(literal).join(', ')}))`,
  isTrue: (name) => `${read(name)} == true`,
  isEvenStep: (name, step) => ofType(name, 'number', `(. / ${step} | floor) % 2 == 0`),
  and: joinWith('and'),
  or: joinWith('or'),
};

/** jq, the usual tool for JSON on the command line. */
export const JQ_TOOL: Tool = {
  name: 'jq',
  command(testCase, file) {
    if (testCase.command === 'segment') {
      return ['jq', '-nc', `reduce inputs as $one ({}; .[$one | ${read(testCase.property)} | tostring] += 1)`, file];
    }
    const where = `select(${testCase.filterCase.filter(DIALECT)})`;
    if (testCase.command === 'filter') return ['jq', '-c', where, file];
    return ['jq', '-n', `reduce (inputs | ${where}) as $one (0; . + 1)`, file];
  },
};
