import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as conformance from '../src/api/conformance/run-vectors.ts';
import * as core from '../src/api/core.ts';
import * as filters from '../src/api/filter-set.ts';
import * as index from '../src/api/index.ts';
import * as relations from '../src/api/relate.ts';
import * as sql from '../src/api/sql.ts';
import * as translation from '../src/api/translate.ts';
import * as typed from '../src/api/typed.ts';
import * as codemirror from '../src/editor/codemirror/index.ts';
import * as monaco from '../src/editor/monaco/index.ts';
import { runs } from './runs.ts';

/** The modules that the package exports. `./element` is only for browsers, and has no function. */
const ENTRIES = {
  '.': index,
  './codemirror': codemirror,
  './conformance': conformance,
  './core': core,
  './filters': filters,
  './monaco': monaco,
  './relate': relations,
  './sql': sql,
  './translate': translation,
  './typed': typed,
};

type Kind = keyof typeof VALUES;

const VALUES = {
  undefined: fc.constant(undefined),
  null: fc.constant(null),
  // A plain word could be a valid value of an option, and `/` an operator.
  string: fc.string().filter((text) => !/^(?:[a-z]+|[-+*/%<>=!]+)$/.test(text)),
  number: fc.oneof(fc.double(), fc.integer()),
  boolean: fc.boolean(),
  bigint: fc.bigInt(),
  symbol: fc.constant(Symbol('a symbol')),
  function: fc.constant(() => 1),
  array: fc.array(fc.anything()),
  object: fc.dictionary(fc.string(), fc.anything()),
} as const;

const KINDS = Object.keys(VALUES) as Kind[];

/** A valid argument, or a part of one, with the kinds of values that are valid. */
class Argument {
  constructor(
    readonly sample: unknown,
    readonly kinds: readonly Kind[],
    /** True if an object can have other fields. */
    readonly isOpen = true,
  ) {}
}

function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Creates an argument that accepts any value of its kind, and of some other kinds. */
const any = (sample: unknown, ...others: Kind[]) => new Argument(sample, [kindOf(sample), ...others]);
/** Creates an argument that accepts only some values of its kind, such as one of a few words. */
const only = (sample: unknown, ...others: Kind[]) => new Argument(sample, others);
/** Creates an argument that is an object, with or without other fields. */
const open = (sample: object) => new Argument(sample, ['object']);
const closed = (sample: object) => new Argument(sample, ['object'], false);
const list = (...sample: readonly unknown[]) => new Argument(sample, ['array']);
const maybe = ({ sample, kinds, isOpen }: Argument) => new Argument(sample, [...kinds, 'undefined'], isOpen);

const SOURCE = any('properties["plan"] == "pro"');
const KNOWN = {
  types: list(only('string')),
  values: maybe(list(any('pro', 'number', 'boolean'))),
  description: maybe(any('The plan')),
};
const PART = maybe(open({ plan: closed(KNOWN) }));
const OPTIONS = {
  limits: maybe(closed({ length: maybe(any(1_000)), depth: maybe(any(10)) })),
  now: maybe(any(0, 'function')),
  use: maybe(only('where')),
  schema: maybe(closed({ properties: PART, user: PART })),
  engine: maybe(only(index.codegen)),
  relations: maybe(any(relations.findRelations)),
  translate: maybe(any(translation.translate)),
  strict: maybe(any(true)),
  max: maybe(any(5)),
  steps: maybe(any(10)),
  parametersBefore: maybe(any(0)),
};
const options = (...names: (keyof typeof OPTIONS)[]) =>
  maybe(closed(Object.fromEntries(names.map((name) => [name, OPTIONS[name]]))));
