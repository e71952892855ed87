import { castToNumber, toFiniteNumber } from '../casts.ts';
import { type Dialect, Inexpressible, type Order } from '../dialect.ts';
import type { Filter, RecordEngine } from '../engines/engine.ts';
import { loadPeer } from './load-peer.ts';

type Operation = (operand: never, owner: unknown, options: unknown) => unknown;

interface Module {
  readonly default: {
    default(query: unknown, options: { operations: Record<string, Operation> }): Filter;
    createEqualsOperation(test: (value: unknown) => boolean, owner: unknown, options: unknown): unknown;
  };
}

type Query = Record<string, unknown>;

const ORDERS: Readonly<Record<Order, string>> = { '<': '$lt', '<=': '$lte', '>': '$gt', '>=': '$gte' };

function on(name: string, condition: unknown): Query {
  if (name.startsWith('$')) throw new Inexpressible('A property that begins with `$` is read as an operator.');
  return { [name]: condition };
}

const regex = (part: string) => ({ $regex: part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&') });

const DIALECT: Dialect<Query> = {
  equals: (name, value) => on(name, value),
  differs: (name, value) => on(name, { $ne: value }),
  compares: (name, order, value) => on(name, { [ORDERS[order]]: value }),
  castCompares: (name, order, value) => on(name, { $number: [order, value] }),
  contains: (name, part) => on(name, regex(part)),
  lacks: (name, part) => on(name, { $not: regex(part) }),
  isOneOf: (name, values) => on(name, { $in: values }),
  isTrue: (name) => on(name, true),
  isEvenStep: (name, step) => on(name, { $evenStep: step }),
  and: (parts) => ({ $and: parts }),
  or: (parts) => ({ $or: parts }),
};

const TESTS: Readonly<Record<Order, (left: number, right: number) => boolean>> = {
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
};

/** sift: queries as in MongoDB. The host provides casts and arithmetic as operations. */
export const SIFT: RecordEngine = {
  name: 'sift',
  group: 'peer',
  over: 'records',
  write: (filter) => JSON.stringify(filter(DIALECT)),
  async load() {
    const { default: module } = await loadPeer<Module>('sift');
    const $number = ([order, value]: [Order, number], owner: unknown, options: unknown) => {
      const test = TESTS[order];
      return module.createEqualsOperation((property) => test(castToNumber(property), value), owner, options);
    };
    const $evenStep = (step: number, owner: unknown, options: unknown) => {
      const test = (property: unknown) => Math.floor(toFiniteNumber(property) / step) % 2 === 0;
      return module.createEqualsOperation(test, owner, options);
    };
    return (text) => module.default(JSON.parse(text), { operations: { $number, $evenStep } });
  },
};
