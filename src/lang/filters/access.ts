import { getOperands, type LogicalChain, type OneOf, type Plan, type Predicate, type Read } from '../plan/plan.ts';
import { CONDITION, isSubset } from '../types.ts';
import type { Scalar } from '../value.ts';
import { type ColumnRead, castRead } from './column-read.ts';
import { canHoldWithout } from './missing.ts';

/** A fact about one property of a record, which an index can look up. */
export type LookupKey =
  /** The property equals a value. */
  | { readonly kind: 'equal'; readonly read: ColumnRead; readonly value: Scalar }
  /** The property is a number in a range. */
  | { readonly kind: 'range'; readonly read: ColumnRead; readonly low: number; readonly high: number }
  /** The property has a value. */
  | { readonly kind: 'present'; readonly read: ColumnRead }
  /** The property has a value that is no boolean. */
  | { readonly kind: 'odd'; readonly read: ColumnRead };

/**
 * The keys of which a record has at least one if a filter matches it, or raises a type error. Undefined if there are no
 * such keys: the filter has to be evaluated for every record.
 */
export type FilterAccess = readonly LookupKey[] | undefined;

/** The access to a filter, and the parts that are still to be evaluated for a record that has one of the keys. */
export interface Route {
  readonly access: FilterAccess;
  readonly rest: readonly Predicate[];
}

/** Estimates how many filters share a key with a record: the access with the lowest sum is chosen. */
export type Weigh = (key: LookupKey) => number;

/** Finds the route to a filter. A filter that can raise a type error is evaluated as a whole. */
export function findRoute(filter: Predicate, weigh: Weigh): Route {
  const { plan, canFail } = filter;
  if (canFail) return { access: joinAccesses([findTrue(filter, weigh), ...findFailures(filter)]), rest: [filter] };
  if (plan.kind !== 'chain' || plan.decidedBy) {
    const access = findTrue(filter, weigh);
    return { access, rest: isDecided(plan, access) ? [] : [filter] };
  }
  const choices = plan.operands.map((operand) => ({ operand, access: findTrue(operand, weigh) }));
  const chosen = pickLightest(choices, weigh);
  const rest = plan.operands.filter((operand) => {
    return operand !== chosen?.operand || !isDecided(operand.plan, chosen.access);
  });
  return { access: chosen?.access, rest };
}

/** Returns whether a plan is true exactly for the records that have one of its keys. */
function isDecided(plan: Plan, access: FilterAccess): boolean {
  return plan.kind === 'oneOf' && access !== undefined && access.every(({ kind }) => kind === 'equal');
}

/** Returns the keys of which a record has one if a predicate is true for it. */
function findTrue(predicate: Predicate, weigh: Weigh): FilterAccess {
  const { plan } = predicate;
  const read = castRead(plan);
  if (read !== undefined && read.missing !== true) return [{ kind: 'equal', read, value: true }];
  if (plan.kind === 'constant') return plan.value === true ? undefined : [];
  if (plan.kind === 'chain') return findTrueChain(plan, weigh);
  if (plan.kind === 'oneOf' && !plan.negated) return findOneOf(plan) ?? findPresent(predicate);
  if (plan.kind === 'between') {
    const operand = castRead(plan.operand);
    if (operand !== undefined && typeof operand.missing !== 'number')
      return [{ kind: 'range', read: operand, low: plan.low, high: plan.high }];
  }
  return findPresent(predicate);
}

function findTrueChain({ decidedBy, operands }: LogicalChain, weigh: Weigh): FilterAccess {
  const choices = operands.map((operand) => ({ access: findTrue(operand, weigh) }));
  return decidedBy ? joinAccesses(choices.map(({ access }) => access)) : pickLightest(choices, weigh)?.access;
}

function findOneOf({ operand, values }: OneOf): FilterAccess {
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