const EDITOR = [options('schema', 'use')];
const listen = () => ({ dispose() {} });
const MONACO = open({
  editor: any({
    getModels: () => [],
    onDidCreateModel: listen,
    onDidChangeModelLanguage: listen,
    onWillDisposeModel: listen,
  }),
  languages: any({
    register() {},
    getLanguages: () => [],
    setLanguageConfiguration: listen,
    setTokensProvider: listen,
    registerCompletionItemProvider: listen,
    registerHoverProvider: listen,
    registerCodeActionProvider: listen,
    registerDocumentFormattingEditProvider: listen,
  }),
});
const MONACO_OPTIONS = new Argument(options('schema', 'use').sample, ['object', 'function', 'undefined'], false);
const COMPILE = [SOURCE, options('limits', 'now', 'schema', 'engine')];
const RELATE = options('limits', 'schema', 'steps');
const BATCH = [SOURCE, options('limits', 'now', 'schema')];
const BATCH_ROWS = open({ length: any(0), properties: any(new Map()), user: any(new Map()) });
/** Anything can be the id of a filter. */
const ID = new Argument('a', KINDS);
const PROPERTIES = any({ plan: 'pro' });
const USER = any({ country: 'DE' }, 'undefined', 'null');
const TREE = open({
  kind: only('logical'),
  operator: only('and'),
  operands: list(
    open({
      kind: only('binary'),
      operator: only('=='),
      left: open({ kind: only('property'), scope: only('properties'), name: any('plan') }),
      right: open({ kind: only('literal'), value: any('pro', 'number', 'boolean') }),
    }),
    open({
      kind: only('membership'),
      operator: only('in'),
      operand: open({ kind: only('now') }),
      items: list(open({ kind: only('literal'), value: any(1, 'string', 'boolean') })),
    }),
    open({ kind: only('call'), operator: only('boolean'), operand: open({ kind: only('now') }) }),
    open({ kind: only('prefix'), operator: only('not'), operand: open({ kind: only('now') }) }),
  ),
});
const FORM = closed({
  kind: only('group'),
  join: only('and'),
  negated: any(true),
  rows: list(
    closed({
      kind: only('condition'),
      scope: only('properties'),
      property: any('plan'),
      function: maybe(only('number')),
      operator: only('=='),
      value: any('pro', 'number', 'boolean', 'object'),
    }),
    closed({ kind: only('expression'), source: only('true', 'string') }),
  ),
});
/** A function that takes a tree also takes a source. */
const EXPRESSION = new Argument(TREE.sample, ['object', 'string']);
const SPAN = open({ start: any(0), end: any(1) });
const TRACED = { kind: any('now'), code: any('now'), span: SPAN };
const TABLE = open({
  numRows: any(1),
  schema: open({ fields: list(open({ name: any('a') })) }),
  getChildAt: any(() => null),
});
const DIALECT = only(sql.duckdb);
const COLUMNS = {
  columns: maybe(open({ plan: closed({ string: maybe(any('plan')) }) })),
  rest: maybe(closed({ kind: only('map'), column: any('others'), values: only('json') })),
};
const SQL_SOURCE = closed({
  table: new Argument([any('shop'), any('events')], ['array', 'string']),
  properties: closed(COLUMNS),
  user: maybe(closed({ rest: maybe(closed({ kind: only('json'), column: any('users') })) })),
});

