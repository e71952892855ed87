import { castToNumber, includesString } from '../casts.ts';
import type { Dialect } from '../dialect.ts';
import type { Filter, RecordEngine } from '../engines/engine.ts';
import { loadPeer } from './load-peer.ts';

interface LogicEngine {
  addMethod(name: string, answer: (operands: never) => unknown, options: object): void;
  build(rule: unknown): Filter;
}

interface Module {
  readonly LogicEngine: new () => LogicEngine;
}

type Rule = Record<string, unknown>;

const read = (name: string): Rule => ({ var: name });

/** Guards a rule, because arithmetic and functions that return NaN throw for a missing property. */
function ifPresent(name: string, rule: Rule): Rule {
  return { and: [{ '!==': [{ var: [name, null] }, null] }, rule] };
}

const DIALECT: Dialect<Rule> = {
  equals: (name, value) => ({ '===': [read(name), value] }),
  differs: (name, value) => ({ '!==': [read(name), value] }),
  compares: (name, order, value) => ({ [order]: [read(name), value] }),
  castCompares: (name, order, value) => ifPresent(name, { [order]: [{ number: [read(name)] }, value] }),
  contains: (name, part) => ({ in: [part, read(name)] }),
  // `in` throws for a number.
  lacks: (name, part) => ({ '!': { contains: [read(name), part] } }),
  isOneOf: (name, values) => ({ in: [read(name), values] }),
  isTrue: (name) => ({ '===': [read(name), true] }),
  isEvenStep: (name, step) => ifPresent(name, { '===': [{ '%': [{ floor: [{ '/': [read(name), step] }] }, 2] }, 0] }),
  and: (parts) => ({ and: parts }),
  or: (parts) => ({ or: parts }),
};

/** json-logic-engine: JSON Logic, compiled with `new Function`. */
export const JSON_LOGIC_ENGINE: RecordEngine = {
  name: 'json-logic-engine',
  group: 'peer',
  over: 'records',
  write: (filter) => JSON.stringify(filter(DIALECT)),
  async load() {
    const { LogicEngine } = await loadPeer<Module>('json-logic-engine');
    const engine = new LogicEngine();
    const pure = { sync: true, deterministic: true };
    engine.addMethod('number', ([value]: [unknown]) => castToNumber(value), pure);
    engine.addMethod('floor', ([value]: [number]) => Math.floor(value), pure);
    engine.addMethod('contains', ([value, part]: [unknown, string]) => includesString(value, part), pure);
    return (text) => engine.build(JSON.parse(text));
  },
};
