import type { Filter, RecordEngine } from '../engines/engine.ts';
import { CEL_DIALECT } from './cel-dialect.ts';
import { loadPeer } from './load-peer.ts';

interface Environment {
  registerVariable(name: string, type: string): Environment;
  parse(text: string): (context: { e: unknown }) => unknown;
}

interface Module {
  readonly Environment: new (options: object) => Environment;
}

/** CEL with a checker and limits. The limits are raised for the hostile cases. */
export const MARCBACHMANN_CEL: RecordEngine = {
  name: '@marcbachmann/cel-js',
  group: 'peer',
  over: 'records',
  write: (filter) => filter(CEL_DIALECT),
  async load() {
    const { Environment } = await loadPeer<Module>('@marcbachmann/cel-js');
    const environment = new Environment({ limits: { maxAstNodes: 1e6, maxDepth: 1e4 } }).registerVariable('e', 'map');
    return (text): Filter => {
      const run = environment.parse(text);
      return (properties) => run({ e: properties });
    };
  },
};
