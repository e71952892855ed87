/**
 * Relates filters: whether one selects what another does, and which record shows that it does not.
 *
 * @module onwhere/relate
 */

import { assertNumber } from '../base/guard.ts';
import type { Checked, Use } from '../lang/check/check.ts';
import type { Schema } from '../lang/check/schema.ts';
import type { Callee } from '../lang/errors.ts';
import { Budget } from '../lang/relate/budget.ts';
import { findRelations } from '../lang/relate/find-relations.ts';
import { toNormalText } from '../lang/relate/normal-text.ts';
import { FAILED, pairResults, REJECTED, type Results, SELECTED } from '../lang/relate/outcomes.ts';
import { findJointAnswers, type Witness } from '../lang/relate/relate-filters.ts';
import { shortenFilter } from '../lang/relate/shorten.ts';
import { assertSource, type ParseLimits, type ParseOptions } from '../lang/syntax/parse.ts';
import { assertOptions, assertSourceAndOptions } from './arguments.ts';
import { prepare } from './expressions.ts';
import type { TimeZoneOptions } from './query-options.ts';

export type { Witness };
export { findRelations };

export interface FilterOptions extends TimeZoneOptions {
  /**
   * The known properties: records have no other types and, where values are listed, no other strings, numbers and booleans
   * than those. Without a schema, every property can have any value.
   */
  readonly schema?: Schema;
  /** The limits of each filter. */
  readonly limits?: ParseLimits;
  /** The maximum work. Evaluating one condition on one kind of value is a step. Beyond it, the answer is `unknown`. */
  readonly steps?: number;
}

export interface RelateOptions extends FilterOptions {
  /**
   * Default `"where"`: filters, compared by the records that they select. In another use, two expressions are compared by
   * what their values count as in it: `"on"` by their segments, `"number"` by the number, 0 for other types, `"value"` by
   * the value itself.
   */
  readonly use?: Use;
}

export interface CanonicalOptions extends ParseOptions, TimeZoneOptions {
  /** The use of the expression. Default `"where"`: a filter, where undefined counts as false. */
  readonly use?: Use;
}

/**
 * How the records that two filters select relate, or the values of two expressions. The first of these that holds:
 *
 * - `equal`: they select the same records, and raise type errors on the same ones.
 * - `implies`: the right one selects all records that the left one does.
 * - `implied-by`: the left one selects all records that the right one does.
 * - `disjoint`: no record is selected by both.
 * - `overlap`: none of these.
 * - `unknown`: that could not be decided.
 *
 * Of values, `equal` means that they are the same on every record, `disjoint` on none where both have one, and `overlap`
 * on some. `implies` means that they are the same wherever both have one, but raise type errors on different records;
 * `implied-by` does not occur.
 */
export type RelationName = 'equal' | 'implies' | 'implied-by' | 'disjoint' | 'overlap' | 'unknown';

/** The relation of two expressions, with a record for each way in which they differ. */
export interface Relation {
  readonly relation: RelationName;
  /** A record that both select, or on which both have the same value. */
  readonly both?: Witness;
  /** A record that only the left filter selects. */
  readonly onlyLeft?: Witness;
  /** A record that only the right filter selects. */
  readonly onlyRight?: Witness;
  /** A record on which only the left filter raises a type error. */
  readonly leftFails?: Witness;
  /** A record on which only the right filter raises a type error. */
  readonly rightFails?: Witness;
  /** A record on which both have values that are not the same. Undefined for filters. */
  readonly different?: Witness;
}

/** The answer to a question about all records. `witness` is a record for which it is not so. */
export interface Verdict {
  readonly answer: 'yes' | 'no' | 'unknown';
  readonly witness?: Witness;
}

const DEFAULT_STEPS = 50_000;

/**
 * Returns how the records that two filters select relate or, with the option `use`, the values of two expressions. Every
 * answer but `unknown` is proved; every record in it was evaluated with the reference interpreter. See the guide,
 * "Filters that know each other".
 *
 * @throws {ExpressionSyntaxError} if a source is not an expression.
 * @throws {ExpressionCheckError} if a filter fails on every record.
 *
 * @example
 * relate('properties["n"] > 5', 'properties["n"] > 3').relation; // 'implies'
 * relate('1', '"1"', { use: 'on' }).relation; // 'equal'
 */
export function relate(left: string, right: string, options: RelateOptions = {}): Relation {
  const one = prepareExpression(relate, left, options);
  const find = relateResults(one, left === right ? one : prepareExpression(relate, right, options), options);
  const { use = 'where' } = options;
  const fields = {
    both: find(SELECTED, SELECTED),
    onlyLeft: find(SELECTED, REJECTED | FAILED),
    onlyRight: find(REJECTED | FAILED, SELECTED),
    leftFails: find(FAILED, SELECTED | REJECTED),
    rightFails: find(SELECTED | REJECTED, FAILED),
    ...(use !== 'where' && { different: find(REJECTED, REJECTED) }),
  };
  const witnesses = Object.entries(fields).flatMap(([name, { witness }]) => (witness ? [[name, witness]] : []));
  return { relation: nameRelation(fields), ...Object.fromEntries(witnesses) };
}

