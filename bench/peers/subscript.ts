import { castToNumber, includesString } from '../casts.ts';
import type { Filter, RecordEngine } from '../engines/engine.ts';
import { createJsDialect } from './js-dialect.ts';
import { loadPeer } from './load-peer.ts';

interface Module {
  readonly default: (text: string) => (context: object) => unknown;
}

const DIALECT = createJsDialect({ read: (name) => `p.${name}`, equal: '==' });

/** The context. `true` and `false` are ordinary names in subscript. */
const HOST = { true: true, false: false, contains: includesString, number: castToNumber, floor: Math.floor };

/** subscript: small closures that resemble JavaScript. All records share one context, as a careful user would do. */
export const SUBSCRIPT: RecordEngine = {
  name: 'subscript',
  group: 'peer',
  over: 'records',
  write: (filter) => filter(DIALECT),
  async load() {
    const { default: subscript } = await loadPeer<Module>('subscript');
    return (text): Filter => {
      const run = subscript(text);
      const context = { ...HOST, p: {} };
      return (properties) => {
        context.p = properties;
        return run(context);
      };
    };
  },
};
