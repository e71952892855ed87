import { checkTree, type PartialInput, type PropertyRead } from '../lang/check/check.ts';
import type { Diagnostic } from '../lang/diagnostic.ts';
import { type Cost, estimateCost } from '../lang/explain/estimate-cost.ts';
import { type Explained, explainTree } from '../lang/explain/explain-tree.ts';
import { simplifyTree } from '../lang/explain/simplify-tree.ts';
import { type Traced, traceTree } from '../lang/explain/trace-tree.ts';
import { parse } from '../lang/syntax/parse.ts';
import { print } from '../lang/syntax/print.ts';
import type { Properties } from '../lang/value.ts';
import { assertKnown, assertRecord, assertSourceAndOptions } from './arguments.ts';
import { type CheckOptions, type EvaluateOptions, limitsOf, toClock } from './expressions.ts';

export interface TraceOptions extends CheckOptions, EvaluateOptions {}

/** What there is to know of an expression without a record: plain data. */
export interface Explanation {
  /** The expression, node by node. */
  readonly tree: Explained;
  /** Every property that is read, once, in source order. */
  readonly properties: readonly PropertyRead[];
  /** The most that one evaluation does. */
  readonly cost: Cost;
  /** Errors and warnings, in source order. One that fails on every record is explained all the same. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Explains an expression: what it reads, the types of its parts, and what evaluating it costs at most.
 *
 * @throws {ExpressionSyntaxError} for a text that is no expression.
 */
export function explain(source: string, options: CheckOptions = {}): Explanation {
  assertSourceAndOptions(source, options, ['limits', 'schema', 'use']);
  const { use = 'value', schema } = options;
  const checked = checkTree(source, parse(source, limitsOf(options)), use, schema);
  const { tree, properties, diagnostics } = checked;
  return { tree: explainTree(tree, checked), properties, cost: estimateCost(checked), diagnostics };
}

/**
 * Evaluates an expression on one record and keeps what each of its parts is there, for {@link why}. It does not throw a type error; the
 * nodes that have no value for it say so.
 *
 * @throws {ExpressionSyntaxError} for a text that is no expression.
 */
export function trace(source: string, properties: Properties, user?: Properties, options: TraceOptions = {}): Traced {
  assertSourceAndOptions(source, options, ['limits', 'now', 'schema', 'use']);
  assertRecord(properties, user);
  const { use = 'value', schema, now } = options;
  const checked = checkTree(source, parse(source, limitsOf(options)), use, schema);
  return traceTree(checked, { properties, user, now: toClock(now)() }, use);
}

/**
 * The expression that is left where some properties, or the time, are known: its canonical text. On every record that has the known
 * properties as given it answers what the whole would, or raises a type error with the same operator and type found; with the use
 * `where`, it is the same filter.
 *
 * @throws {ExpressionSyntaxError} for a text that is no expression, and where long known texts make what is left exceed a limit.
 */
export function evaluatePartially(
  source: string,
  known: PartialInput,
  options: Omit<CheckOptions, 'schema'> = {},
): string {
  assertSourceAndOptions(source, options, ['limits', 'use']);
  assertKnown(known);
  const { use = 'value' } = options;
  const { now } = known;
  const given = { ...known, now: now === undefined ? now : toClock(now)() };
  const tree = parse(source, limitsOf(options));
  const text = print(simplifyTree(checkTree(source, tree, use, undefined, given), use));
  parse(text, limitsOf(options));
  return text;
}
