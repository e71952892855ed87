import { castToNumber, includesString } from '../casts.ts';
import type { Filter, RecordEngine } from '../engines/engine.ts';
import { createJsDialect } from './js-dialect.ts';
import { loadPeer } from './load-peer.ts';

type Functions = (visit: unknown) => Record<string, unknown>;

interface Module {
  readonly functions: Functions;
  parseExpression(text: string): unknown;
  codegenExpression(options: object): (tree: unknown) => { code: string };
}

const DIALECT = createJsDialect({ read: (name) => `datum.${name}`, equal: '===' });

/** The JavaScript generator of Vega, compiled with `new Function`. */
export const VEGA_EXPRESSION: RecordEngine = {
  name: 'vega-expression',
  group: 'peer',
  over: 'records',
  write: (filter) => filter(DIALECT),
  async load() {
    const { parseExpression, codegenExpression, functions } = await loadPeer<Module>('vega-expression');
    const generate = codegenExpression({
      globalvar: 'global',
      fieldvar: 'datum',
      allowed: ['datum'],
      functions: ((visit) => ({ ...functions(visit), contains: 'contains', number: 'number' })) satisfies Functions,
    });
    return (text): Filter => {
      const { code } = generate(parseExpression(text));
      return new Function('contains', 'number', `return (datum) => ${code}`)(includesString, castToNumber);
    };
  },
};
