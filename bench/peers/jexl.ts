import { castToNumber } from '../casts.ts';
import type { Dialect } from '../dialect.ts';
import type { Filter, RecordEngine } from '../engines/engine.ts';
import { createJsDialect } from './js-dialect.ts';
import { loadPeer } from './load-peer.ts';

interface Module {
  readonly default: {
    addFunction(name: string, answer: (value: number) => number): void;
    createExpression(text: string): { compile(): { evalSync(context: object): unknown } };
  };
}

const DIALECT: Dialect = {
  ...createJsDialect({ read: (name) => name, equal: '==' }),
  contains: (name, part) => `${JSON.stringify(part)} in ${name}`,
  lacks: (name, part) => `!(${JSON.stringify(part)} in ${name})`,
  isOneOf: (name, values) => `${name} in ${JSON.stringify(values)}`,
};

/** jexl: an interpreter of expressions that resemble JavaScript. */
export const JEXL: RecordEngine = {
  name: 'jexl',
  group: 'peer',
  over: 'records',
  write: (filter) => filter(DIALECT),
  async load() {
    const { default: jexl } = await loadPeer<Module>('jexl');
    jexl.addFunction('floor', Math.floor);
    jexl.addFunction('number', castToNumber);
    return (text): Filter => {
      const expression = jexl.createExpression(text).compile();
      return (properties) => expression.evalSync(properties);
    };
  },
};
