import type { Properties } from '../../src/lang/value.ts';
import type { Filter, RecordEngine } from '../engines/engine.ts';
import { CEL_DIALECT } from './cel-dialect.ts';
import { loadPeer } from './load-peer.ts';

interface Module {
  celEnv(options: object): unknown;
  parse(text: string): unknown;
  plan(environment: unknown, parsed: unknown): (context: { e: unknown }) => unknown;
}

/** CEL from the authors of Protobuf-ES. It reads a `Map` seven times as fast as a plain object, so it gets maps. */
export const BUFBUILD_CEL: RecordEngine = {
  name: '@bufbuild/cel',
  group: 'peer',
  over: 'records',
  adapt: (properties) => new Map(Object.entries(properties)) as unknown as Properties,
  write: (filter) => filter(CEL_DIALECT),
  async load() {
    const { celEnv, parse, plan } = await loadPeer<Module>('@bufbuild/cel');
    const environment = celEnv({});
    return (text): Filter => {
      const run = plan(environment, parse(text));
      return (properties) => run({ e: properties });
    };
  },
};
