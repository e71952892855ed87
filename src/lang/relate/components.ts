import type { Plan } from '../plan/plan.ts';
import type { Value } from '../value.ts';
import type { Budget } from './budget.ts';
import { countCombinations, listCombinations } from './combinations.ts';
import { type ConditionGroup, groupConditions, type Input, type Inputs } from './groups.ts';
import { toOutcomesKey } from './outcomes.ts';
import { sampleTogether } from './sample-together.ts';
import type { Domain, Point } from './survey.ts';

/** Conditions that share inputs with each other, and with no others. */
export interface Component {
  /** The numbers of the conditions. */
  readonly conditions: readonly number[];
  readonly inputs: Inputs;
  /** The outcomes that they can have together, with values of their inputs. */
  readonly points: readonly Point[];
  /** Whether they cannot come out in another way. */
  readonly isComplete: boolean;
}

/** More combinations of the points of groups are not told apart. */
const MAX_POINTS = 2_000;

/** Divides conditions by the inputs that they share, and finds how those of each component can come out together. */
export function findComponents(
  plans: readonly Plan[],
  getDomain: (input: Input) => Domain,
  budget: Budget,
): readonly Component[] {
  return connectGroups(groupConditions(plans)).map((groups) => surveyComponent(groups, plans, getDomain, budget));
}

/** Finds how the conditions of groups that share inputs can come out together. */
export function surveyComponent(
  groups: readonly ConditionGroup[],
  plans: readonly Plan[],
  getDomain: (input: Input) => Domain,
  budget: Budget,
): Component {
  const surveyed = groups.map((group) => ({ ...group, ...group.survey(getDomain, budget) }));
  const [only, ...others] = surveyed;
  if (only !== undefined && others.length === 0 && only.inputs.size < 2) return only;
  return joinGroups(surveyed, plans, getDomain, budget);
}

/** Puts groups together that share inputs. */
export function connectGroups(groups: readonly ConditionGroup[]): readonly (readonly ConditionGroup[])[] {
  const connected = new Set<ConditionGroup[]>();
  const byInput = new Map<string, ConditionGroup[]>();
  for (const group of groups) {
    const known = Array.from(group.inputs.keys(), (key) => byInput.get(key));
    const shared = new Set(known.filter((other) => other !== undefined));
    const [first = [], ...others] = [...shared].sort((left, right) => right.length - left.length);
    for (const other of others) connected.delete(other);
    first.push(...others.flat(), group);
    connected.add(first);
    for (const { inputs } of [...others.flat(), group]) for (const key of inputs.keys()) byInput.set(key, first);
  }
  return [...connected];
}

/** Joins groups that share inputs: some outcomes of each cannot occur together. Samples show those that do. */
function joinGroups(
  surveyed: readonly Component[],
  plans: readonly Plan[],
  getDomain: (input: Input) => Domain,
  budget: Budget,
): Component {
  const conditions = surveyed.flatMap((part) => part.conditions);
  const inputs: Inputs = new Map(surveyed.flatMap((part) => [...part.inputs]));
  const together = conditions.map((index) => plans[index] as Plan);
  const samples = new Map<string, readonly Value[]>();
  for (const part of surveyed) {
    const [key = '', ...others] = part.inputs.keys();
    if (others.length === 0)
      samples.set(
        key,
        part.points.flatMap(({ sample }) => (sample === undefined ? [] : [sample.get(key)])),
      );
  }
  const lists = surveyed.map((part) => part.points);
  const isSmall = countCombinations(lists) <= MAX_POINTS;
  const points = new Map<string, Point>();
  for (const combination of isSmall ? listCombinations(lists) : []) {
    const outcomes = combination.flatMap((point) => point.outcomes);
    points.set(toOutcomesKey(outcomes), { outcomes });
  }
  let missing = isSmall ? points.size : Number.POSITIVE_INFINITY;
  for (const point of sampleTogether(together, inputs, samples, getDomain, budget)) {
    const key = toOutcomesKey(point.outcomes);
    if (points.get(key)?.sample !== undefined) continue;
    points.set(key, point);
    if (--missing === 0) break;
  }
  const isComplete = isSmall && surveyed.every((part) => part.isComplete);
  return { conditions, inputs, points: [...points.values()], isComplete };
}
