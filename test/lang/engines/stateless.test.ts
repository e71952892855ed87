import { inspect, isDeepStrictEqual } from 'node:util';
import fc, { type Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CompileCache,
  check,
  codegen,
  compile,
  compileBatchOn,
  compileBatchWhere,
  compileNumber,
  compileOn,
  compileWhere,
  createBatchFromRecords,
  createOnValidator,
  createWhereValidator,
  evaluate,
  evaluatePartially,
  expression,
  inferSchema,
  toSegmentNames,
  trace,
  why,
} from '../../../src/api/index.ts';
import { parse } from '../../../src/lang/syntax/parse.ts';
import { print } from '../../../src/lang/syntax/print.ts';
import type { Properties } from '../../../src/lang/value.ts';
import { anyValue, expressions, RAW_VALUES, records } from '../../arbitraries.ts';
import { collectGarbage } from '../../collect-garbage.ts';
import { ENGINES, outcome } from '../../engines.ts';
import { runs, splitRuns } from '../../runs.ts';

const RUNS = runs(2_500);

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

/** True for the records below, so that an engine that caches which records are plain has seen them. */
const OTHER = 'properties["x"] == 1';

/** Changes a record between two calls. The names are the properties that an expression reads. */
type Change = (record: object, names: readonly string[]) => unknown;

const value = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('pro', 'p', 30, 10, true) },
  { weight: 1, arbitrary: anyValue },
  { weight: 1, arbitrary: fc.constantFrom(...RAW_VALUES) },
);
const values = fc.array(value, { minLength: 3, maxLength: 3 });

/** Creates prototypes, most of them with the given properties. */
const makePrototype = fc.constantFrom<(own: object) => object | null>(
  (own) => own,
  (own) => Object.create(own),
  (own) => Object.assign(Object.create(null), own),
  (own) => Object.assign([], own),
  () => Object.prototype,
  () => null,
);

const changes: Arbitrary<Change> = fc.oneof(
  fc.tuple(makePrototype, values).map(
    ([make, inherited]): Change =>
      (record, names) =>
        Object.setPrototypeOf(
          record,
          make(Object.fromEntries(names.map((name, index) => [name, inherited[index % 3]]))),
        ),
  ),
  fc.tuple(fc.nat(), value, fc.boolean()).map(
    ([place, own, enumerable]): Change =>
      (record, names) =>
        Object.defineProperty(record, names[place % names.length] as string, {
          value: own,
          enumerable,
          writable: true,
          configurable: true,
        }),
  ),
  fc.nat().map(
    (place): Change =>
      (record, names) =>
        Reflect.deleteProperty(record, names[place % names.length] as string),
  ),
);

/** Calls a function with a record, and returns whether the record is garbage-collected while the function is alive. */
async function releasesRecord(use: (record: Properties) => unknown): Promise<boolean> {
  const evaluateOnce = () => {
    const record = { x: 1, plan: 'pro', age: 30, tags: ['a'] };
    use(record);
    return [new WeakRef(record), new WeakRef(record.tags)];
  };
  const references = evaluateOnce();
  // A WeakRef keeps its target until the end of the turn.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  return references.every((reference) => reference.deref() === undefined);
}

describe('between two calls, engines', () => {
  it.each(SOURCES)('notice a changed prototype of a record: %s', (source) => {
    const answers = Object.values(ENGINES).map((prepare) => {
      const record: Properties = { x: 1 };
      const run = prepare(source, parse(source), false);
      const runOther = prepare(OTHER, parse(OTHER), false);
      const evaluateNow = () => {
        expect(runOther({ properties: record })).toBe(true);
        return run({ properties: record, user: record });
      };
      const plain = evaluateNow();
      Object.setPrototypeOf(record, { plan: 'pro', age: 30 });
      const derived = evaluateNow();
      Object.setPrototypeOf(record, Object.prototype);
      return [plain, derived, evaluateNow()];
    });
    const [expected, ...others] = answers;
    expect(new Set(expected).size).toBe(1);
    for (const answer of others) expect(answer).toEqual(expected);
  });

  it('see all changes of a record, its prototype and its user', () => {
    const { interpret, ...others } = ENGINES;
    const drawn = fc.record({
      source: fc.oneof(expressions(2).map(print), fc.constantFrom(...SOURCES)),
      where: fc.boolean(),
      input: records,
      steps: fc.array(fc.tuple(changes, fc.boolean()), { minLength: 1, maxLength: 8 }),
    });
    let changed = 0;
    const law = fc.property(drawn, ({ source, where, input, steps }) => {
      const names = check(source).properties.map(({ name }) => name);
      fc.pre(names.length > 0);
      const tree = parse(source);
      const reference = interpret?.(source, tree, where) ?? expect.unreachable();
      const engines = Object.entries(others).map(([engine, prepare]) => ({
        engine,
        run: prepare(source, tree, where),
      }));
      const { user = {}, ...event } = input;
      const record = { ...event, user };
      let previous = outcome(reference, record);
      for (const [change, isOfUser] of steps) {
        change(isOfUser ? user : record.properties, names);
        const expected = outcome(reference, record);
        for (const { engine, run } of engines) {
          const actual = outcome(run, record);
          if (!isDeepStrictEqual(actual, expected))
            expect.fail(`${engine}: ${inspect(actual)}, not ${inspect(expected)}: ${source}`);
        }
        if (!isDeepStrictEqual(expected, previous)) changed++;
        previous = expected;
      }
    });
    const { seeded, fresh } = splitRuns(RUNS);
    fc.assert(law, seeded);
    // Changes that never change a result would prove little.
    expect(changed).toBeGreaterThan(seeded.numRuns / 5);
    fc.assert(law, fresh);
  });

  it.each(Object.keys(ENGINES))('do not keep a record alive: %s', async (engine) => {
    const compiled = SOURCES.map((source) => ENGINES[engine]?.(source, parse(source), false) ?? expect.unreachable());
    const isGone = await releasesRecord((record) => {
      for (const run of compiled) run({ properties: record, user: record });
    });
    expect(isGone).toBe(true);
    // Keep the compiled functions alive.
    expect(compiled).toHaveLength(SOURCES.length);
  });
});

