import { getOperands, type LogicalChain, type OneOf, type Plan, type Predicate, type Read } from '../plan/plan.ts';
import { CONDITION, isSubset } from '../types.ts';
import type { Scalar } from '../value.ts';
import { type ColumnRead, castRead } from './column-read.ts';
import { canHoldWithout } from './missing.ts';

/** The property equals a value. */
export interface EqualKey {
  readonly kind: 'equal';
  readonly read: ColumnRead;
  readonly value: Scalar;
}

/** A fact about one property of a record, which an index can look up. */
export type LookupKey =
  | EqualKey
  /** The property is a number in a range. */
  | { readonly kind: 'range'; readonly read: ColumnRead; readonly low: number; readonly high: number }
  /** The property has a value. */
  | { readonly kind: 'present'; readonly read: ColumnRead }
  /** The property has a value that is not a boolean. */
  | { readonly kind: 'odd'; readonly read: ColumnRead };

/**
 * The keys of a filter: every record that it matches, or on which it raises a type error, has at least one of them.
 * Undefined if there are no such keys: the filter has to be evaluated for every record.
 */
export type FilterAccess = readonly LookupKey[] | undefined;

/** The access to a filter, and what a record that has one of its keys still needs. */
export interface Route {
  readonly access: FilterAccess;
  /** Keys that the record has to have. */
  readonly facts: readonly EqualKey[];
  /** Keys that the record may not have. */
  readonly exceptions: readonly EqualKey[];
  /** Parts that have to be true. */
  readonly rest: readonly Predicate[];
}

/** Estimates how many filters share a key with a record: the access with the lowest sum is chosen. */
export type Weigh = (key: LookupKey) => number;

/** Finds the route to a filter. A filter that can raise a type error is evaluated as a whole. */
export function findRoute(filter: Predicate, weigh: Weigh): Route {
  const { plan, canFail } = filter;
  if (canFail) {
    const access = joinAccesses([findTrue(filter, weigh), ...findFailures(filter)]);
    return { access, facts: [], exceptions: [], rest: [filter] };
  }
  const operands = plan.kind === 'chain' && !plan.decidedBy ? plan.operands : [filter];
  const choices = operands.map((operand) => ({ operand, access: findTrue(operand, weigh) }));
  const chosen = pickLightest(choices, weigh);
  const route = {
    access: chosen?.access,
    facts: [] as EqualKey[],
    exceptions: [] as EqualKey[],
    rest: [] as Predicate[],
  };
  for (const operand of operands) {
    const { keys, isNegated } = findDeciding(operand.plan);
    if (keys === undefined) route.rest.push(operand);
    else if (isNegated) route.exceptions.push(...keys);
    else if (operand === chosen?.operand) continue;
    else if (keys.length === 1) route.facts.push(...keys);
    else route.rest.push(operand);
  }
  return route;
}

/** Returns keys such that every record for which the predicate is true has one of them. */
function findTrue(predicate: Predicate, weigh: Weigh): FilterAccess {
  const { plan } = predicate;
  const read = castRead(plan);
  if (read !== undefined && read.missing !== true) return [{ kind: 'equal', read, value: true }];
  if (plan.kind === 'constant') return plan.value === true ? undefined : [];
  if (plan.kind === 'chain') return findTrueChain(plan, weigh);
  const { keys, isNegated } = findDeciding(plan);
  if (keys !== undefined && !isNegated) return keys;
  if (plan.kind === 'between') {
    const operand = castRead(plan.operand);
    if (operand !== undefined && typeof operand.missing !== 'number')
      return [{ kind: 'range', read: operand, low: plan.low, high: plan.high }];
  }
  return findPresent(predicate);
}

/** Keys that decide a plan: it is true exactly if a record has one of them or, negated, none. */
interface Deciding {
  readonly keys: readonly EqualKey[] | undefined;
  readonly isNegated: boolean;
}

function findDeciding(plan: Plan): Deciding {
  if (plan.kind === 'oneOf') return { keys: findOneOf(plan), isNegated: plan.negated };
  const [operand] = plan.kind === 'apply' && plan.row.name === 'not' ? plan.operands : [];
  if (operand === undefined) return { keys: undefined, isNegated: false };
  const { keys, isNegated } = findDeciding(operand);
  return { keys, isNegated: !isNegated };
}

function findTrueChain({ decidedBy, operands }: LogicalChain, weigh: Weigh): FilterAccess {
  const choices = operands.map((operand) => ({ access: findTrue(operand, weigh) }));
  return decidedBy ? joinAccesses(choices.map(({ access }) => access)) : pickLightest(choices, weigh)?.access;
}

/** Returns keys such that a record has one exactly if the value is in the list, whether or not the plan negates this. */
function findOneOf({ operand, values }: OneOf): readonly EqualKey[] | undefined {
  const read = castRead(operand);
  if (read === undefined || values.includes(read.missing as Scalar | undefined)) return undefined;
  // A cast of a property that is there can be undefined.
  const isKnown = (value: Scalar | undefined): value is Scalar => value !== undefined;
  return values.every(isKnown) ? values.map((value) => ({ kind: 'equal', read, value })) : undefined;
}

/** The access by the presence of one of the properties that a predicate reads. */
function findPresent(predicate: Predicate): FilterAccess {
  if (canHoldWithout(predicate)) return undefined;
  return listReads(predicate.plan).map((read) => ({ kind: 'present', read: castRead(read) as ColumnRead }));
}

/** Returns an access for each part of a filter that can raise a type error. */
function findFailures(predicate: Predicate): FilterAccess[] {
  if (!predicate.canFail) return [];
  const { plan } = predicate;
  const inner = listOperandsOfChains(plan).flatMap(findFailures);
  if (isSubset(plan.types, CONDITION)) return inner;
  const own: FilterAccess =
    plan.kind === 'read' ? [{ kind: 'odd', read: castRead(plan) as ColumnRead }] : findPresent(predicate);
  return [...inner, own];
}

function listOperandsOfChains(plan: Plan): readonly Predicate[] {
  return plan.kind === 'chain' ? plan.operands : getOperands(plan).flatMap(listOperandsOfChains);
}

function listReads(plan: Plan): readonly (Read & Plan)[] {
  return plan.kind === 'read' ? [plan] : getOperands(plan).flatMap(listReads);
}

function joinAccesses(accesses: readonly FilterAccess[]): FilterAccess {
  const keys: LookupKey[] = [];
  for (const access of accesses) {
    if (access === undefined) return undefined;
    keys.push(...access);
  }
  return keys;
}

function pickLightest<Choice extends { readonly access: FilterAccess }>(
  choices: readonly Choice[],
  weigh: Weigh,
): Choice | undefined {
  let [best, least]: [Choice | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
  for (const choice of choices) {
    if (choice.access === undefined) continue;
    const weight = choice.access.reduce((sum, key) => sum + weigh(key), 0);
    if (weight < least) [best, least] = [choice, weight];
  }
  return best;
}