function nameRelation({ both, onlyLeft, onlyRight, leftFails, rightFails, different }: Occurrences): RelationName {
  const [left, right] = [(different ?? onlyLeft).occurs, (different ?? onlyRight).occurs];
  if (left === undefined || right === undefined) return 'unknown';
  if (left && right) return both.occurs === undefined ? 'unknown' : both.occurs ? 'overlap' : 'disjoint';
  if (left || right) return left ? 'implied-by' : 'implies';
  const fails = [leftFails.occurs, rightFails.occurs];
  if (fails.includes(true)) return 'implies';
  return fails.includes(undefined) ? 'unknown' : 'equal';
}

/**
 * Returns whether a filter selects every record. The witness is a record that it does not select, or on which it raises a
 * type error.
 *
 * @throws as {@link relate}.
 *
 * @example
 * isAlways('defined(properties["a"]) or not defined(properties["a"])').answer; // 'yes'
 */
export function isAlways(filter: string, options: FilterOptions = {}): Verdict {
  return toVerdict(findResults(isAlways, filter, options, REJECTED | FAILED));
}

/**
 * Returns whether a filter selects no record. The witness is a record that it selects.
 *
 * @throws as {@link relate}.
 *
 * @example
 * isNever('properties["a"] == 1 and properties["a"] == 2').answer; // 'yes'
 */
export function isNever(filter: string, options: FilterOptions = {}): Verdict {
  return toVerdict(findResults(isNever, filter, options, SELECTED));
}

/**
 * Returns a record that a filter selects. Undefined if there is none, or none was found: {@link isNever} tells which.
 *
 * @throws as {@link relate}.
 *
 * @example
 * findWitness('properties["plan"] == "pro"'); // { properties: { plan: 'pro' } }
 */
export function findWitness(filter: string, options: FilterOptions = {}): Witness | undefined {
  return findResults(findWitness, filter, options, SELECTED).witness;
}

/**
 * Returns the shortest filter found that selects the same records and raises type errors on the same ones: every part that
 * it leaves out was proved to make no difference. Never longer than the given source.
 *
 * @throws as {@link relate}.
 *
 * @example
 * simplify('properties["n"] > 5 and properties["n"] > 3'); // 'properties["n"] > 5'
 */
export function simplify(filter: string, options: FilterOptions = {}): string {
  const checked = prepareExpression(simplify, filter, options);
  const { schema, steps = DEFAULT_STEPS } = options;
  return shortenFilter(checked, schema, new Budget(steps));
}

/**
 * Returns the normal form of an expression: it selects the same records, or has the same value, and raises type errors on
 * the same ones. Expressions with the same normal form are equal; of equal ones, many have the same. The guide lists the
 * rules.
 *
 * @throws as {@link relate}.
 *
 * @example
 * canonical('"pro" == event["plan"] and true'); // 'properties["plan"] == "pro"'
 */
export function canonical(source: string, options: CanonicalOptions = {}): string {
  assertSourceAndOptions(source, options, ['limits', 'timeZone', 'use']);
  const { use = 'where', ...others } = options;
  return toNormalText(prepare(canonical, source, use, others).checked, use);
}

/** Whether something occurs on some record, if that is known, and such a record. */
interface Occurrence {
  readonly occurs: boolean | undefined;
  readonly witness?: Witness | undefined;
}

type Find = (left: Results, right: Results) => Occurrence;

type Occurrences = Readonly<Record<Exclude<keyof Relation, 'relation' | 'different'>, Occurrence>> & {
  /** Undefined for filters. */
  readonly different?: Occurrence;
};

function toVerdict({ occurs, witness }: Occurrence): Verdict {
  if (witness !== undefined) return { answer: 'no', witness };
  return { answer: occurs === undefined ? 'unknown' : 'yes' };
}

/** Returns a function that tells whether two expressions, or one as both, have some results on some record. */
function relateResults(left: Checked, right: Checked, { schema, steps = DEFAULT_STEPS, use }: RelateOptions): Find {
  const { answers, isComplete } = findJointAnswers(left, right, schema, new Budget(steps), use);
  return (ofLeft, ofRight) => {
    const such = answers.filter(({ answer }) => (answer & pairResults(ofLeft, ofRight)) !== 0);
    const witness = such.find((answer) => answer.witness !== undefined)?.witness;
    if (witness !== undefined) return { occurs: true, witness };
    return { occurs: isComplete && such.length === 0 ? false : undefined };
  };
}

/** Returns whether a filter has some results on some record. */
function findResults(callee: Callee, source: string, options: FilterOptions, results: Results): Occurrence {
  const checked = prepareExpression(callee, source, options);
  return relateResults(checked, checked, options)(results, results);
}

function prepareExpression(callee: Callee, source: string, options: RelateOptions): Checked {
  assertSource(source, 'source');
  const { steps = DEFAULT_STEPS, ...known } = options ?? {};
  assertNumber(steps, 'options.steps');
  // `steps` has no guard there, so that programs without relations do not load one.
  assertOptions(typeof options === 'object' && options !== null && !Array.isArray(options) ? known : options, [
    'limits',
    'schema',
    'timeZone',
    ...(callee === relate ? (['use'] as const) : []),
  ]);
  const { schema: _, use = 'where', ...others } = known;
  return prepare(callee, source, use, others).checked;
}
