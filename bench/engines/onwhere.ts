import { compileBatchWhere } from '../../src/api/batches.ts';
import { compileWhere } from '../../src/api/expressions.ts';
import { codegen } from '../../src/lang/engines/codegen/codegen.ts';
import { createBatchFromRecords } from '../../src/lang/engines/columnar/batch-from-records.ts';
import { interpret } from '../../src/lang/engines/interpret.ts';
import { parse } from '../../src/lang/syntax/parse.ts';
import { type Dialect, joinWith } from '../dialect.ts';
import type { Engine } from './engine.ts';

const read = (name: string) => `properties[${JSON.stringify(name)}]`;
const literal = (value: string | number | boolean) => JSON.stringify(value);

/** Writes filters in the language of onwhere. */
export const ONWHERE_DIALECT: Dialect = {
  equals: (name, value) => `${read(name)} == ${literal(value)}`,
  differs: (name, value) => `${read(name)} != ${literal(value)}`,
  compares: (name, order, value) => `${read(name)} ${order} ${literal(value)}`,
  castCompares: (name, order, value) => `number(${read(name)}) ${order} ${value}`,
  contains: (name, part) => `${literal(part)} in ${read(name)}`,
  lacks: (name, part) => `not ${literal(part)} in ${read(name)}`,
  isOneOf: (name, values) => `${read(name)} in [${values.map(literal).join(', ')}]`,
  isTrue: (name) => `boolean(${read(name)})`,
  isEvenStep: (name, step) => `floor(${read(name)} / ${step}) % 2 == 0`,
  and: joinWith('and'),
  or: joinWith('or'),
};

const common = { group: 'onwhere', write: (filter) => filter(ONWHERE_DIALECT) } satisfies Partial<Engine>;

/** One hostile case exceeds the default length of a source. */
const options = { limits: { length: 1_000_000 }, now: 0 };

/** The engines of this package. */
export const ONWHERE: readonly Engine[] = [
  {
    ...common,
    name: 'onwhere interpreter',
    over: 'records',
    load: () => (text) => {
      const tree = parse(text, { limits: options.limits });
      return (properties) => interpret(tree, { properties, user: undefined, now: 0 }, text);
    },
  },
  {
    ...common,
    name: 'onwhere closures',
    over: 'records',
    load: () => (text) => compileWhere(text, options),
  },
  {
    ...common,
    name: 'onwhere codegen',
    over: 'records',
    load: () => (text) => compileWhere(text, { ...options, engine: codegen }),
  },
  {
    ...common,
    name: 'onwhere columnar',
    over: 'sets',
    load: async (events) => {
      const batch = createBatchFromRecords(events.map((properties) => ({ properties })));
      return (text) => {
        const select = compileBatchWhere(text, options);
        return { rows: () => select(batch), count: () => select(batch).length };
      };
    },
  },
];