/** Valid arguments of all functions of the package, in several variants for some. */
const ARGUMENTS: Readonly<Record<string, readonly (readonly Argument[])[]>> = {
  createBatchFromArrow: [[TABLE, maybe(TABLE)]],
  createBatchFromRecords: [
    [
      list(open({ properties: any({}, ...KINDS) })),
      maybe(list(open({ scope: only('properties'), name: any('plan') }))),
    ],
  ],
  check: [[SOURCE, options('limits', 'relations', 'schema', 'use')]],
  repair: [[SOURCE, options('limits', 'relations', 'schema', 'translate', 'use')]],
  toForm: [[only('true', 'string'), options('limits')], [EXPRESSION]],
  translate: [[SOURCE]],
  CompileCache: [[options('engine', 'limits', 'max', 'now', 'schema')]],
  'CompileCache.compile': [[SOURCE]],
  'CompileCache.compileNumber': [[SOURCE]],
  'CompileCache.compileOn': [[SOURCE]],
  'CompileCache.compileWhere': [[SOURCE]],
  FilterSet: [[options('limits', 'now')]],
  'FilterSet.add': [[ID, SOURCE]],
  'FilterSet.cost': [[ID]],
  'FilterSet.explain': [[ID, PROPERTIES, USER]],
  'FilterSet.has': [[ID]],
  'FilterSet.match': [[PROPERTIES, USER]],
  'FilterSet.matchBatch': [[BATCH_ROWS]],
  'FilterSet.remove': [[ID]],
  compile: [COMPILE],
  compileBatchOn: [BATCH],
  compileBatchWhere: [BATCH],
  compileNumber: [COMPILE],
  compileOn: [COMPILE],
  compileWhere: [COMPILE],
  createCompletionSource: [EDITOR],
  evaluate: [
    [only('true', 'string'), PROPERTIES, USER, options('limits', 'now')],
    [EXPRESSION, PROPERTIES],
  ],
  explain: [[SOURCE, options('limits', 'schema', 'use')]],
  expression: [[list(any('1 + '), any('')), any(2, 'string', 'boolean', 'array')]],
  format: [[only('true', 'string'), options('limits')], [EXPRESSION]],
  fromForm: [[FORM, options('limits')]],
  formatCommand: [[open({ state: any({ readOnly: true }), dispatch: any(() => {}) })]],
  createHoverSource: [EDITOR],
  inferSchema: [[list(open({ properties: any({}), user: USER }))]],
  createLintSource: [EDITOR],
  createOnValidator: [[options('limits', 'relations', 'schema', 'strict')]],
  onwhere: [EDITOR],
  parse: [[SOURCE, options('limits')]],
  evaluatePartially: [
    [
      SOURCE,
      closed({ properties: maybe(PROPERTIES), user: maybe(PROPERTIES), now: OPTIONS.now }),
      options('limits', 'use'),
    ],
  ],
  positionAt: [[any(''), any(0)]],
  property: [[any('plan'), maybe(only('user'))]],
  quote: [[any('pro', 'number', 'boolean', 'array')]],
  // Only `check` calls it.
  findRelations: [],
  filtersFor: [[]],
  registerOnwhere: [[MONACO, MONACO_OPTIONS]],
  relate: [[SOURCE, SOURCE, RELATE]],
  isAlways: [[SOURCE, RELATE]],
  isNever: [[SOURCE, RELATE]],
  findWitness: [[SOURCE, RELATE]],
  simplify: [[SOURCE, RELATE]],
  canonical: [[SOURCE, options('limits', 'use')]],
  readSchema: [[open({ properties: maybe(open({ plan: open(KNOWN) })) })]],
  readVectors: [[only(new URL('../grammar/', import.meta.url), 'undefined')]],
  renderDiagnostics: [
    [
      any(''),
      list(open({ severity: only('error'), message: any(''), code: any(''), span: SPAN })),
      maybe(any((_part: string, text: string) => text)),
      maybe(any(80)),
    ],
  ],
  runVectors: [
    [
      any(() => ({ value: 1 })),
      maybe(
        list(
          open({
            id: any('one'),
            expr: any('1'),
            props: any({}),
            user: maybe(any({})),
            now: maybe(any(0)),
            where: maybe(any(true)),
            expect: any({ value: 1 }),
          }),
        ),
      ),
    ],
  ],
  toSegmentNames: [[new Argument([any('a', 'number', 'boolean', 'null', 'undefined')], valueKinds())]],
  fromSql: [[SOURCE]],
  splitSql: [[SOURCE, DIALECT, SQL_SOURCE, options('limits', 'now')]],
  subexpression: [[SOURCE]],
  toSql: [[SOURCE, DIALECT, SQL_SOURCE, options('limits', 'now', 'use')]],
  toSqlStatement: [
    [
      open({ filter: closed({ expression: SOURCE, use: only('where') }) }),
      DIALECT,
      SQL_SOURCE,
      options('limits', 'now', 'parametersBefore'),
    ],
  ],
  trace: [[SOURCE, PROPERTIES, USER, options('limits', 'now', 'schema', 'use')]],
  readRowValue: [[any({})]],
  verifyDialect: [[any(async () => []), DIALECT]],
  createWhereValidator: [[options('limits', 'relations', 'schema', 'strict')]],
  why: [[open({ ...TRACED, children: list(open({ ...TRACED, children: list() })) })]],
};

function valueKinds(): Kind[] {
  return ['array', 'string', 'number', 'boolean', 'null', 'undefined'];
}

type Call = (...input: readonly unknown[]) => unknown;

function callOf(make: Call, method: string): Call {
  return (...input) => (make() as Readonly<Record<string, Call>>)[method]?.(...input);
}

/** All exported functions. Classes, except errors, are a function that creates an instance, and their methods. */
const EXPORTED: ReadonlyMap<string, Call> = new Map(
  Object.values(ENTRIES).flatMap((entry) =>
    Object.entries<unknown>(entry).flatMap(([name, exported]): [string, Call][] => {
      if (typeof exported !== 'function' || exported.prototype instanceof Error) return [];
      if (!/^class\b/.test(String(exported))) return [[name, exported as Call]];
      const make: Call = (...input) => Reflect.construct(exported, input);
      const own = Object.entries(Object.getOwnPropertyDescriptors(exported.prototype));
      const methods = own.filter(([key, { value }]) => key !== 'constructor' && typeof value === 'function');
      return [[name, make], ...methods.map(([method]): [string, Call] => [`${name}.${method}`, callOf(make, method)])];
    }),
  ),
);

/** Returns the sample of an argument, with the samples of its parts. */
function sampleOf(argument: unknown): unknown {
  if (!(argument instanceof Argument)) return argument;
  const { sample } = argument;
  if (Array.isArray(sample)) return sample.map(sampleOf);
  const isPlain = typeof sample === 'object' && sample !== null && Object.getPrototypeOf(sample) === Object.prototype;
  return isPlain ? Object.fromEntries(Object.entries(sample).map(([key, part]) => [key, sampleOf(part)])) : sample;
}

