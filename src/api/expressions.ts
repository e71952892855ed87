import type { Expression } from '../lang/ast.ts';
import { type Checked, checkTree, type PropertyRead, type Use } from '../lang/check/check.ts';
import type { Schema } from '../lang/check/schema.ts';
import type { Diagnostic } from '../lang/diagnostic.ts';
import { closures } from '../lang/engines/closures/closures.ts';
import { interpret } from '../lang/engines/interpret.ts';
import { type Callee, ExpressionCheckError, traceFrom } from '../lang/errors.ts';
import { listSegments, toNumberOrZero } from '../lang/operators/coercions.ts';
import type { Closure, Engine } from '../lang/plan/engine.ts';
import { assertTree } from '../lang/syntax/expect-tree.ts';
import { type ParseLimits, type ParseOptions, parseFor, tryParse } from '../lang/syntax/parse.ts';
import { print } from '../lang/syntax/print.ts';
import { getTypeNames, type TypeName } from '../lang/types.ts';
import type { Properties, Value } from '../lang/value.ts';
import { assertOptions, assertRecord, assertSourceAndOptions } from './arguments.ts';
import { type EvaluateOptions, limitsOf, type TimeZoneOptions, timeZoneOf, toClock } from './query-options.ts';

export interface CheckOptions extends ParseOptions, TimeZoneOptions {
  /** The use of the expression. Default `"value"`: a value of any type. */
  readonly use?: Use;
  /** The known properties. Without a schema, every property may exist with any type. */
  readonly schema?: Schema;
  /**
   * Finds conditions that are always or never true, or make no difference: `findRelations` from `onwhere/relate`.
   * Default: none are found.
   */
  readonly relations?: FindRelations;
}

/** Returns the diagnostics of a checked expression, with warnings from the relations of its parts, in source order. */
export type FindRelations = (checked: Checked, use: Use, schema?: Schema) => readonly Diagnostic[];

export interface CompileOptions extends EvaluateOptions {
  /**
   * The engine that builds the function: the export `codegen`, or by default closures, which work where `new Function` is
   * forbidden. Results do not depend on it.
   */
  readonly engine?: Engine;
  /** The known properties, for diagnostics and static types. Results do not depend on it: records may differ from it. */
  readonly schema?: Schema;
}

