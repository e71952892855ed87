import type { Value } from '../value.ts';
import type { Budget } from './budget.ts';
import type { Component } from './components.ts';
import { type Outcomes, type Results, toResults } from './outcomes.ts';
import { countNodes, evaluateSkeleton, type Skeleton } from './skeleton.ts';

/** A possible combination of results of two filters, each with one bit. */
export interface Answers {
  readonly left: Results;
  readonly right: Results;
  /** Values of inputs with these answers. Undefined if none are known. */
  readonly sample: ReadonlyMap<string, Value> | undefined;
}

/** The answers that two filters can give together. */
export interface Found {
  readonly answers: readonly Answers[];
  /** Whether they can give no others. */
  readonly isComplete: boolean;
}

/** Finds which answers two filters can give together, from how each component of their conditions can come out. */
export function searchAnswers(
  left: Skeleton,
  right: Skeleton,
  components: readonly Component[],
  budget: Budget,
): Found {
  const stages = components.map(toStage);
  const search = new Search(left, right, stages, budget);
  const outcomes: Outcomes[] = [];
  for (const stage of stages) assign(outcomes, stage, stage.union);
  search.visit(0, outcomes, new Map());
  const isComplete = search.isComplete && components.every((component) => component.isComplete);
  return { answers: [...search.answers.values()], isComplete };
}

/** A component as the search goes through it: points with samples first. */
interface Stage extends Component {
  /** All outcomes of each condition. */
  readonly union: readonly Outcomes[];
}

function toStage(component: Component): Stage {
  const { conditions, points } = component;
  const union = conditions.map((_, position) =>
    points.reduce((all, { outcomes }) => all | (outcomes[position] ?? 0), 0),
  );
  const [witnessed, others] = [true, false].map((has) => points.filter(({ sample }) => (sample !== undefined) === has));
  return { ...component, points: [...(witnessed ?? []), ...(others ?? [])], union };
}

function assign(outcomes: Outcomes[], { conditions }: Component, values: readonly Outcomes[]): void {
  for (const [position, condition] of conditions.entries()) outcomes[condition] = values[position] ?? 0;
}

class Search {
  readonly answers = new Map<number, Answers>();
  isComplete = true;
  private readonly weight: number;

  constructor(
    private readonly left: Skeleton,
    private readonly right: Skeleton,
    private readonly stages: readonly Stage[],
    private readonly budget: Budget,
  ) {
    this.weight = countNodes(left) + countNodes(right);
  }

  /** Tries the points of a component, and of those after it. `sample` is undefined if a point before has none. */
  visit(index: number, outcomes: Outcomes[], sample: Map<string, Value> | undefined): void {
    if (!this.budget.spend(this.weight)) this.isComplete = false;
    if (!this.isComplete) return;
    const left = toResults(evaluateSkeleton(this.left, outcomes));
    const right = toResults(evaluateSkeleton(this.right, outcomes));
    if (!this.isNew(left, right, sample !== undefined)) return;
    const stage = this.stages[index];
    if (stage === undefined) {
      const key = left * 8 + right;
      this.answers.set(key, { left, right, sample: sample && new Map(sample) });
      return;
    }
    for (const { outcomes: own, sample: values } of stage.points) {
      assign(outcomes, stage, own);
      for (const [key, value] of values ?? []) sample?.set(key, value);
      this.visit(index + 1, outcomes, values === undefined ? undefined : sample);
    }
    assign(outcomes, stage, stage.union);
  }

  /** Returns whether some of these answers are not known yet, or only without a sample. */
  private isNew(left: Results, right: Results, isWitnessed: boolean): boolean {
    for (const one of [1, 2, 4]) {
      for (const other of [1, 2, 4]) {
        const known = this.answers.get(one * 8 + other);
        const isKnown = known !== undefined && (!isWitnessed || known.sample !== undefined);
        if ((left & one) !== 0 && (right & other) !== 0 && !isKnown) return true;
      }
    }
    return false;
  }
}
