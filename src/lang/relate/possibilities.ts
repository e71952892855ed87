import type { Plan } from '../plan/plan.ts';
import type { Budget } from './budget.ts';
import { type Component, connectGroups, surveyComponent } from './components.ts';
import { type ConditionGroup, groupConditions, type Input, type Inputs } from './groups.ts';
import { type Outcomes, toOutcomesKey } from './outcomes.ts';
import { sampleTogether } from './sample-together.ts';
import { countNodes, evaluateSkeleton, listConditions, type Skeleton } from './skeleton.ts';
import type { Domain } from './survey.ts';

/** A combination of conditions that must have one of some outcomes. */
export interface Requirement {
  readonly skeleton: Skeleton;
  readonly outcomes: Outcomes;
}

/** Outcomes that conditions with shared inputs have together: some that occur, or all. */
interface Stage {
  readonly conditions: readonly number[];
  readonly points: readonly (readonly Outcomes[])[];
  /** All outcomes of each condition. */
  readonly union: readonly Outcomes[];
}

/** As many records are tried for conditions that share inputs. */
const MAX_SAMPLES = 60;

/** Answers which outcomes of combined conditions can occur together. */
export class Possibilities {
  /** The part of each condition. */
  private readonly partOf: readonly Part[];

  constructor(
    plans: readonly Plan[],
    getDomain: (input: Input) => Domain,
    private readonly budget: Budget,
  ) {
    const partOf: Part[] = [];
    for (const groups of connectGroups(groupConditions(plans))) {
      const part = new Part(groups, plans, getDomain, budget);
      for (const condition of part.conditions) partOf[condition] = part;
    }
    this.partOf = partOf;
  }

  /** Whether the budget is spent. From then on, everything counts as possible. */
  get isSpent(): boolean {
    return this.budget.isSpent;
  }

  /** Returns the requirements that share inputs with the first one, or with one of these, and so on; first that one. */
  connect<Some extends Requirement>([first, ...others]: readonly [Some, ...Some[]]): [Some, ...Some[]] {
    const found: [Some, ...Some[]] = [first];
    const reached = new Set(this.listParts(first));
    let rest: readonly Some[] = others;
    for (let before = 0; before !== found.length; ) {
      before = found.length;
      this.budget.spend(rest.length);
      rest = rest.filter((requirement) => {
        const parts = this.listParts(requirement);
        if (!parts.some((part) => reached.has(part))) return true;
        for (const part of parts) reached.add(part);
        found.push(requirement);
        return false;
      });
    }
    return found;
  }

  /** Returns whether some record may meet all requirements. False is proved. */
  isPossible(requirements: readonly Requirement[]): boolean {
    const parts = [...new Set(requirements.flatMap((requirement) => this.listParts(requirement)))];
    // Records that occur mostly decide, and take few steps.
    if (
      this.search(
        requirements,
        parts.map((part) => part.sampled),
      )
    )
      return true;
    const surveyed = parts.map((part) => part.surveyed);
    return !surveyed.every((stage) => stage !== undefined) || this.search(requirements, surveyed);
  }

  /** Returns whether the outcomes of some stages meet all requirements, or whether that takes too many steps. */
  private search(requirements: readonly Requirement[], stages: readonly Stage[]): boolean {
    const outcomes: Outcomes[] = [];
    const assign = ({ conditions }: Stage, values: readonly Outcomes[]) => {
      for (const [position, condition] of conditions.entries()) outcomes[condition] = values[position] ?? 0;
    };
    for (const stage of stages) assign(stage, stage.union);
    const weighed = requirements.map((requirement) => ({ ...requirement, weight: countNodes(requirement.skeleton) }));
    const mayHold = () =>
      weighed.every(({ skeleton, outcomes: wanted, weight }) => {
        return !this.budget.spend(weight) || (evaluateSkeleton(skeleton, outcomes) & wanted) !== 0;
      });
    const visit = (index: number): boolean => {
      if (!mayHold()) return false;
      const stage = stages[index];
      if (stage === undefined || this.budget.isSpent) return true;
      for (const point of stage.points) {
        assign(stage, point);
        if (visit(index + 1)) return true;
      }
      assign(stage, stage.union);
      return false;
    };
    return visit(0);
  }

  private listParts({ skeleton }: Requirement): readonly Part[] {
    return listConditions(skeleton).map((condition) => this.partOf[condition] as Part);
  }
}

/** Conditions that share inputs with each other, and with no others. */
class Part {
  readonly conditions: readonly number[];
  private readonly inputs: Inputs;
  private knownSampled: Stage | undefined;
  private knownSurveyed: Stage | undefined;

  constructor(
    private readonly groups: readonly ConditionGroup[],
    private readonly plans: readonly Plan[],
    private readonly getDomain: (input: Input) => Domain,
    private readonly budget: Budget,
  ) {
    this.conditions = groups.flatMap((group) => group.conditions);
    this.inputs = new Map(groups.flatMap((group) => [...group.inputs]));
  }

  /** Outcomes that occur on some record. */
  get sampled(): Stage {
    this.knownSampled ??= toStage(this.conditions, this.sample());
    return this.knownSampled;
  }

  /** All outcomes that can occur; undefined if they are not known. */
  get surveyed(): Stage | undefined {
    if (this.knownSurveyed !== undefined || this.budget.isSpent) return this.knownSurveyed;
    const { conditions, points, isComplete }: Component = surveyComponent(
      this.groups,
      this.plans,
      this.getDomain,
      this.budget,
    );
    if (isComplete)
      this.knownSurveyed = toStage(
        conditions,
        points.map(({ outcomes }) => outcomes),
      );
    return this.knownSurveyed;
  }

  private sample(): readonly (readonly Outcomes[])[] {
    const own = this.conditions.map((condition) => this.plans[condition] as Plan);
    const found = new Map<string, readonly Outcomes[]>();
    let left = MAX_SAMPLES;
    for (const { outcomes } of sampleTogether(own, this.inputs, new Map(), this.getDomain, this.budget)) {
      found.set(toOutcomesKey(outcomes), outcomes);
      if (--left === 0) break;
    }
    return [...found.values()];
  }
}

function toStage(conditions: readonly number[], points: Stage['points']): Stage {
  const union = conditions.map((_, position) => points.reduce((all, point) => all | (point[position] ?? 0), 0));
  return { conditions, points, union };
}