export interface CheckResult {
  /** Whether there are no errors. There may be warnings. */
  readonly ok: boolean;
  /** The types that the value can have. Empty if the source is not an expression. */
  readonly types: readonly TypeName[];
  /** The properties that the expression reads, each once, in source order. */
  readonly properties: readonly PropertyRead[];
  /** True if the expression reads `now`, so that its value changes with the clock. */
  readonly readsTime: boolean;
  /** Errors and warnings, in source order. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Facts about a compiled expression. */
export interface About {
  readonly source: string;
  /** The types that the value can have. */
  readonly types: readonly TypeName[];
  /** The properties that the expression reads, each once, in source order. */
  readonly properties: readonly PropertyRead[];
  /** Warnings about likely mistakes. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * A compiled expression that takes the properties of a record and, for `user[...]`, those of its user: see
 * {@link Properties}. The function keeps no state and is safe to share. It is pure except for `now`, which reads the
 * clock unless the option fixes it.
 *
 * To filter an array, write `rows.filter((row) => isPro(row))`. `rows.filter(isPro)` does not type-check, because `filter`
 * would pass the index of the row as the user.
 */
export interface Compiled<Result> extends About {
  (properties: object, user?: object): Result;
}

/**
 * Checks an expression without running it and reports every error and warning (language, section 6). A source that is not
 * an expression is reported, not thrown.
 *
 * @throws {TypeError} if an argument has the wrong type.
 *
 * @example
 * const { ok, diagnostics } = check('properties["plan"] = "pro"', { use: 'where' });
 */
export function check(source: string, options: CheckOptions = {}): CheckResult {
  assertSourceAndOptions(source, options, ['limits', 'relations', 'schema', 'timeZone', 'use']);
  const { use = 'value', schema, relations } = options;
  const { tree, diagnostics } = tryParse(source, options);
  if (diagnostics !== undefined) return { ok: false, types: [], properties: [], readsTime: false, diagnostics };
  const checked = checkTree(source, tree, use, { schema, timeZone: timeZoneOf(options) });
  return {
    ok: !checked.diagnostics.some(isError),
    types: typesOf(checked),
    properties: checked.properties,
    readsTime: checked.readsTime,
    diagnostics: relations?.(checked, use, schema) ?? checked.diagnostics,
  };
}

/**
 * Compiles an expression to a function that returns its value.
 *
 * @throws {ExpressionSyntaxError} if the source is not an expression.
 * @throws {ExpressionCheckError} if the expression fails on every record.
 *   The returned function throws {@link ExpressionTypeError} if an operand of `and` or `or` is neither a boolean nor
 *   undefined.
 *
 * @example
 * const total = compile('properties["price"] * properties["quantity"]');
 * total({ price: 2.5, quantity: 4 }); // 10
 */
export function compile(source: string, options: CompileOptions = {}): Compiled<Value> {
  return compileFor(compile, source, 'value', options, (checked, engine) => engine.toClosure(checked));
}

/**
 * Compiles a filter to a function that returns whether it selects a record: true does, false and undefined do not
 * (language, section 5).
 *
 * @throws as {@link compile}. The returned function also throws {@link ExpressionTypeError} if the value is neither a
 *   boolean nor undefined.
 *
 * @example
 * const isPro = compileWhere('properties["plan"] == "pro" and user["country"] == "DE"');
 * isPro({ plan: 'pro' }, { country: 'DE' }); // true
 */
export function compileWhere(source: string, options: CompileOptions = {}): Compiled<boolean> {
  return compileFor(compileWhere, source, 'where', options, (checked, engine) => engine.toCondition(checked));
}

/**
 * Compiles a segmentation to a function that returns the names of the segments of a record: one name for each
 * distinct element of a list, exactly one for any other value (language, section 5).
 *
 * @throws as {@link compile}.
 *
 * @example
 * compileOn('properties["plan"]')({ plan: 'pro' }); // ['pro']
 * compileOn('properties["tags"]')({ tags: ['a', 'b'] }); // ['a', 'b']
 */
export function compileOn(source: string, options: CompileOptions = {}): Compiled<string[]> {
  return compileFor(compileOn, source, 'on', options, (checked, engine) => {
    const closure = engine.toClosure(checked);
    return (properties, user, now) => listSegments(closure(properties, user, now));
  });
}

/**
 * Compiles a numeric expression, for sums and averages, to a function that returns its number. Any other value counts as
 * 0 (language, section 5).
 *
 * @throws as {@link compile}.
 *
 * @example
 * compileNumber('properties["amount"]')({ amount: 'unknown' }); // 0
 */
export function compileNumber(source: string, options: CompileOptions = {}): Compiled<number> {
  return compileFor(compileNumber, source, 'number', options, (checked, engine) => {
    const closure = engine.toClosure(checked);
    return (properties, user, now) => toNumberOrZero(closure(properties, user, now));
  });
}

/**
 * Evaluates an expression on one record with the reference interpreter and returns its value. To evaluate more than a few
 * records, use {@link compile}.
 *
 * The expression is a string or a tree. The first call with a tree prints and parses it, so that errors can show the
 * source; later calls with the same limits reuse the result. Do not change a tree after passing it: later calls still
 * evaluate the original.
 *
 * @throws {ExpressionSyntaxError} if the source is not an expression.
 * @throws {ExpressionTypeError} if an operand of `and` or `or` is neither a boolean nor undefined.
 *
 * @example
 * evaluate('properties["amount"] > 100', { amount: 250 }); // true
 */
export function evaluate(
  expression: string | Expression,
  properties: object,
  user?: object,
  options: EvaluateOptions = {},
): Value {
  assertRecord(properties, user);
  assertOptions(options, ['limits', 'now', 'timeZone']);
  const { source, tree } =
    typeof expression === 'string'
      ? { source: expression, tree: parseFor(evaluate, expression, limitsOf(options)) }
      : readTree(expression, options);
  const input = { properties, user, now: toClock(options.now)(), timeZone: timeZoneOf(options) };
  return interpret(tree, input, source);
}

/** A tree that was printed and parsed again, so that its spans refer to `source`. */
interface ReadTree {
  readonly source: string;
  readonly tree: Expression;
  readonly limits: ParseLimits;
}

const readTrees = new WeakMap<Expression, ReadTree>();

function readTree(given: Expression, { limits = {} }: ParseOptions): ReadTree {
  const known = readTrees.get(given);
  if (known && known.limits.length === limits.length && known.limits.depth === limits.depth) return known;
  const source = known?.source ?? printTree(given);
  const read = { source, tree: parseFor(evaluate, source, { limits }), limits: { ...limits } };
  readTrees.set(given, read);
  return read;
}

/**
 * Formats an expression in canonical style and returns the source, which parses to the same tree.
 *
 * Canonical style has keywords in lower case, double quotes and no redundant parentheses. Lines break at 80 columns, at
 * an `and`, an `or` or a list that is not inside a call or comparison.
 *
 * @throws {ExpressionSyntaxError} if the source is not an expression.
 *
 * @example
 * format("(properties['plan'] == 'pro') AND true"); // properties["plan"] == "pro" and true
 */
export function format(expression: string | Expression, options: ParseOptions = {}): string {
  assertOptions(options, ['limits']);
  return typeof expression === 'string' ? print(parseFor(format, expression, options)) : printTree(expression);
}

function printTree(tree: Expression): string {
  assertTree(tree, 'expression');
  return print(tree);
}

function compileFor<Result>(
  callee: Callee,
  source: string,
  use: Use,
  options: CompileOptions,
  toFunction: (checked: Checked, engine: Engine) => Closure<Result>,
): Compiled<Result> {
  assertSourceAndOptions(source, options, ['engine', 'limits', 'now', 'schema', 'timeZone']);
  const { checked, time, about } = prepare(callee, source, use, options);
  const closure = toFunction(checked, options.engine ?? closures);
  const compiled = time
    ? (properties: Properties, user?: Properties) => closure(properties, user, time())
    : (closure as (properties: Properties, user?: Properties) => Result);
  return Object.freeze(Object.assign(compiled as (properties: object, user?: object) => Result, about));
}

interface Prepared {
  readonly checked: Checked;
  /** Returns the time of an evaluation in Unix seconds. Undefined if the expression does not read `now`. */
  readonly time: (() => number) | undefined;
  readonly about: About;
}

/**
 * Parses and checks an expression for any engine.
 *
 * @param callee The function that a program called: errors begin their stack traces there.
 * @throws {ExpressionSyntaxError} if the source is not an expression.
 * @throws {ExpressionCheckError} if the expression fails on every record.
 */
export function prepare(callee: Callee, source: string, use: Use, options: CompileOptions): Prepared {
  const { now, schema } = options;
  const tree = parseFor(callee, source, limitsOf(options));
  const timeZone = timeZoneOf(options);
  const checked = checkTree(source, tree, use, { timeZone });
  const informed = schema === undefined ? checked : checkTree(source, tree, use, { schema, timeZone });
  const { diagnostics } = informed;
  if (diagnostics.some(isError)) throw traceFrom(callee, new ExpressionCheckError(source, diagnostics));
  const time = toClock(now);
  const about = { source, types: typesOf(informed), properties: checked.properties, diagnostics };
  return { checked, time: checked.readsTime ? time : undefined, about };
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}

function typesOf({ facts, tree }: Checked): TypeName[] {
  return getTypeNames(facts.get(tree)?.types ?? 0);
}
