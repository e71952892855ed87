import type { Expression } from '../lang/ast.ts';
import { type Checked, checkTree, type PropertyRead, type Use } from '../lang/check/check.ts';
import type { Schema } from '../lang/check/schema.ts';
import type { Diagnostic } from '../lang/diagnostic.ts';
import { closures } from '../lang/engines/closures/closures.ts';
import { interpret } from '../lang/engines/interpret.ts';
import { ExpressionCheckError } from '../lang/errors.ts';
import { toNumberOrZero, toSegmentNames } from '../lang/operators/coercions.ts';
import { MAX_SECONDS } from '../lang/operators/time.ts';
import type { Closure, Engine } from '../lang/plan/engine.ts';
import { assertTree } from '../lang/syntax/expect-tree.ts';
import { type ParseLimits, type ParseOptions, parse, tryParse } from '../lang/syntax/parse.ts';
import { print } from '../lang/syntax/print.ts';
import { getTypeNames, type TypeName } from '../lang/types.ts';
import { getCurrentTime } from '../lang/util/current-time.ts';
import type { Properties, Value } from '../lang/value.ts';
import { assertOptions, assertRecord, assertSourceAndOptions } from './arguments.ts';

export interface CheckOptions extends ParseOptions {
  /** What the expression is for. Default `"value"`: anything. */
  readonly use?: Use;
  /** The properties that there are; without it each may exist, with any type. */
  readonly schema?: Schema;
}

export interface EvaluateOptions extends ParseOptions {
  /**
   * The time of the query in Unix seconds, or a function that gives it, called once per evaluation. Default: the clock, read
   * at each evaluation. A query over many records fixes it, so that `now` is the same for all of them.
   */
  readonly now?: number | (() => number);
}

export interface CompileOptions extends EvaluateOptions {
  /** What makes the function: `codegen`, or closures by default, which need no code made from text. The answers do not depend on it. */
  readonly engine?: Engine;
  /** What the diagnostics and the static types go by. The answers do not depend on it: a record may hold what no schema knows. */
  readonly schema?: Schema;
}