/** The functions that can be kept between two calls, each with a call for a record. */
const CALLS: Readonly<Record<string, (source: string) => (record: Properties) => unknown>> = {
  ...Object.fromEntries(
    [undefined, codegen].flatMap((engine) =>
      [compile, compileWhere, compileOn, compileNumber].map((make) => [
        `${make.name}${engine ? ' by codegen' : ''}`,
        (source: string) => {
          const run = make(source, engine && { engine });
          return (record: Properties) => run(record, record);
        },
      ]),
    ),
  ),
  CompileCache: (source) => {
    const cache = new CompileCache();
    return (record) => [cache.compileOn(source)(record, record), cache.compile(source)(record)];
  },
  'evaluate of a source': (source) => (record) => evaluate(source, record, record),
  'evaluate of a tree': (source) => {
    const tree = parse(source);
    return (record) => evaluate(tree, record, record);
  },
  'trace and why': (source) => (record) => why(trace(source, record, record)),
  partialEvaluate: (source) => (record) => evaluatePartially(source, { properties: record, user: record }),
  compileBatchWhere: (source) => {
    const select = compileBatchWhere(source);
    return (record) => select(createBatchFromRecords([{ properties: record, user: record }]));
  },
  compileBatchOn: (source) => {
    const segment = compileBatchOn(source);
    return (record) => segment(createBatchFromRecords([{ properties: record, user: record }], segment.properties));
  },
  validators: () => {
    const validators = [createWhereValidator(), createOnValidator()];
    return (record) => validators.map((validator) => validator['~standard'].validate(record));
  },
  inferSchema: () => (record) => inferSchema([{ properties: record, user: record }]),
  'expression and segmentNames': () => (record) => [
    expression`1 in ${record.tags as string[]}`,
    toSegmentNames(record.tags as string[]),
  ],
};

/** The expressions to keep, some of which fail. */
const KEPT = [
  ...SOURCES,
  'properties["tags"]',
  '"a" in properties["tags"] and properties["x"] == 1',
  'properties["age"] and true',
];

describe('between two calls, no record is kept by', () => {
  it.each(Object.keys(CALLS))('%s', async (call) => {
    const prepared = KEPT.map((source) => CALLS[call]?.(source) ?? expect.unreachable());
    let failed = 0;
    const isGone = await releasesRecord((record) => {
      for (const run of prepared) {
        try {
          run(record);
        } catch {
          failed++;
        }
      }
    });
    expect(isGone).toBe(true);
    // Keep the prepared functions alive.
    expect([prepared.length, failed < KEPT.length]).toEqual([KEPT.length, true]);
  });

  it('a batch, and no batch is kept by compiled functions', async () => {
    const batches: object[] = [];
    const [select, segment] = [compileBatchWhere(OTHER), compileBatchOn('properties["tags"]')];
    expect(await releasesRecord((record) => batches.push(createBatchFromRecords([{ properties: record }])))).toBe(true);
    const use = () => {
      const batch = createBatchFromRecords([{ properties: { x: 1, tags: ['a'] } }]);
      segment(batch, select(batch));
      return new WeakRef(batch);
    };
    const reference = use();
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    expect(reference.deref()).toBe(undefined);
    expect([batches.length, select.source]).toEqual([1, OTHER]);
  });

  it('partialEvaluate and trace, which see the current state of a record', () => {
    const record: Record<string, unknown> = { plan: 'pro' };
    const source = 'properties["plan"] == "pro"';
    const evaluateBoth = () => [evaluatePartially(source, { properties: record }), trace(source, record).value];
    expect(evaluateBoth()).toEqual(['true', true]);
    Object.setPrototypeOf(record, null);
    expect(evaluateBoth()).toEqual(['true', true]);
    Object.setPrototypeOf(record, { plan: 'pro' });
    delete record.plan;
    expect(evaluateBoth()).toEqual([source, false]);
  });
});
