import { BOOLEAN, UNDEFINED } from '../types.ts';
import { FAILS, HAS_FALSE, HAS_TRUE, mapBits, type ValueSet } from './value-set.ts';

/** A set of the possible outcomes of a condition, one bit each. */
export type Outcomes = number;

export const IS_TRUE: Outcomes = HAS_TRUE;
export const IS_FALSE: Outcomes = HAS_FALSE;
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
  return (
    truths |
    mapBits(types, ~(BOOLEAN | UNDEFINED | FAILS), IS_OTHER) |
    mapBits(types, UNDEFINED, IS_UNDEFINED) |
    mapBits(types, FAILS, IS_ERROR)
  );
}

/** Returns the outcomes of `not`. */
export function negateOutcomes(outcomes: Outcomes): Outcomes {
  return (
    (outcomes & IS_ERROR) |
    mapBits(outcomes, IS_NOT_TRUE, IS_TRUE) |
    mapBits(outcomes, IS_TRUE, IS_FALSE) |
    mapBits(outcomes, IS_OTHER, IS_UNDEFINED)
  );
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
  return undecided ? combined | (decidedBy ? IS_FALSE : IS_TRUE) : combined;
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

/** The results that two expressions have together, as a set: one bit for each pair. */
export type Answers = number;

/** Returns the answers with one of some results on each side. */
export function pairResults(left: Results, right: Results): Answers {
  return left * ((right & SELECTED) | ((right & REJECTED) << 2) | ((right & FAILED) << 4));
}

/** Returns the results of a filter with these outcomes. */
export function toResults(outcomes: Outcomes): Results {
  return (
    mapBits(outcomes, IS_TRUE, SELECTED) | mapBits(outcomes, IS_NOT_TRUE, REJECTED) | mapBits(outcomes, ERRORS, FAILED)
  );
}

const SAME = pairResults(SELECTED, SELECTED);
const DIFFERENT = pairResults(REJECTED, REJECTED);

/**
 * Returns the answers of two expressions that are compared by their values. `same` are the outcomes of that comparison;
 * undefined if both are conditions, which have the same value if they have the same outcome.
 */
export function compareOutcomes(left: Outcomes, right: Outcomes, same: Outcomes | undefined): Answers {
  const [ofLeft, ofRight] = [left, right].map(
    (outcomes) => mapBits(outcomes, IS_ERROR, FAILED) | mapBits(outcomes, ~IS_ERROR, REJECTED),
  ) as [Results, Results];
  const answers = pairResults(ofLeft, ofRight);
  if ((answers & DIFFERENT) === 0) return answers;
  const either = (left | right) & ~IS_ERROR;
  const known = same ?? mapBits(left & right, ~IS_ERROR, IS_TRUE) | mapBits(either, either - 1, IS_FALSE);
  return (answers & ~DIFFERENT) | mapBits(known, IS_TRUE, SAME) | mapBits(known, IS_FALSE, DIFFERENT);
}
