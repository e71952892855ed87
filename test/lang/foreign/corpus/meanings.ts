import { loadPeer } from '../../../load-peer.ts';
import type { CorpusRecord } from './records.ts';

const { evaluate } = await loadPeer<{ evaluate(source: string, record: object): unknown }>('@marcbachmann/cel-js');
const { LogicEngine } = await loadPeer<{
  LogicEngine: new () => { build(rule: unknown): (record: CorpusRecord) => unknown };
}>('json-logic-engine');
const { default: sift } = await loadPeer<{
  default: (query: object) => (record: Omit<CorpusRecord, 'created_at'> & { readonly created_at?: unknown }) => boolean;
}>('sift');

/** Tells whether a record is selected. Undefined if the language has no answer for it. */
export type Selects = (record: CorpusRecord) => boolean | undefined;

/** Leaves out null, which JavaScript and CEL tell from a missing property, and onwhere does not. */
function withoutNull(record: CorpusRecord): CorpusRecord {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}

/** Returns the meaning of a filter of JavaScript. A method of a missing value throws, which is no answer. */
export function readJavaScript(source: string, names: readonly string[]): Selects {
  const run = new Function(...names, `return ${source}`);
  return (record) => {
    const present = withoutNull(record);
    try {
      return Boolean(run(...names.map((name) => present[name as keyof CorpusRecord])));
    } catch {
      return undefined;
    }
  };
}

/** Returns the meaning of a filter of CEL. An error selects nothing. */
export function readCel(source: string): Selects {
  return (record) => {
    const present = withoutNull(record);
    try {
      return evaluate(source, { ...present, event: present, properties: present }) === true;
    } catch {
      return false;
    }
  };
}

/** Returns the meaning of a rule of JSON Logic. */
export function readJsonLogic(source: string): Selects {
  const run = new LogicEngine().build(JSON.parse(source));
  return (record) => Boolean(run(record));
}

/** Returns the meaning of a query of MongoDB. */
export function readMongoDb(source: string): Selects {
  const query = new Function('ISODate', `return (${source.replace(/\{"\$date": ("[^"]*")\}/g, 'ISODate($1)')})`);
  const matches = sift(query((text: string) => new Date(text)));
  return ({ created_at: created, ...record }) => {
    const time = typeof created === 'string' ? new Date(`${created}Z`) : created;
    return matches(time === undefined ? record : { ...record, created_at: time });
  };
}
