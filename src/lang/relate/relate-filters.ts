import type { Checked, Use } from '../check/check.ts';
import { getPropertySchema, type Schema } from '../check/schema.ts';
import { interpret } from '../engines/interpret.ts';
import { ExpressionTypeError } from '../errors.ts';
import { toCondition } from '../operators/coercions.ts';
import { toPlan } from '../plan/to-plan.ts';
import { ANY, CONDITION, isSubset, NUMBER, toTypeSet, UNDEFINED } from '../types.ts';
import { isEqual, type Value } from '../value.ts';
import type { Budget } from './budget.ts';
import { findComponents } from './components.ts';
import { planEquality, READ } from './equality.ts';
import type { Input } from './groups.ts';
import { toNormalText } from './normal-text.ts';
import {
  type Answers,
  compareOutcomes,
  FAILED,
  IS_TRUE,
  type Outcomes,
  pairResults,
  REJECTED,
  type Results,
  SELECTED,
  toResults,
} from './outcomes.ts';
import { type Possible, searchAnswers } from './search.ts';
import { Conditions, countNodes, evaluateSkeleton } from './skeleton.ts';
import type { Assignment, Domain } from './survey.ts';

/** A record, its user and a time, on which filters were evaluated. */
export interface Witness {
  readonly properties: Readonly<Record<string, Value>>;
  /** Undefined if it makes no difference. */
  readonly user?: Readonly<Record<string, Value>>;
  /** In Unix seconds. Undefined if no filter reads `now`. */
  readonly now?: number;
}

/** A pair of results of two expressions, and a record that shows it. */
interface JointAnswer {
  /** One bit. */
  readonly answer: Answers;
  /** Undefined if no record with this answer was found, and none was ruled out. */
  readonly witness?: Witness | undefined;
}

/** The answers that two expressions give together. */
export interface JointAnswers {
  readonly answers: readonly JointAnswer[];
  /** Whether they give no others. */
  readonly isComplete: boolean;
}

/**
 * Finds which answers two checked expressions give together on all records that a schema allows. Filters select a record,
 * reject it or fail. In other uses, two values are both `SELECTED` if they are the same, else both `REJECTED`.
 */
export function findJointAnswers(
  left: Checked,
  right: Checked,
  schema: Schema | undefined,
  budget: Budget,
  use: Use = 'where',
): JointAnswers {
  const conditions = new Conditions();
  const [leftPlan, rightPlan] = [toPlan(left), toPlan(right)];
  const isSame = left === right || (use !== 'where' && toNormalText(left, use) === toNormalText(right, use));
  const ofLeft = conditions.add(leftPlan);
  const ofRight = isSame ? ofLeft : conditions.add(rightPlan);
  // As numbers, all of them count as 0.
  const areConditions = use !== 'number' && isSubset(leftPlan.types | rightPlan.types, CONDITION);
  const equality =
    use === 'where' || isSame || areConditions ? undefined : conditions.add(planEquality(leftPlan, rightPlan, use));
  const judge = (outcomes: readonly Outcomes[]) => {
    const [one, other] = [evaluateSkeleton(ofLeft, outcomes), evaluateSkeleton(ofRight, outcomes)];
    if (use === 'where') return pairResults(toResults(one), toResults(other));
    return compareOutcomes(one, other, isSame ? IS_TRUE : equality && evaluateSkeleton(equality, outcomes));
  };
  const inputs = new Map<string, Input>();
  const components = findComponents(conditions.plans, (input) => getDomain(input, schema), budget);
  for (const component of components) for (const [key, input] of component.inputs) inputs.set(key, input);
  const { answers, isComplete } = searchAnswers(judge, countNodes(ofLeft) + countNodes(ofRight), components, budget);
  return { answers: answers.map((possible) => replay(possible, inputs, left, right, use)), isComplete };
}

/** Returns the values that an input can have. */
export function getDomain(input: Input, schema: Schema | undefined): Domain {
  if (input.kind === 'time') return { types: NUMBER, isTime: true };
  const known = getPropertySchema(schema, { ...input, kind: 'property', span: { start: 0, end: 0 } });
  if (known === undefined) return { types: ANY };
  return { types: toTypeSet(known.types) | UNDEFINED, values: known.values };
}

/** Evaluates both expressions on a sample as the interpreter does. It is a witness only if they answer as they should. */
function replay(
  { answer, sample }: Possible,
  inputs: ReadonlyMap<string, Input>,
  left: Checked,
  right: Checked,
  use: Use,
): JointAnswer {
  if (sample === undefined) return { answer };
  const witness = toWitness(sample, inputs);
  const [one, other] = [left, right].map((side) => read(side, use, witness));
  const isSame = one !== undefined && other !== undefined && isEqual(one.value, other.value);
  const [ofLeft, ofRight] = [one, other].map((found) => {
    if (found === undefined) return FAILED;
    return (use === 'where' ? found.value === true : isSame) ? SELECTED : REJECTED;
  }) as [Results, Results];
  return pairResults(ofLeft, ofRight) === answer ? { answer, witness } : { answer };
}

function toWitness(sample: Assignment, inputs: ReadonlyMap<string, Input>): Witness {
  const parts: Record<'properties' | 'user', [string, Value][]> = { properties: [], user: [] };
  let now: number | undefined;
  for (const [key, value] of sample) {
    const input = inputs.get(key);
    if (input?.kind === 'read' && value !== undefined) parts[input.scope].push([input.name, value]);
    if (input?.kind === 'time') now = value as number;
  }
  return {
    properties: Object.fromEntries(parts.properties),
    ...(parts.user.length > 0 && { user: Object.fromEntries(parts.user) }),
    ...(now !== undefined && { now }),
  };
}

/** Returns what an expression counts as in its use; undefined if it fails. */
function read(
  { tree, source, timeZone }: Checked,
  use: Use,
  { properties, user, now = 0 }: Witness,
): { readonly value: Value } | undefined {
  try {
    const value = interpret(tree, { properties, user, now, timeZone }, source);
    return { value: use === 'where' ? toCondition(value, use, tree.span, source) : READ[use](value) };
  } catch (error) {
    if (error instanceof ExpressionTypeError) return undefined;
    throw error;
  }
}
