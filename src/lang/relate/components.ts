import type { Plan } from '../plan/plan.ts';
import type { Value } from '../value.ts';
import type { Budget } from './budget.ts';
import { type ConditionGroup, groupConditions, type Input, type Inputs } from './groups.ts';
import { type Outcomes, toOutcomesKey } from './outcomes.ts';
import { sampleTogether } from './sample-together.ts';
import type { Assignment, Domain, Point, Surveyed } from './survey.ts';

/** Conditions that share inputs with each other, and with no others. */
export interface Component {
  /** The numbers of the conditions. */
  readonly conditions: readonly number[];
  readonly inputs: Inputs;
  /** The outcomes that they can have together, with values of their inputs. */
  readonly points: readonly Point<Assignment>[];
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
  const surveyed = groups.map((group) => ({ group, ...group.survey(getDomain, budget) }));
  const [only, ...others] = surveyed;
  if (only !== undefined && others.length === 0 && only.group.inputs.size < 2) return toComponent(only.group, only);
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

function toComponent({ conditions, inputs }: ConditionGroup, { points, isComplete }: Surveyed): Component {
  const [key] = inputs.keys();
  const assigned = points.map(({ outcomes, sample }): Point<Assignment> => {
    if (sample === undefined) return { outcomes };
    return { outcomes, sample: new Map(key === undefined ? [] : [[key, sample.value]]) };
  });
  return { conditions, inputs, points: assigned, isComplete };
}

/** Joins groups that share inputs: some outcomes of each cannot occur together. Samples show those that do. */
function joinGroups(
  surveyed: readonly (Surveyed & { readonly group: ConditionGroup })[],
  plans: readonly Plan[],
  getDomain: (input: Input) => Domain,
  budget: Budget,
): Component {
  const conditions = surveyed.flatMap(({ group }) => group.conditions);
  const inputs: Inputs = new Map(surveyed.flatMap(({ group }) => [...group.inputs]));
  const together = conditions.map((index) => plans[index] as Plan);
  const samples = new Map<string, readonly Value[]>();
  for (const { group, points } of surveyed) {
    const [key = '', ...others] = group.inputs.keys();
    if (others.length === 0)
      samples.set(
        key,
        points.flatMap(({ sample }) => (sample === undefined ? [] : [sample.value])),
      );
  }
  const isSmall = surveyed.reduce((product, { points }) => product * points.length, 1) <= MAX_POINTS;
  const possible = (isSmall ? combinePoints(surveyed) : []).map(
    (outcomes) => [toOutcomesKey(outcomes), { outcomes }] as const,
  );
  const points = new Map<string, Point<Assignment>>(possible);
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

function combinePoints(surveyed: readonly Surveyed[]): readonly (readonly Outcomes[])[] {
  return surveyed.reduce<readonly (readonly Outcomes[])[]>(
    (before, { points }) => before.flatMap((outcomes) => points.map((point) => [...outcomes, ...point.outcomes])),
    [[]],
  );
}