/** Draws invalid versions of an argument: one part is replaced by a wrong value, or an unknown field is added. */
function wrongVersions(argument: unknown): fc.Arbitrary<unknown>[] {
  if (!(argument instanceof Argument)) return [];
  const { sample, kinds, isOpen } = argument;
  const wrong = KINDS.filter((kind) => !kinds.includes(kind)).map((kind): fc.Arbitrary<unknown> => VALUES[kind]);
  const within = Object.entries(Object(sample)).flatMap(([key, part]) =>
    wrongVersions(part).map((versions) =>
      versions.map((version) => {
        const copy = sampleOf(argument) as Record<string, unknown>;
        return Object.assign(copy, { [key]: version });
      }),
    ),
  );
  const added = fc.string().filter((key) => !Object.hasOwn(Object(sample), key) && key !== '__proto__');
  return [
    ...(wrong.length > 0 ? [fc.oneof(...wrong)] : []),
    ...within,
    ...(isOpen ? [] : [added.map((key) => ({ ...(sampleOf(argument) as object), [key]: 1 }))]),
  ];
}

async function thrownBy(run: () => unknown): Promise<unknown> {
  try {
    await run();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Messages of JavaScript itself. */
const UNGUARDED = /^Cannot |is not a function|is not iterable|is not defined|object null|is not an object/;

it('the entries of the package are complete', () => {
  const { exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const modules = Object.keys(exports).filter((entry) => /^\.(?:\/(?!element)\w+)?$/.test(entry));
  expect(modules.sort()).toEqual(Object.keys(ENTRIES).sort());
});

it('every exported function has arguments here', () => {
  expect(Object.keys(ARGUMENTS).sort()).toEqual([...EXPORTED.keys()].sort());
});

describe.each([...EXPORTED])('%s', (name, call) => {
  const ways = ARGUMENTS[name] ?? [];

  it('accepts arguments of the right types', async () => {
    for (const way of ways) expect(await thrownBy(() => call(...way.map(sampleOf)))).not.toBeInstanceOf(TypeError);
  });

  it('throws a TypeError with the expected and the actual value for other arguments', async () => {
    for (const way of ways) {
      for (const [position, argument] of way.entries()) {
        for (const versions of wrongVersions(argument)) {
          await fc.assert(
            fc.asyncProperty(versions, async (version) => {
              const error = await thrownBy(() => call(...way.map(sampleOf).with(position, version)));
              expect(error).toBeInstanceOf(TypeError);
              expect((error as TypeError).message).toMatch(/ .* /);
              expect((error as TypeError).message).not.toMatch(UNGUARDED);
            }),
            { numRuns: runs(50) },
          );
        }
      }
    }
  });
});

it.each<[string, () => unknown, string]>([
  [
    'a missing source',
    () => index.compileWhere(undefined as never),
    '`source` must be a string such as "properties[\\"plan\\"] == \\"pro\\"", not undefined',
  ],
  [
    'the name of an engine',
    () => index.compileWhere('true', { engine: 'codegen' as never }),
    '`options.engine` must be an engine, such as the export `codegen`, not "codegen"',
  ],
  [
    'a misspelt option',
    () => index.compileWhere('true', { shema: {} } as never),
    '`options` has an unknown field "shema": did you mean `schema`?',
  ],
  [
    'an unknown use',
    () => index.check('true', { use: 'filter' as never }),
    '`options.use` must be one of "where", "on", "number", "value", not "filter"',
  ],
  [
    'a number as record',
    () => index.evaluate('true', 5 as never),
    '`properties` must be an object such as { plan: "pro" }, not 5',
  ],
  [
    'records of properties without a record around them',
    () => index.createBatchFromRecords([{ plan: 'pro' } as never]),
    '`records[0]` must be an object such as { properties: { plan: "pro" } }, not an object',
  ],
  [
    'a column that is not an object',
    () => sql.toSql('true', sql.duckdb, { table: 'events', properties: { columns: { plan: 'plan' as never } } }),
    '`source.properties.columns["plan"]` must be an object of columns by type, such as { string: "plan" }, not "plan"',
  ],
  [
    'columns instead of a source of properties',
    () => sql.toSql('true', sql.duckdb, { table: 'events', properties: { plan: { string: 'plan' } } as never }),
    '`source.properties` has an unknown field "plan": it takes `columns`, `rest`',
  ],
  [
    'the name of a dialect',
    () => sql.toSql('true', 'duckdb' as never, { table: 'events', properties: {} }),
    '`dialect` must be a dialect: the export `duckdb`, `clickhouse`, `postgresql` or `sqlite`, not "duckdb"',
  ],
])('the error for %s names the expected value', (_, run, message) => {
  expect(run).toThrow(new TypeError(message));
});
