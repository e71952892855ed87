import { checkTree, type PropertyRead } from '../lang/check/check.ts';
import type { PartialInput } from '../lang/check/context.ts';
import { type Cost, estimateCost } from '../lang/check/estimate-cost.ts';
import type { Diagnostic } from '../lang/diagnostic.ts';
import { type Explained, explainTree } from '../lang/explain/explain-tree.ts';
import { simplifyTree } from '../lang/explain/simplify-tree.ts';
import { type Traced, traceTree } from '../lang/explain/trace-tree.ts';
import { parseFor } from '../lang/syntax/parse.ts';
import { print } from '../lang/syntax/print.ts';
import { assertKnown, assertRecord, assertSourceAndOptions } from './arguments.ts';
import type { CheckOptions } from './expressions.ts';
import { type EvaluateOptions, limitsOf, timeZoneOf, toClock } from './query-options.ts';

export interface TraceOptions extends Omit<CheckOptions, 'relations'>, EvaluateOptions {}

/** A static description of an expression, as plain data. */
export interface Explanation {
  /** The expression, node by node, with static types. */
  readonly tree: Explained;
  /** The properties that the expression reads, each once, in source order. */
  readonly properties: readonly PropertyRead[];
  /** Upper bounds on the work of one evaluation. */
  readonly cost: Cost;
  /** Errors and warnings, in source order. Expressions with type errors are explained too. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Explains an expression: the properties that it reads, the types of its parts, and the maximum cost of an evaluation.
 *
 * @throws {ExpressionSyntaxError} if the source is not an expression.
 *
 * @example
 * const { properties, cost, diagnostics } = explain('properties["amount"] > 100', { use: 'where' });
 */
export function explain(source: string, options: Omit<CheckOptions, 'relations'> = {}): Explanation {
  assertSourceAndOptions(source, options, ['limits', 'schema', 'timeZone', 'use']);
  const { use = 'value', schema } = options;
  const timeZone = timeZoneOf(options);
  const checked = checkTree(source, parseFor(explain, source, limitsOf(options)), use, { schema, timeZone });
  const { tree, properties, diagnostics } = checked;
  return { tree: explainTree(tree, checked), properties, cost: estimateCost(checked), diagnostics };
}

/**
 * Evaluates an expression on one record and returns the tree with the value of every part. Pass the result to {@link why}
 * to get the reasons. A type error is not thrown: the nodes that it leaves without a value are marked.
 *
 * @throws {ExpressionSyntaxError} if the source is not an expression.
 *
 * @example
 * const traced = trace('properties["plan"] == "pro"', { plan: 'free' }, undefined, { use: 'where' });
 * why(traced);
 */
export function trace(source: string, properties: object, user?: object, options: TraceOptions = {}): Traced {
  assertSourceAndOptions(source, options, ['limits', 'now', 'schema', 'timeZone', 'use']);
  assertRecord(properties, user);
  const { use = 'value', schema, now } = options;
  const timeZone = timeZoneOf(options);
  const checked = checkTree(source, parseFor(trace, source, limitsOf(options)), use, { schema, timeZone });
  return traceTree(checked, { properties, user, now: toClock(now)(), timeZone }, use);
}

/**
 * Simplifies an expression for known properties or a known time, and returns the rest as canonical source.
 *
 * On every record with the known properties, the rest returns the value of the whole expression, or raises a type error
 * with the same operator and type. With the use `where`, it selects the same records.
 *
 * @throws {ExpressionSyntaxError} if the source is not an expression, or if long known strings make the rest exceed a
 *   limit.
 *
 * @example
 * evaluatePartially('properties["plan"] == "pro" and properties["amount"] > 100', { properties: { plan: 'pro' } });
 */
export function evaluatePartially(
  source: string,
  known: PartialInput,
  options: Omit<CheckOptions, 'relations' | 'schema'> = {},
): string {
  assertSourceAndOptions(source, options, ['limits', 'timeZone', 'use']);
  assertKnown(known);
  const { use = 'value' } = options;
  const { now } = known;
  const given = { ...known, now: now === undefined ? now : toClock(now)() };
  const tree = parseFor(evaluatePartially, source, limitsOf(options));
  const text = print(simplifyTree(checkTree(source, tree, use, { given, timeZone: timeZoneOf(options) }), use));
  parseFor(evaluatePartially, text, limitsOf(options));
  return text;
}
