import type { Checked } from '../check/check.ts';
import { getPropertySchema, type Schema } from '../check/schema.ts';
import { interpret } from '../engines/interpret.ts';
import { ExpressionTypeError } from '../errors.ts';
import { toCondition } from '../operators/coercions.ts';
import { toFilterPlan } from '../plan/to-plan.ts';
import { ANY, NUMBER, toTypeSet, UNDEFINED } from '../types.ts';
import type { Value } from '../value.ts';
import type { Budget } from './budget.ts';
import { findComponents } from './components.ts';
import type { Input } from './groups.ts';
import { FAILED, REJECTED, type Results, SELECTED } from './outcomes.ts';
import { type Answers, searchAnswers } from './search.ts';
import { Conditions } from './skeleton.ts';
import type { Assignment, Domain } from './survey.ts';

/** A record, its user and a time, on which filters were evaluated. */
export interface Witness {
  readonly properties: Readonly<Record<string, Value>>;
  /** Undefined if it makes no difference. */
  readonly user?: Readonly<Record<string, Value>>;
  /** In Unix seconds. Undefined if no filter reads `now`. */
  readonly now?: number;
}

/** A combination of results of two filters, and a record that shows it. */
interface JointAnswer {
  readonly left: Results;
  readonly right: Results;
  /** Undefined if no record with these answers was found, and none was ruled out. */
  readonly witness?: Witness | undefined;
}

/** The answers that two filters give together. */
export interface JointAnswers {
  readonly answers: readonly JointAnswer[];
  /** Whether they give no others. */
  readonly isComplete: boolean;
}

/** Finds which answers two checked filters give together on all records that a schema allows. */
export function findJointAnswers(
  left: Checked,
  right: Checked,
  schema: Schema | undefined,
  budget: Budget,
): JointAnswers {
  const conditions = new Conditions();
  const ofLeft = conditions.add(toFilterPlan(left).plan);
  const ofRight = left === right ? ofLeft : conditions.add(toFilterPlan(right).plan);
  const inputs = new Map<string, Input>();
  const components = findComponents(conditions.plans, (input) => getDomain(input, schema), budget);
  for (const component of components) for (const [key, input] of component.inputs) inputs.set(key, input);
  const { answers, isComplete } = searchAnswers(ofLeft, ofRight, components, budget);
  return { answers: answers.map((answer) => replay(answer, inputs, left, right)), isComplete };
}

/** Returns the values that an input can have. */
export function getDomain(input: Input, schema: Schema | undefined): Domain {
  if (input.kind === 'time') return { types: NUMBER, isTime: true };
  const known = getPropertySchema(schema, { ...input, kind: 'property', span: { start: 0, end: 0 } });
  if (known === undefined) return { types: ANY };
  return { types: toTypeSet(known.types) | UNDEFINED, values: known.values };
}

/** Evaluates both filters on a sample as the interpreter does. It is a witness only if they answer as they should. */
function replay(
  { left, right, sample }: Answers,
  inputs: ReadonlyMap<string, Input>,
  ofLeft: Checked,
  ofRight: Checked,
): JointAnswer {
  if (sample === undefined) return { left, right };
  const witness = toWitness(sample, inputs);
  const holds = answer(ofLeft, witness) === left && answer(ofRight, witness) === right;
  return holds ? { left, right, witness } : { left, right };
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

function answer({ tree, source, timeZone }: Checked, { properties, user, now = 0 }: Witness): Results {
  try {
    const value = interpret(tree, { properties, user, now, timeZone }, source);
    return toCondition(value, 'where', tree.span, source) ? SELECTED : REJECTED;
  } catch (error) {
    if (error instanceof ExpressionTypeError) return FAILED;
    throw error;
  }
}
