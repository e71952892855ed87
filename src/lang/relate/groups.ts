import { getPlanKey } from '../filters/plan-key.ts';
import { applyOperator } from '../operators/overloads.ts';
import { COMPARISONS } from '../operators/table.ts';
import { type Apply, getOperands, type Plan } from '../plan/plan.ts';
import { UNDEFINED } from '../types.ts';
import { getType, type Value } from '../value.ts';
import type { Budget } from './budget.ts';
import { compareWithClock, readClockComparison } from './clock.ts';
import { getOutcomes, IS_ERROR, type Outcomes, toOutcomesKey } from './outcomes.ts';
import { type Domain, type Surveyed, surveyInput } from './survey.ts';
import { FAILS, toValueSet } from './value-set.ts';

/** A property or `now`. */
export type Input = Plan & { readonly kind: 'read' | 'time' };

/** Returns whether a plan is a property or `now`. */
export function isInput(plan: Plan): plan is Input {
  return plan.kind === 'read' || plan.kind === 'time';
}

/** Inputs by the keys of their plans. */
export type Inputs = ReadonlyMap<string, Input>;

/** Conditions that depend on the same value: an input, a part that reads several, or how two parts compare. */
export interface ConditionGroup {
  /** The numbers of the conditions. */
  readonly conditions: readonly number[];
  readonly inputs: Inputs;
  /** Finds what the conditions can come out as. */
  readonly survey: (getDomain: (input: Input) => Domain, budget: Budget) => Surveyed;
}

/** A condition with its number and the part of it that all its inputs are in. */
interface Member {
  readonly index: number;
  readonly plan: Plan;
  readonly part: Plan;
}

/** Groups conditions by what they depend on. */
export function groupConditions(plans: readonly Plan[]): readonly ConditionGroup[] {
  const members = new Map<string, { readonly inputs: Inputs; readonly all: Member[] }>();
  for (const [index, plan] of plans.entries()) {
    const inputs = findInputs(plan);
    const part = findPart(plan);
    const key = (plan === part ? getComparedKey(plan) : undefined) ?? getPlanKey(part);
    const known = members.get(key);
    if (known === undefined) members.set(key, { inputs, all: [{ index, plan, part }] });
    else known.all.push({ index, plan, part });
  }
  return Array.from(members.values(), ({ inputs, all }) => ({
    conditions: all.map(({ index }) => index),
    inputs,
    survey: (getDomain, budget) => surveyMembers(all, inputs, getDomain, budget),
  }));
}

/** Returns the inputs that a plan reads. */
function findInputs(plan: Plan, found = new Map<string, Input>()): Inputs {
  if (isInput(plan)) found.set(getPlanKey(plan), plan);
  for (const operand of getOperands(plan)) findInputs(operand, found);
  return found;
}

/** Returns the smallest part that has all inputs of a plan: an input, or a part with several operands that read some. */
function findPart(plan: Plan): Plan {
  const [only, ...others] = getOperands(plan).filter((operand) => findInputs(operand).size > 0);
  return only === undefined || others.length > 0 ? plan : findPart(only);
}

/** Returns the key of a comparison of two parts, the same for both orders of them, and for all offsets of `now`. */
function getComparedKey(plan: Plan): string | undefined {
  if (plan.kind !== 'apply' || !Object.hasOwn(COMPARISONS, plan.row.name)) return undefined;
  const clock = readClockComparison(plan);
  if (clock !== undefined) return `clock ${getPlanKey(clock.part)}`;
  return `compare ${plan.operands.map(getPlanKey).sort().join()}`;
}

function surveyMembers(
  members: readonly Member[],
  inputs: Inputs,
  getDomain: (input: Input) => Domain,
  budget: Budget,
): Surveyed {
  const plans = members.map(({ plan }) => plan);
  const [[key, input] = [], ...others] = inputs;
  if (input === undefined) return surveyInput(plans, () => false, { types: UNDEFINED }, budget);
  if (others.length === 0) return surveyInput(plans, isInput, getDomain(input), budget, key);
  const [{ part, plan } = { part: input, plan: input }] = members;
  const clock = readClockComparison(plan);
  if (clock !== undefined) return toSurveyed(compareWithClock(plans, VALUES), plans);
  if (plan === part && getComparedKey(plan) !== undefined) return toSurveyed(compareParts(plans), plans);
  const parts = new Set(members.map(({ part }) => part));
  const types = part.types | (canFail(part) ? FAILS : 0);
  return surveyInput(plans, (plan) => parts.has(plan), { types, isPart: true }, budget);
}

function canFail(plan: Plan): boolean {
  if (plan.kind === 'chain' && plan.operands.some((operand) => operand.canFail)) return true;
  return getOperands(plan).some(canFail);
}

/** Values that differ in each way that comparisons notice: the type, and the order within a type. */
const VALUES: readonly Value[] = [0, 1, 'a', 'b', true, false, null, undefined, [], [0]];

/** Lists how comparisons of two parts can come out: that depends only on the types and the order of their values. */
function compareParts(plans: readonly Plan[]): readonly (readonly Outcomes[])[] {
  const [left, right] = getOperands(plans[0] as Plan) as [Plan, Plan];
  const key = getPlanKey(left);
  const pairs = VALUES.flatMap((one) => VALUES.map((other) => [one, other] as const)).filter(
    ([one, other]) => (getType(one) & left.types) !== 0 && (getType(other) & right.types) !== 0,
  );
  const compared = (plans as readonly Apply[]).map(({ row, operands: [first = left] }) => {
    return { row, isSwapped: getPlanKey(first) !== key };
  });
  return pairs.map(([one, other]) =>
    compared.map(({ row, isSwapped }) =>
      getOutcomes(toValueSet(applyOperator(row, isSwapped ? [other, one] : [one, other]))),
    ),
  );
}

function toSurveyed(listed: readonly (readonly Outcomes[])[], plans: readonly Plan[]): Surveyed {
  const failing = plans.some(canFail) ? [plans.map(() => IS_ERROR)] : [];
  const distinct = new Map([...listed, ...failing].map((outcomes) => [toOutcomesKey(outcomes), outcomes]));
  return { points: Array.from(distinct.values(), (outcomes) => ({ outcomes })), isComplete: true };
}
