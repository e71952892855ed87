import { type Dialect, joinWith } from '../dialect.ts';
import type { Filter, RecordEngine } from '../engines/engine.ts';
import { loadPeer } from './load-peer.ts';

interface Module {
  readonly default: (text: string) => { evaluate(properties: object): Promise<unknown> };
}

const read = (name: string) => (/^\w+$/.test(name) ? name : `\`${name}\``);
const literal = (value: string | number | boolean) => JSON.stringify(value);

const DIALECT: Dialect = {
  equals: (name, value) => `${read(name)} = ${literal(value)}`,
  // `!=` is false for a missing property.
  differs: (name, value) => `$not(${read(name)} = ${literal(value)})`,
  compares: (name, order, value) => `${read(name)} ${order} ${literal(value)}`,
  castCompares: (name, order, value) => `$number(${read(name)}) ${order} ${value}`,
  contains: (name, part) => `$contains(${read(name)}, ${literal(part)})`,
  lacks: (name, part) => `$not($type(${read(name)}) = "string" and $contains(${read(name)}, ${literal(part)}))`,
  isOneOf: (name, values) => `${read(name)} in [${values.map(literal).join(', ')}]`,
  isTrue: (name) => `${read(name)} = true`,
  isEvenStep: (name, step) => `$floor(${read(name)} / ${step}) % 2 = 0`,
  and: joinWith('and'),
  or: joinWith('or'),
};

/** JSONata: asynchronous queries and transformations of JSON. */
export const JSONATA: RecordEngine = {
  name: 'jsonata',
  group: 'peer',
  over: 'records',
  async: true,
  write: (filter) => filter(DIALECT),
  async load() {
    const { default: jsonata } = await loadPeer<Module>('jsonata');
    return (text): Filter => {
      const expression = jsonata(text);
      return (properties) => expression.evaluate(properties);
    };
  },
};
