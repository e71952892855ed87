import { BOOLEAN, UNDEFINED } from '../types.ts';
import { FAILS, HAS_FALSE, HAS_TRUE, type ValueSet } from './value-set.ts';

/** A set of the possible outcomes of a condition, one bit each. */
export type Outcomes = number;

export const IS_TRUE: Outcomes = 1;
export const IS_FALSE: Outcomes = 2;
const IS_UNDEFINED: Outcomes = 4;
/** A value that `and`, `or` and a filter refuse. */
const IS_OTHER: Outcomes = 8;
/** A type error inside. */
export const IS_ERROR: Outcomes = 16;

/** Outcomes with which an operand of `and` or `or`, or a filter, raises a type error. */
export const ERRORS: Outcomes = IS_OTHER | IS_ERROR;
/** Outcomes that count as false. */
export const IS_NOT_TRUE: Outcomes = IS_FALSE | IS_UNDEFINED;

/** Returns the outcomes of the values in a set. */
export function getOutcomes({ types, truths }: ValueSet): Outcomes {
  let outcomes = (types & ~(BOOLEAN | UNDEFINED | FAILS)) === 0 ? 0 : IS_OTHER;
  if ((types & UNDEFINED) !== 0) outcomes |= IS_UNDEFINED;
  if ((types & FAILS) !== 0) outcomes |= IS_ERROR;
  if ((truths & HAS_TRUE) !== 0) outcomes |= IS_TRUE;
  return (truths & HAS_FALSE) !== 0 ? outcomes | IS_FALSE : outcomes;
}

/** Returns the outcomes of `not`. */
export function negateOutcomes(outcomes: Outcomes): Outcomes {
  let negated = outcomes & IS_ERROR;
  if ((outcomes & IS_NOT_TRUE) !== 0) negated |= IS_TRUE;
  if ((outcomes & IS_TRUE) !== 0) negated |= IS_FALSE;
  return (outcomes & IS_OTHER) !== 0 ? negated | IS_UNDEFINED : negated;
}

/** Returns the outcomes of `and` or `or`, which differ in what decides them. */
export function combineOutcomes(decidedBy: boolean, operands: readonly Outcomes[]): Outcomes {
  const deciding = decidedBy ? IS_TRUE : IS_NOT_TRUE;
  const others = decidedBy ? IS_NOT_TRUE : IS_TRUE;
  let [fails, answers, decided, undecided] = [false, true, false, true];
  for (const outcomes of operands) {
    fails ||= (outcomes & ERRORS) !== 0;
    answers &&= (outcomes & ~ERRORS) !== 0;
    decided ||= (outcomes & deciding) !== 0;
    undecided &&= (outcomes & others) !== 0;
  }
  let combined = fails ? IS_ERROR : 0;
  if (answers && decided) combined |= decidedBy ? IS_TRUE : IS_FALSE;
  return answers && undecided ? combined | (decidedBy ? IS_FALSE : IS_TRUE) : combined;
}

/** Returns a string that identifies single outcomes of some conditions. */
export function toOutcomesKey(outcomes: readonly Outcomes[]): string {
  return outcomes.join('');
}

/** The result of a filter on a record, as a set: selected, not selected, or a type error. */
export type Results = number;

export const SELECTED: Results = 1;
export const REJECTED: Results = 2;
export const FAILED: Results = 4;

/** Returns the results of a filter with these outcomes. */
export function toResults(outcomes: Outcomes): Results {
  let results = (outcomes & ERRORS) === 0 ? 0 : FAILED;
  if ((outcomes & IS_TRUE) !== 0) results |= SELECTED;
  return (outcomes & IS_NOT_TRUE) === 0 ? results : results | REJECTED;
}