export interface CheckResult {
  /** Whether there is no error. There may be warnings. */
  readonly ok: boolean;
  /** The types that the value can have; none where the text is no expression. */
  readonly types: readonly TypeName[];
  /** Every property that is read, once, in source order. */
  readonly properties: readonly PropertyRead[];
  /** Errors and warnings, in source order. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What a compiled expression says about itself. */
export interface About {
  readonly source: string;
  /** The types that the value can have. */
  readonly types: readonly TypeName[];
  /** Every property that is read, once, in source order. */
  readonly properties: readonly PropertyRead[];
  /** What cannot have been meant: warnings only. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * A function of a record's properties and, for `user[...]`, those of its user. It keeps no state and is safe to share; it is pure but
 * for `now`, which reads the clock unless the option fixes it.
 */
export interface Compiled<Answer> extends About {
  (properties: Properties, user?: Properties): Answer;
}

/** Finds everything that is wrong with an expression, and what cannot have been meant, without running it (language, section 6). Never throws for a source. */
export function check(source: string, options: CheckOptions = {}): CheckResult {
  assertSourceAndOptions(source, options, ['limits', 'schema', 'use']);
  const { use = 'value', schema } = options;
  const { tree, diagnostics } = tryParse(source, options);
  if (diagnostics !== undefined) return { ok: false, types: [], properties: [], diagnostics };
  const checked = checkTree(source, tree, use, schema);
  return {
    ok: !checked.diagnostics.some(isError),
    types: typesOf(checked),
    properties: checked.properties,
    diagnostics: checked.diagnostics,
  };
}

/**
 * Compiles an expression to a function that answers its value.
 *
 * @throws {ExpressionSyntaxError} for a text that is no expression; {@link ExpressionCheckError} for one that fails on every
 *   record. The function throws {@link ExpressionTypeError} for a record with a type that `and` or `or` does not take.
 */
export function compile(source: string, options: CompileOptions = {}): Compiled<Value> {
  return compileFor(source, 'value', options, (checked, engine) => engine.toClosure(checked));
}

/**
 * Compiles a filter: true selects a record, false and undefined do not (language, section 5).
 *
 * @throws as {@link compile}; the function also for a record whose value is neither a boolean nor undefined.
 */
export function compileWhere(source: string, options: CompileOptions = {}): Compiled<boolean> {
  return compileFor(source, 'where', options, (checked, engine) => engine.toCondition(checked));
}

/**
 * Compiles a segmentation: the names of the segments that a record is in, one except for a list (language, section 5).
 *
 * @throws as {@link compile}.
 */
export function compileOn(source: string, options: CompileOptions = {}): Compiled<string[]> {
  return compileFor(source, 'on', options, (checked, engine) => {
    const closure = engine.toClosure(checked);
    return (properties, user, now) => toSegmentNames(closure(properties, user, now));
  });
}

/**
 * Compiles a numeric expression, as sums and averages take it: what is not a number counts as 0 (language, section 5).
 *
 * @throws as {@link compile}.
 */
export function compileNumber(source: string, options: CompileOptions = {}): Compiled<number> {
  return compileFor(source, 'number', options, (checked, engine) => {
    const closure = engine.toClosure(checked);
    return (properties, user, now) => toNumberOrZero(closure(properties, user, now));
  });
}

/**
 * Evaluates an expression by the interpreter, the plainly written reference. For more than a few records, compile.
 *
 * The first call prints a tree and parses the text, which is what an error shows; later calls with the same limits
 * reuse the result. Do not change a tree after passing it: later calls still evaluate it as it was.
 *
 * @throws {ExpressionSyntaxError} and {@link ExpressionTypeError}, as {@link compile}.
 */
export function evaluate(
  expression: string | Expression,
  properties: Properties,
  user?: Properties,
  options: EvaluateOptions = {},
): Value {
  assertRecord(properties, user);
  assertOptions(options, ['limits', 'now']);
  const { source, tree } =
    typeof expression === 'string'
      ? { source: expression, tree: parse(expression, limitsOf(options)) }
      : readTree(expression, options);
  return interpret(tree, { properties, user, now: toClock(options.now)() }, source);
}

/** A tree printed and parsed back, so that its spans are those of the text. */
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
  const read = { source, tree: parse(source, { limits }), limits: { ...limits } };
  readTrees.set(given, read);
  return read;
}

/**
 * Writes an expression in the one canonical way: words in lower case, double quotes, no parenthesis that is not needed, lines of
 * at most 80 columns where an `and`, an `or` or a written list that no call or comparison holds lets them be broken. The result
 * parses to the same tree.
 *
 * @throws {ExpressionSyntaxError} for a text that is no expression.
 */
export function format(expression: string | Expression, options: ParseOptions = {}): string {
  if (typeof expression === 'string') return print(parse(expression, options));
  assertOptions(options, ['limits']);
  return printTree(expression);
}

function printTree(tree: Expression): string {
  assertTree(tree, 'expression');
  return print(tree);
}

function compileFor<Answer>(
  source: string,
  use: Use,
  options: CompileOptions,
  toFunction: (checked: Checked, engine: Engine) => Closure<Answer>,
): Compiled<Answer> {
  assertSourceAndOptions(source, options, ['engine', 'limits', 'now', 'schema']);
  const { checked, time, about } = prepare(source, use, options);
  const closure = toFunction(checked, options.engine ?? closures);
  const compiled = time
    ? (properties: Properties, user?: Properties) => closure(properties, user, time())
    : (closure as (properties: Properties, user?: Properties) => Answer);
  return Object.freeze(Object.assign(compiled, about));
}

interface Prepared {
  readonly checked: Checked;
  /** The time of an evaluation, if the expression reads it. */
  readonly time: (() => number) | undefined;
  readonly about: About;
}

/**
 * Reads and checks an expression, for whichever engine.
 *
 * @throws {ExpressionSyntaxError} and {@link ExpressionCheckError}, as {@link compile}.
 */
export function prepare(source: string, use: Use, options: CompileOptions): Prepared {
  const { now, schema } = options;
  const tree = parse(source, limitsOf(options));
  const checked = checkTree(source, tree, use);
  const informed = schema === undefined ? checked : checkTree(source, tree, use, schema);
  const { diagnostics } = informed;
  if (diagnostics.some(isError)) throw new ExpressionCheckError(source, diagnostics);
  const time = toClock(now);
  const about = { source, types: typesOf(informed), properties: checked.properties, diagnostics };
  return { checked, time: checked.readsTime ? time : undefined, about };
}

/** The options that parsing takes of those of another function. */
export function limitsOf({ limits }: ParseOptions): ParseOptions {
  return limits === undefined ? {} : { limits };
}

/** The time of each evaluation: what the option says, else the clock. */
export function toClock(now: EvaluateOptions['now']): () => number {
  if (now === undefined) return getCurrentTime;
  if (typeof now === 'function') return () => unixSeconds(now());
  const fixed = unixSeconds(now);
  return () => fixed;
}

/** A number beyond the limit is milliseconds, passed for seconds by mistake. */
function unixSeconds(now: number): number {
  if (Number.isFinite(now) && now <= MAX_SECONDS) return Math.floor(now) + 0;
  throw new RangeError(`\`now\` must be Unix seconds, at most ${MAX_SECONDS}, not ${now}`);
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}

function typesOf({ facts, tree }: Checked): TypeName[] {
  return getTypeNames(facts.get(tree)?.types ?? 0);
}
