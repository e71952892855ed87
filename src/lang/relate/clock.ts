import { COMPARISONS } from '../operators/table.ts';
import { getOperands, type Plan } from '../plan/plan.ts';
import type { Value } from '../value.ts';
import { evaluateSets } from './evaluate-sets.ts';
import { getOutcomes, type Outcomes } from './outcomes.ts';
import { toValueSet } from './value-set.ts';

/** A comparison of a part with `now` and an offset: `properties["t"] > now - 60`, or the same as dates. */
interface ClockComparison {
  /** The side without `now`. */
  readonly part: Plan;
  /** Whole seconds. */
  readonly offset: number;
}

/** Sums of `now` and a smaller offset are exact. */
const MAX_OFFSET = 2 ** 40;
/** A time at which no offset that is likely makes a date undefined. */
const USUAL_NOW = 2_000_000_000;

/** Reads a comparison of a part, which does not read `now`, with `now` and an offset. */
export function readClockComparison(plan: Plan): ClockComparison | undefined {
  if (plan.kind !== 'apply' || !Object.hasOwn(COMPARISONS, plan.row.name)) return undefined;
  const offsets = plan.operands.map(readOffset);
  const index = offsets.findIndex((offset) => offset !== undefined);
  const [offset, part] = [offsets[index], plan.operands[1 - index]];
  return offset === undefined || part === undefined || readsTime(part) ? undefined : { part, offset };
}

/** Returns the offset of `now`, `now + 60`, `now - 60`, or, at most 0, of `datetime` of these. */
function readOffset(plan: Plan): number | undefined {
  if (plan.kind === 'time') return 0;
  const [left, right] = getOperands(plan);
  if (plan.kind !== 'apply' || left === undefined) return undefined;
  if (plan.row.name === 'datetime') {
    const offset = readOffset(left);
    // A larger number than the largest `now` would be read as milliseconds.
    return offset !== undefined && offset <= 0 && left.kind !== 'constant' ? offset : undefined;
  }
  if (left.kind !== 'time' || right?.kind !== 'constant') return undefined;
  const { value } = right;
  if (typeof value !== 'number' || !Number.isInteger(value) || Math.abs(value) > MAX_OFFSET) return undefined;
  if (plan.row.name === '+') return value;
  return plan.row.name === '-' ? 0 - value : undefined;
}

function readsTime(plan: Plan): boolean {
  return plan.kind === 'time' || getOperands(plan).some(readsTime);
}

/**
 * Lists how comparisons of one part with the clock can come out. That depends on the type of its value, on its place
 * among the sums of `now` and the offsets, and on which of these are dates.
 */
export function compareWithClock(plans: readonly Plan[], values: readonly Value[]): readonly (readonly Outcomes[])[] {
  const comparisons = plans.map((plan) => readClockComparison(plan) as ClockComparison);
  const parts = new Set(comparisons.map(({ part }) => part));
  const offsets = [...new Set(comparisons.map(({ offset }) => offset))];
  const places = offsets.flatMap((offset) => [offset, offset + 0.5, offset - 0.5]);
  const times = [...offsets.flatMap((offset) => [1 - offset, -offset]), USUAL_NOW];
  return times.flatMap((now) =>
    [...values, ...places.map((place) => now + place)].map((value) =>
      plans.map((plan) => {
        const known = (inner: Plan) =>
          inner.kind === 'time' ? toValueSet(now) : parts.has(inner) ? toValueSet(value) : undefined;
        return getOutcomes(evaluateSets(plan, known));
      }),
    ),
  );
}
