import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { Properties } from '../../src/language/value.ts';
import { parse } from '../../src/syntax/parse.ts';
import { ENGINES } from '../engines.ts';

const SOURCES = [
  'properties["plan"]',
  'properties["plan"] == "pro"',
  'properties["plan"] != "pro"',
  'properties["plan"] in ["pro", "team"]',
  '"p" in properties["plan"]',
  'properties["age"] > 20',
  'properties["age"] + 1',
  'number(properties["age"]) < 40',
  'boolean(properties["age"])',
  'user["plan"] == "pro" or not properties["age"] > 20',
];

/** True of the records below: an engine that remembers which record was plain has seen each of them. */
const OTHER = 'properties["x"] == 1';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('between two calls, engines', () => {
  it.each(SOURCES)('notice that the prototype of a record has changed: %s', (source) => {
    const answers = Object.values(ENGINES).map((prepare) => {
      const record: Properties = { x: 1 };
      const run = prepare(source, parse(source), false);
      const runOther = prepare(OTHER, parse(OTHER), false);
      const evaluate = () => {
        expect(runOther({ properties: record })).toBe(true);
        return run({ properties: record, user: record });
      };
      const plain = evaluate();
      Object.setPrototypeOf(record, { plan: 'pro', age: 30 });
      const derived = evaluate();
      Object.setPrototypeOf(record, Object.prototype);
      return [plain, derived, evaluate()];
    });
    const [expected, ...others] = answers;
    expect(new Set(expected).size).toBe(1);
    for (const answer of others) expect(answer).toEqual(expected);
  });

  it.each(Object.keys(ENGINES))('do not keep a record alive: %s', async (name) => {
    const runs = SOURCES.map((source) => ENGINES[name]?.(source, parse(source), false) ?? expect.unreachable());
    const evaluate = () => {
      const record = { x: 1, plan: 'pro', age: 30 };
      for (const run of runs) run({ properties: record, user: record });
      return new WeakRef(record);
    };
    const reference = evaluate();
    // A WeakRef keeps its target until the end of the turn.
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    expect(reference.deref()).toBe(undefined);
    // What was compiled is still in use.
    expect(runs).toHaveLength(SOURCES.length);
  });
});
