import { type Mutant, mutate } from './mutant.ts';

const LISTS = 'test/lang/engines/long-lists.test.ts';
const RAW = 'test/lang/engines/raw-values.test.ts';
const QUERY_OPTIONS = 'test/api/query-options.test.ts';
const VECTORS = 'test/conformance.test.ts';
const FILTER_SET = 'test/filter-set.test.ts';
const WITHOUT = [FILTER_SET, 'matches records without the property'] as const;

/** Mistakes of engines that share a plan, and of filter sets. */
export const ENGINE_MUTANTS: readonly Mutant[] = [
  ...mutate('src/lang/engines/codegen/emitter.ts', LISTS, {
    'the last value of a list of seven or more': [
      'addConstant(new Set(values))',
      'addConstant(new Set(values.slice(0, -1)))',
    ],
    'the last value of a short list': ["tests.join(' || ')", "tests.slice(0, -1).join(' || ')"],
    'the negation of a list': ['return plan.negated ? `!', 'return plan.negated ? `'],
  }),
  ...mutate('src/lang/engines/codegen/emitter.ts', RAW, {
    'an infinite property is a number': ['"number" ? nanIfNotFinite(', '"number" ? Number('],
  }),
  ...mutate('src/lang/engines/codegen/emitter.ts', [VECTORS, 'codegen passes the vectors'], {
    'an operator of a chain': ["decidedBy ? ' || ' : ' && '", "decidedBy ? ' || ' : ' || '"],
    'operands that must all be evaluated': ['strictOperands < 2 ||', 'strictOperands < 99 ||'],
  }),
  ...mutate('src/lang/engines/codegen/codegen.ts', [VECTORS, 'codegen passes the vectors'], {
    'the user': ['u === undefined ? NO_USER : u;', 'NO_USER;'],
  }),
  ...mutate('src/lang/engines/closures/closures.ts', LISTS, {
    'the last value of a list': ['new Set(values)),', 'new Set(values.slice(0, -1))),'],
  }),
  ...mutate('src/lang/engines/closures/closures.ts', [VECTORS, 'closures passes the vectors'], {
    'the high end of a range': ['undefined : value >= low && value <= high', 'undefined : value >= low'],
    'operands that must all be evaluated': ['strictOperands > 1 ?', 'strictOperands > 99 ?'],
    'the user': ['closure(user ?? NO_PROPERTIES, undefined, now)', 'closure(NO_PROPERTIES, undefined, now)'],
    'the time': ['(_properties, _user, now) => now', '() => 0'],
  }),
  ...mutate('src/lang/filters/access.ts', WITHOUT, {
    'false without the property': ['values.includes(read.missing as Scalar | undefined)', 'false'],
    'true without the property': ['read !== undefined && read.missing !== true', 'read !== undefined'],
  }),
  ...mutate('src/lang/filters/missing.ts', WITHOUT, {
    'a filter that holds without its properties': [
      "return compilePredicate(predicate, '')(NOTHING, undefined, 0);",
      'return false;',
    ],
  }),
  ...mutate('src/api/expressions.ts', QUERY_OPTIONS, {
    'the time zone of `compile`': [
      'const checked = checkTree(source, tree, use, { timeZone });',
      'const checked = checkTree(source, tree, use, {});',
    ],
    'the time zone of `evaluate`': [
      'now: toClock(options.now)(), timeZone: timeZoneOf(options) }',
      'now: toClock(options.now)() }',
    ],
    'the time of `evaluate`': ['now: toClock(options.now)(), timeZone', 'now: 0, timeZone'],
    'the user of a compiled function': ['closure(properties, user, time())', 'closure(properties, undefined, time())'],
  }),
  ...mutate('src/api/explain.ts', QUERY_OPTIONS, {
    'the time zone of `explain`': [
      'parseFor(explain, source, limitsOf(options)), use, { schema, timeZone }',
      'parseFor(explain, source, limitsOf(options)), use, { schema }',
    ],
    'the time zone of `trace`': ['now: toClock(now)(), timeZone }', 'now: toClock(now)() }'],
    'the time of `trace`': ['now: toClock(now)(), timeZone }', 'now: 0, timeZone }'],
    'the time zone of `evaluatePartially`': ['{ given, timeZone: timeZoneOf(options) }', '{ given }'],
    'the known time of `evaluatePartially`': ['now === undefined ? now : toClock(now)()', 'undefined'],
  }),
  ...mutate('src/api/filter-set.ts', QUERY_OPTIONS, {
    'the time zone of a filter set': [
      "prepare(this.add, source, 'where', this.options)",
      "prepare(this.add, source, 'where', {})",
    ],
    'the time zone of an explained filter': ['...this.options,\n', ''],
    'the time of a batch': ['const now = this.timed.size > 0 ? this.clock() : 0;', 'const now = 0;'],
    'the user of a row': ['user: readRow(batch.user, row)', 'user: readRow(batch.properties, row)'],
  }),
  ...mutate('src/lang/engines/columnar/batch-planner.ts', QUERY_OPTIONS, {
    'the time zone of a batch': [
      "checkTree(source, tree, 'value', { schema, timeZone })",
      "checkTree(source, tree, 'value', { schema })",
    ],
  }),
  ...mutate('src/lang/engines/columnar/columnar.ts', 'test/lang/engines/columnar.test.ts', {
    'the selection of a batch': [
      'selection ? selected.map((index) => selection[index] as number) : selected',
      'selected',
    ],
  }),
  ...mutate('src/lang/engines/columnar/compile-condition.ts', 'test/lang/engines/chains.test.ts', {
    'operands that every row must reach': ['operands[index]?.canFail', 'false'],
    'rows that `or` has decided': ['if (decidedBy) found.remove(hits);', 'if (!decidedBy) found.remove(hits);'],
  }),
  ...mutate('src/lang/engines/interpret.ts', [VECTORS, 'interpret passes the vectors'], {
    'the user of a record': ["node.scope === 'user' ? input.user : input.properties", 'input.properties'],
    'the time of the query': ['return input.now;', 'return 0;'],
    'the time zone of the query': [
      'applyOperator(getFunctions(input.timeZone)[node.operator]',
      'applyOperator(getFunctions(undefined)[node.operator]',
    ],
    'the time zone of the other side': [
      'applyOperator(getFunctions(input.timeZone).datetime',
      'applyOperator(getFunctions(undefined).datetime',
    ],
  }),
  ...mutate('test/conformance.test.ts', VECTORS, {
    'the use of a vector': ['prepare(expr, tree, where, timeZone)', 'prepare(expr, tree, false, timeZone)'],
    'the time zone of a vector': ['prepare(expr, tree, where, timeZone)', 'prepare(expr, tree, where)'],
    'the user of a vector': ['{ properties: props, user, now }', '{ properties: props, now }'],
    'the time of a vector': ['{ properties: props, user, now }', '{ properties: props, user }'],
    'the result of a vector': ['isDeepStrictEqual(got, vector.expect) ? []', 'isDeepStrictEqual(got, {}) ? []'],
  }),
  ...mutate('src/lang/engines/codegen/codegen.ts', RAW, {
    'own properties': ["['p.__proto__ === PLAIN']", '[]'],
  }),
  ...mutate('src/lang/engines/closures/closures.ts', 'test/lang/engines/chains.test.ts', {
    'the third operand of `and`': [
      'second(properties, user, now) && third(properties, user, now)',
      'second(properties, user, now)',
    ],
  }),
  ...mutate('src/api/expressions.ts', ['test/lang/engines/codegen.test.ts', 'is generated once'], {
    'the engine of `compile`': ['options.engine ?? closures', 'closures'],
  }),
];
