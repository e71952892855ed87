import { castToNumber, includesString } from '../casts.ts';
import { type Dialect, joinWith } from '../dialect.ts';
import type { Filter, RecordEngine } from '../engines/engine.ts';
import { loadPeer } from './load-peer.ts';

interface Module {
  compileExpression(text: string, options: object): Filter;
}

const read = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`);

const equals: Dialect['equals'] = (name, value) => {
  if (typeof value === 'boolean') return `${value ? 'isTrue' : 'isFalse'}(${read(name)})`;
  return `${read(name)} == ${JSON.stringify(value)}`;
};

const DIALECT: Dialect = {
  equals,
  differs: (name, value) => `${read(name)} != ${JSON.stringify(value)}`,
  compares: (name, order, value) => `${read(name)} ${order} ${JSON.stringify(value)}`,
  castCompares: (name, order, value) => `number(${read(name)}) ${order} ${value}`,
  contains: (name, part) => `contains(${read(name)}, ${JSON.stringify(part)})`,
  lacks: (name, part) => `not contains(${read(name)}, ${JSON.stringify(part)})`,
  isOneOf: (name, values) => `${read(name)} in (${values.map((value) => JSON.stringify(value)).join(', ')})`,
  isTrue: (name) => equals(name, true),
  isEvenStep: (name, step) => `floor(${read(name)} / ${step}) mod 2 == 0`,
  and: joinWith('and'),
  or: joinWith('or'),
};

/** Replaces its operators, which return an error for a missing property, with those of JavaScript. */
const OPTIONS = {
  customProp: (name: string, _get: unknown, properties: Record<string, unknown>) => properties[name],
  operators: {
    '==': (left: unknown, right: unknown) => left === right,
    '!=': (left: unknown, right: unknown) => left !== right,
    '<': (left: number, right: number) => left < right,
    '<=': (left: number, right: number) => left <= right,
    '>': (left: number, right: number) => left > right,
    '>=': (left: number, right: number) => left >= right,
    '/': (left: number, right: number) => left / right,
    mod: (left: number, right: number) => left % right,
  },
  extraFunctions: {
    contains: includesString,
    number: castToNumber,
    floor: Math.floor,
    isTrue: (value: unknown) => value === true,
    isFalse: (value: unknown) => value === false,
  },
};

/** filtrex: filters for end users, compiled with `new Function`. */
export const FILTREX: RecordEngine = {
  name: 'filtrex',
  group: 'peer',
  over: 'records',
  write: (filter) => filter(DIALECT),
  async load() {
    const { compileExpression } = await loadPeer<Module>('filtrex');
    return (text) => compileExpression(text, OPTIONS);
  },
};
