import type { Value } from '../value.ts';
import type { Budget } from './budget.ts';
import type { Component } from './components.ts';
import type { Answers, Outcomes } from './outcomes.ts';
import type { Point } from './survey.ts';

/** A pair of results that two expressions can have together. */
export interface Possible {
  /** One bit. */
  readonly answer: Answers;
  /** Values of inputs with this answer. Undefined if none are known. */
  readonly sample: ReadonlyMap<string, Value> | undefined;
}

/** The answers that two expressions can give together. */
export interface Found {
  readonly answers: readonly Possible[];
  /** Whether they can give no others. */
  readonly isComplete: boolean;
}

/** Returns the answers that two expressions give together for sets of outcomes of their conditions. */
export type Judge = (outcomes: readonly Outcomes[]) => Answers;

/**
 * Finds which answers two expressions can give together, from how each component of their conditions can come out.
 * `weight` is the number of steps that `judge` takes.
 */
export function searchAnswers(judge: Judge, weight: number, components: readonly Component[], budget: Budget): Found {
  const stages = components.map(toStage);
  const answers = new Map<Answers, Possible>();
  const outcomes: Outcomes[] = [];
  for (const stage of stages) assign(outcomes, stage, stage.union);
  const isNew = (judged: Answers, isWitnessed: boolean) => {
    for (let rest = judged; rest !== 0; rest &= rest - 1) {
      const known = answers.get(rest & -rest);
      if (known === undefined || (isWitnessed && known.sample === undefined)) return true;
    }
    return false;
  };
  /** Tries the points of a stage, and of those after it. `sample` is undefined if a point before has none. */
  const visit = (index: number, sample: Map<string, Value> | undefined) => {
    if (!budget.spend(weight)) return;
    const answer = judge(outcomes);
    if (!isNew(answer, sample !== undefined)) return;
    const stage = stages[index];
    if (stage === undefined) {
      answers.set(answer, { answer, sample: sample && new Map(sample) });
      return;
    }
    for (const { outcomes: own, sample: values } of stage.points) {
      assign(outcomes, stage, own);
      for (const [key, value] of values ?? []) sample?.set(key, value);
      visit(index + 1, values === undefined ? undefined : sample);
    }
    assign(outcomes, stage, stage.union);
  };
  visit(0, new Map());
  const isComplete = !budget.isSpent && components.every((component) => component.isComplete);
  return { answers: [...answers.values()], isComplete };
}

/** A component with all outcomes of each condition, and points with samples first. */
interface Stage extends Component {
  readonly union: readonly Outcomes[];
}

function toStage(component: Component): Stage {
  const { conditions, points } = component;
  const union = conditions.map((_, position) =>
    points.reduce((all, { outcomes }) => all | (outcomes[position] ?? 0), 0),
  );
  const hasSample = ({ sample }: Point) => Number(sample !== undefined);
  return { ...component, points: points.toSorted((one, other) => hasSample(other) - hasSample(one)), union };
}

function assign(outcomes: Outcomes[], { conditions }: Component, values: readonly Outcomes[]): void {
  for (const [position, condition] of conditions.entries()) outcomes[condition] = values[position] ?? 0;
}
