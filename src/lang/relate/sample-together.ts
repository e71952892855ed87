import { roundDownToNext, roundUpToNext } from '../adjacent-doubles.ts';
import { getPlanKey } from '../filters/plan-key.ts';
import { MAX_SECONDS } from '../operators/time.ts';
import { getOperands, type Plan } from '../plan/plan.ts';
import { getType, type Scalar, type Value } from '../value.ts';
import { type Budget, weighPlans } from './budget.ts';
import { countCombinations, listCombinations } from './combinations.ts';
import { collectConstants } from './constants.ts';
import { evaluateSets } from './evaluate-sets.ts';
import { type Input, type Inputs, isInput } from './groups.ts';
import { getOutcomes } from './outcomes.ts';
import { spellTime } from './spellings.ts';
import type { Assignment, Domain, Point } from './survey.ts';
import { getSingle, toValueSet } from './value-set.ts';

/** As many combinations of values are tried first. */
const MAX_TUPLES = 120;
/** As many are tried in all. */
const MAX_TRIES = 300;
/** As many values of an input are tried. */
const MAX_VALUES = 40;

/** Evaluates conditions that share inputs on values that are likely to tell them apart. */
export function* sampleTogether(
  plans: readonly Plan[],
  inputs: Inputs,
  known: ReadonlyMap<string, readonly Value[]>,
  getDomain: (input: Input) => Domain,
  budget: Budget,
): Generator<Point> {
  const constants = collectConstants(plans);
  const usual = [
    1_750_000_000,
    'a',
    1,
    undefined,
    null,
    true,
    false,
    0,
    2,
    -1,
    '',
    'b',
    '1',
    '2025-06-15T12:00:00Z',
    [],
  ];
  const near = [...constants.numbers].flatMap((number) => [number, roundUpToNext(number), roundDownToNext(number)]);
  const candidates = [...inputs].map(([key, input]) => {
    const domain = getDomain(input);
    const values = [...(known.get(key) ?? []), ...(domain.values ?? []), ...usual, ...near, ...constants.strings];
    return [...new Set(values)].filter((value) => isAllowed(value, domain)).slice(0, MAX_VALUES);
  });
  const keys = [...inputs.keys()];
  const domains = Array.from(inputs.values(), getDomain);
  const keyOf = new Map(plans.flatMap(listReads).map((plan) => [plan, getPlanKey(plan)]));
  const evaluate = (plan: Plan, sample: Assignment) =>
    evaluateSets(plan, (part) => {
      const key = keyOf.get(part);
      return key === undefined ? undefined : toValueSet(sample.get(key));
    });
  const toSample = (values: readonly Value[]): Assignment => new Map(keys.map((key, index) => [key, values[index]]));
  const weight = weighPlans(plans);
  const tried = new Set<string>();
  function* tryValues(values: readonly Value[]): Generator<Point> {
    if (budget.isSpent) return;
    const id = JSON.stringify(values.map((value) => value ?? String(value)));
    if (tried.has(id) || !budget.spend(weight)) return;
    tried.add(id);
    const sample = toSample(values);
    yield { outcomes: plans.map((plan) => getOutcomes(evaluate(plan, sample))), sample };
  }
  const tuples = pickTuples(candidates);
  for (const values of tuples) yield* tryValues(values);
  // Makes an input equal or close to what a part of the conditions has.
  const parts = plans.flatMap(listOperands);
  for (const values of tuples) {
    const sample = toSample(values);
    for (const part of parts) {
      if (tried.size > MAX_TRIES || !budget.spend(1)) return;
      for (const value of listNear(getSingle(evaluate(part, sample))?.value)) {
        for (const [changed, domain] of domains.entries())
          if (isAllowed(value, domain)) yield* tryValues(values.with(changed, value));
      }
    }
  }
}

function isAllowed(value: Value, { types, values, isTime }: Domain): boolean {
  if ((getType(value) & types) === 0) return false;
  if (isTime) return typeof value === 'number' && Number.isInteger(value) && value <= MAX_SECONDS;
  if (values === undefined || value === null || value === undefined) return true;
  const scalars = Array.isArray(value) ? value : [value as Scalar];
  return scalars.every((scalar) => values.includes(scalar));
}

/** Picks one value of each list, in all ways if they are few. */
function pickTuples(lists: readonly (readonly Value[])[]): readonly (readonly Value[])[] {
  if (countCombinations(lists) <= MAX_TUPLES) return listCombinations(lists);
  // Values at the same place are often equal.
  const longest = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: MAX_TUPLES }, (_, index) => {
    let state = index;
    return lists.map((list) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return list[(index < longest ? index : state >>> 8) % list.length];
    });
  });
}

function listReads(plan: Plan): readonly Plan[] {
  return isInput(plan) ? [plan] : getOperands(plan).flatMap(listReads);
}

/** Lists the operands of what has several. */
function listOperands(plan: Plan): readonly Plan[] {
  const operands = getOperands(plan);
  const own = plan.kind === 'apply' && operands.length > 1 ? operands : [];
  return [...own, ...operands.flatMap(listOperands)];
}

function listNear(value: Value): readonly Value[] {
  if (typeof value === 'string') return [value, `${value}a`];
  if (typeof value !== 'number') return [];
  const numbers = [value, value + 1, value - 1, roundUpToNext(value), roundDownToNext(value)].filter(Number.isFinite);
  const isTime = Number.isInteger(value) && Math.abs(value) < MAX_SECONDS;
  const [date] = isTime ? spellTime(value) : [];
  return date === undefined ? numbers : [...numbers, date];
}
