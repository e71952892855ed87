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
import { FAILED, REJECTED, type Results, SELECTED } from '../lang/relate/outcomes.ts';
import { findJointAnswers, type JointAnswers, type Witness } from '../lang/relate/relate-filters.ts';
import { shortenFilter, toNormalText } from '../lang/relate/shorten.ts';
import { assertSource, type ParseLimits, type ParseOptions } from '../lang/syntax/parse.ts';
import { assertOptions, assertSourceAndOptions } from './arguments.ts';
import { prepare } from './expressions.ts';
import type { TimeZoneOptions } from './query-options.ts';

export type { Witness };
export { findRelations };

export interface RelateOptions extends TimeZoneOptions {
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

export interface CanonicalOptions extends ParseOptions, TimeZoneOptions {
  /** The use of the expression. Default `"where"`: a filter, where undefined counts as false. */
  readonly use?: Use;
}

/**
 * How the records that two filters select relate. The first of these that holds:
 *
 * - `equal`: they select the same records, and raise type errors on the same ones.
 * - `implies`: the right one selects all records that the left one does.
 * - `implied-by`: the left one selects all records that the right one does.
 * - `disjoint`: no record is selected by both.
 * - `overlap`: none of these.
 * - `unknown`: that could not be decided.
 */
export type RelationName = 'equal' | 'implies' | 'implied-by' | 'disjoint' | 'overlap' | 'unknown';

/** The relation of two filters, with a record for each way in which they differ. */
export interface Relation {
  readonly relation: RelationName;
  /** A record that both select. */
  readonly both?: Witness;
  /** A record that only the left filter selects. */
  readonly onlyLeft?: Witness;
  /** A record that only the right filter selects. */
  readonly onlyRight?: Witness;
  /** A record on which only the left filter raises a type error. */
  readonly leftFails?: Witness;
  /** A record on which only the right filter raises a type error. */
  readonly rightFails?: Witness;
}

/** The answer to a question about all records. `witness` is a record for which it is not so. */
export interface Verdict {
  readonly answer: 'yes' | 'no' | 'unknown';
  readonly witness?: Witness;
}

const DEFAULT_STEPS = 50_000;

/**
 * Returns how the records that two filters select relate. Every answer but `unknown` is proved; every record in it was
 * evaluated with the reference interpreter. See the guide, "Relations of filters".
 *
 * @throws {ExpressionSyntaxError} if a source is not an expression.
 * @throws {ExpressionCheckError} if a filter fails on every record.
 *
 * @example
 * relate('properties["n"] > 5', 'properties["n"] > 3').relation; // 'implies'
 */
export function relate(left: string, right: string, options: RelateOptions = {}): Relation {
  const one = prepareFilter(relate, left, options);
  const found = new Answered(one, left === right ? one : prepareFilter(relate, right, options), options);
  const onlyLeft = found.find(SELECTED, REJECTED | FAILED);
  const onlyRight = found.find(REJECTED | FAILED, SELECTED);
  const both = found.find(SELECTED, SELECTED);
  const leftFails = found.find(FAILED, SELECTED | REJECTED);
  const rightFails = found.find(SELECTED | REJECTED, FAILED);
  return {
    relation: nameRelation(onlyLeft.occurs, onlyRight.occurs, both.occurs, [leftFails.occurs, rightFails.occurs]),
    ...(both.witness && { both: both.witness }),
    ...(onlyLeft.witness && { onlyLeft: onlyLeft.witness }),
    ...(onlyRight.witness && { onlyRight: onlyRight.witness }),
    ...(leftFails.witness && { leftFails: leftFails.witness }),
    ...(rightFails.witness && { rightFails: rightFails.witness }),
  };
}

function nameRelation(
  onlyLeft: boolean | undefined,
  onlyRight: boolean | undefined,
  both: boolean | undefined,
  fails: readonly (boolean | undefined)[],
): RelationName {
  if (onlyLeft === undefined || onlyRight === undefined) return 'unknown';
  if (onlyLeft && onlyRight) return both === undefined ? 'unknown' : both ? 'overlap' : 'disjoint';
  if (onlyLeft || onlyRight) return onlyLeft ? 'implied-by' : 'implies';
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
export function isAlways(filter: string, options: RelateOptions = {}): Verdict {
  return toVerdict(answerOne(isAlways, filter, options).find(REJECTED | FAILED, REJECTED | FAILED));
}

/**
 * Returns whether a filter selects no record. The witness is a record that it selects.
 *
 * @throws as {@link relate}.
 *
 * @example
 * isNever('properties["a"] == 1 and properties["a"] == 2').answer; // 'yes'
 */
export function isNever(filter: string, options: RelateOptions = {}): Verdict {
  return toVerdict(answerOne(isNever, filter, options).find(SELECTED, SELECTED));
}

/**
 * Returns a record that a filter selects. Undefined if there is none, or none was found: {@link isNever} tells which.
 *
 * @throws as {@link relate}.
 *
 * @example
 * findWitness('properties["plan"] == "pro"'); // { properties: { plan: 'pro' } }
 */
export function findWitness(filter: string, options: RelateOptions = {}): Witness | undefined {
  return answerOne(findWitness, filter, options).find(SELECTED, SELECTED).witness;
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
export function simplify(filter: string, options: RelateOptions = {}): string {
  const checked = prepareFilter(simplify, filter, options);
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

function toVerdict({ occurs, witness }: Occurrence): Verdict {
  if (witness !== undefined) return { answer: 'no', witness };
  return { answer: occurs === undefined ? 'unknown' : 'yes' };
}

/** The answers of two filters, or of one as both. */
class Answered {
  private readonly found: JointAnswers;

  constructor(left: Checked, right: Checked, { schema, steps = DEFAULT_STEPS }: RelateOptions) {
    this.found = findJointAnswers(left, right, schema, new Budget(steps));
  }

  /** Returns whether the filters answer so on some record. */
  find(left: Results, right: Results): Occurrence {
    const { answers, isComplete } = this.found;
    const such = answers.filter((answer) => (answer.left & left) !== 0 && (answer.right & right) !== 0);
    const witness = such.find((answer) => answer.witness !== undefined)?.witness;
    if (witness !== undefined) return { occurs: true, witness };
    return { occurs: isComplete && such.length === 0 ? false : undefined };
  }
}

function answerOne(callee: Callee, source: string, options: RelateOptions): Answered {
  const checked = prepareFilter(callee, source, options);
  return new Answered(checked, checked, options);
}

function prepareFilter(callee: Callee, source: string, options: RelateOptions): Checked {
  assertSource(source, 'source');
  const { steps = DEFAULT_STEPS, ...known } = options ?? {};
  assertNumber(steps, 'options.steps');
  // `steps` has no guard there, so that programs without relations do not load one.
  assertOptions(typeof options === 'object' && options !== null && !Array.isArray(options) ? known : options, [
    'limits',
    'schema',
    'timeZone',
  ]);
  const { schema: _, ...others } = known;
  return prepare(callee, source, 'where', others).checked;
}
