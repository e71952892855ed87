import { roundDownToNext, roundUpToNext } from '../adjacent-doubles.ts';
import { MAX_SECONDS } from '../operators/time.ts';
import type { Plan } from '../plan/plan.ts';
import { BOOLEAN, LIST, NULL, NUMBER, STRING, type TypeSet, UNDEFINED } from '../types.ts';
import type { Scalar, Value } from '../value.ts';
import { type Budget, weighPlans } from './budget.ts';
import { countCombinations, listCombinations } from './combinations.ts';
import { type Constants, collectConstants } from './constants.ts';
import { evaluateSets, type Known } from './evaluate-sets.ts';
import { findMiddle } from './middle.ts';
import { getOutcomes, type Outcomes, toOutcomesKey } from './outcomes.ts';
import { spellNumber, spellTime } from './spellings.ts';
import { listTextRegions, type TextRegion } from './texts.ts';
import { FAILS, FAILURE, toLists, toNumbers, toText, toValueSet, type ValueSet } from './value-set.ts';

/** Values of inputs, by their keys. */
export type Assignment = ReadonlyMap<string, Value>;

/** One outcome of each condition, which they can have together. */
export interface Point {
  readonly outcomes: readonly Outcomes[];
  /** With this, they have it. Undefined if none is known: then perhaps none exists. */
  readonly sample?: Assignment;
}

/** The values that an input can have. */
export interface Domain {
  readonly types: TypeSet;
  /** The strings, numbers and booleans that it has at most, also as elements of its lists. */
  readonly values?: readonly Scalar[] | undefined;
  /** Whether it is `now`, a whole number of seconds. */
  readonly isTime?: boolean;
  /** Whether its values are those of a part of a plan, which perhaps do not all occur. */
  readonly isPart?: boolean;
}

/** The combinations of outcomes of the conditions on one input. */
export interface Surveyed {
  readonly points: readonly Point[];
  /** Whether no other combination is possible. */
  readonly isComplete: boolean;
}

/** The most combinations of outcomes that are listed for one set of values. */
const MAX_COMBINATIONS = 64;
/** The most divisions of the range of numbers. */
const MAX_DIVISIONS = 2_000;
const MAX_ELEMENTS = 10;
const { MAX_VALUE } = Number;
/** No `now` is earlier, so that sums with it are exact. */
const MIN_TIME = -(2 ** 52);

/** Finds the combinations of outcomes that the conditions on one input can have. `key` is that of the input, if it is one. */
export function surveyInput(
  conditions: readonly Plan[],
  isInput: (plan: Plan) => boolean,
  domain: Domain,
  budget: Budget,
  key = '',
): Surveyed {
  const survey = new Survey(conditions, isInput, domain, budget, key);
  survey.run();
  return { points: [...survey.points.values()], isComplete: survey.isComplete };
}

class Survey {
  readonly points = new Map<string, Point>();
  isComplete = true;
  private readonly constants: Constants;
  /** The steps that evaluating all conditions takes. */
  private readonly weight: number;

  constructor(
    private readonly conditions: readonly Plan[],
    private readonly isInput: (plan: Plan) => boolean,
    private readonly domain: Domain,
    private readonly budget: Budget,
    private readonly key: string,
  ) {
    this.constants = collectConstants(conditions);
    this.weight = weighPlans(conditions);
  }

  run(): void {
    const { types, values } = this.domain;
    if ((types & UNDEFINED) !== 0) this.addValue(undefined);
    if ((types & NULL) !== 0) this.addValue(null);
    if ((types & FAILS) !== 0) this.addSet(FAILURE);
    if (values !== undefined) {
      for (const value of values) this.addValue(value);
    } else {
      if ((types & BOOLEAN) !== 0) for (const value of [true, false]) this.addValue(value);
      if ((types & NUMBER) !== 0) this.addNumbers();
      if ((types & STRING) !== 0) this.addStrings();
    }
    if ((types & LIST) !== 0) this.addLists(values);
  }

  /** Adds the outcomes for one value. */
  private addValue(value: Value): void {
    const outcomes = this.evaluate(toValueSet(value));
    if (outcomes !== undefined) this.addPoint(outcomes, new Map([[this.key, value]]));
  }

  private addPoint(outcomes: readonly Outcomes[], sample: Assignment | undefined): void {
    const key = toOutcomesKey(outcomes);
    const isWitness = sample !== undefined && this.domain.isPart !== true;
    if (isWitness ? this.points.get(key)?.sample === undefined : !this.points.has(key))
      this.points.set(key, isWitness ? { outcomes, sample } : { outcomes });
  }

  /** Adds all outcomes that the values of a set can have. */
  private addSet(set: ValueSet, samples: readonly Value[] = []): void {
    const outcomes = this.evaluate(set);
    if (outcomes === undefined) return;
    const combinations = divideOutcomes(outcomes);
    if (!this.areWitnessed(combinations)) for (const sample of samples) this.addValue(sample);
    this.addCombinations(combinations);
  }

  /** Adds outcomes without a sample; undefined if they are too many. */
  private addCombinations(combinations: readonly (readonly Outcomes[])[] | undefined): void {
    if (combinations === undefined) this.isComplete = false;
    for (const combination of combinations ?? []) this.addPoint(combination, undefined);
  }

  private areWitnessed(combinations: readonly (readonly Outcomes[])[] | undefined): boolean {
    return combinations?.every((combination) => this.isWitnessed(combination)) ?? false;
  }

  private isWitnessed(outcomes: readonly Outcomes[]): boolean {
    const point = this.points.get(toOutcomesKey(outcomes));
    return point !== undefined && (point.sample !== undefined || this.domain.isPart === true);
  }

  /** Returns the outcomes of each condition on a set; undefined beyond the budget. */
  private evaluate(set: ValueSet): readonly Outcomes[] | undefined {
    if (!this.budget.spend(this.weight)) {
      this.isComplete = false;
      return undefined;
    }
    const known: Known = (plan) => (this.isInput(plan) ? set : undefined);
    return this.conditions.map((condition) => getOutcomes(evaluateSets(condition, known)));
  }

  private addNumbers(): void {
    const { isTime = false } = this.domain;
    const limits: Range = isTime ? [MIN_TIME, MAX_SECONDS] : [-MAX_VALUE, MAX_VALUE];
    const division = new Division(limits, this.constants.numbers, isTime);
    this.divide(division, toNumbers, (number) => [number]);
  }

  private addStrings(): void {
    for (const string of this.constants.strings) this.addValue(string);
    const regions = listTextRegions(this.constants);
    if (regions === undefined) {
      this.isComplete = false;
      for (const part of this.constants.parts) this.addValue(`${part}~`);
      return;
    }
    for (const region of regions) this.addTextRegion(region);
  }

  private addTextRegion({ text, sample }: TextRegion): void {
    if (text.form !== 'decimal' && text.form !== 'date') {
      this.addSet(toText(text), sample === undefined ? [] : [sample]);
      return;
    }
    const division = new Division([text.from, text.to], this.constants.numbers, text.form === 'date');
    const spell = text.form === 'date' ? spellTime : spellNumber;
    this.divide(division, (from, to) => toText({ ...text, from, to }), spell);
  }

  private addLists(values: readonly Scalar[] | undefined): void {
    const elements = [...this.constants.elements].filter((element) => values?.includes(element) ?? true);
    if (elements.length > MAX_ELEMENTS) {
      this.isComplete = false;
      for (const list of [[], elements, ...elements.map((element) => [element])]) this.addValue(list);
      return;
    }
    for (let bits = 0; bits < 2 ** elements.length; bits++) {
      const held = elements.map((element, index) => [element, (bits & (1 << index)) !== 0] as const);
      const absent = [...this.constants.elements].map((element) => [element, false] as const);
      const sample = held.flatMap(([element, isHeld]) => (isHeld ? [element] : []));
      this.addSet(toLists({ kind: 'elements', elements: new Map([...absent, ...held]) }), [sample]);
    }
  }

  /** Divides ranges of numbers until each condition has one outcome on each, or all combinations are known. */
  private divide(
    division: Division,
    toRange: (low: number, high: number) => ValueSet,
    spell: (number: number) => Iterable<Value>,
  ): void {
    const pending = division.start();
    for (let next = pending.pop(), count = 0; next !== undefined; next = pending.pop(), count++) {
      const [low, high] = next;
      const outcomes = this.evaluate(toRange(low, high));
      if (outcomes === undefined) return;
      const combinations = divideOutcomes(outcomes);
      if (this.areWitnessed(combinations)) continue;
      this.addNear(new Set([division.pick(low, high), low, high]), spell, combinations);
      const parts = combinations?.length === 1 || count > MAX_DIVISIONS ? [] : division.divide(low, high);
      if (parts.length > 0) pending.push(...parts);
      else this.addCombinations(combinations);
    }
  }

  /** Adds the outcomes for spellings of numbers until the combinations have witnesses. */
  private addNear(
    numbers: ReadonlySet<number>,
    spell: (number: number) => Iterable<Value>,
    combinations: readonly (readonly Outcomes[])[] | undefined,
  ): void {
    for (const number of numbers) {
      for (const value of spell(number)) {
        this.addValue(value);
        if (this.areWitnessed(combinations)) return;
      }
    }
  }
}

/** Returns all combinations of one outcome of each condition; undefined if there are too many. */
function divideOutcomes(outcomes: readonly Outcomes[]): readonly (readonly Outcomes[])[] | undefined {
  if (outcomes.every((set) => (set & (set - 1)) === 0)) return [outcomes];
  const choices = outcomes.map((set) => [1, 2, 4, 8, 16].filter((outcome) => (set & outcome) !== 0));
  return countCombinations(choices) > MAX_COMBINATIONS ? undefined : listCombinations(choices);
}

type Range = readonly [low: number, high: number];

/** Divides a range of doubles, or of whole numbers, first at constants, then in the middle. */
class Division {
  constructor(
    private readonly limits: Range,
    private readonly constants: ReadonlySet<number>,
    private readonly isWhole: boolean,
  ) {}

  /** Returns the ranges between the constants, and each constant alone. */
  start(): Range[] {
    const [first, last] = this.limits;
    const starts = new Set([first]);
    for (const constant of this.constants) {
      const number = this.isWhole ? Math.floor(constant) : constant;
      for (const start of [number, this.next(number)]) if (start > first && start <= last) starts.add(start);
    }
    const sorted = [...starts].sort((left, right) => left - right);
    return sorted.map((low, index): Range => {
      const above = sorted[index + 1];
      return [low, above === undefined ? last : this.previous(above)];
    });
  }

  /** Returns the two halves of a range; none if it has one number. */
  divide(low: number, high: number): readonly Range[] {
    if (low >= high) return [];
    const middle = this.isWhole && high - low < MAX_SECONDS ? Math.floor((low + high) / 2) : findMiddle(low, high);
    const rounded = this.isWhole ? Math.floor(middle) : middle;
    return [
      [this.next(rounded), high],
      [low, rounded],
    ];
  }

  /** Returns a number of a range that is easy to read. */
  pick(low: number, high: number): number {
    const wanted = this.isWhole ? [1_750_000_000] : [0, 1, 10];
    return [...wanted, Math.ceil(low), Math.floor(high)].find((number) => number >= low && number <= high) ?? low;
  }

  private next(number: number): number {
    return this.isWhole && Math.abs(number) < Number.MAX_SAFE_INTEGER ? number + 1 : roundUpToNext(number);
  }

  private previous(number: number): number {
    return this.isWhole && Math.abs(number) < Number.MAX_SAFE_INTEGER ? number - 1 : roundDownToNext(number);
  }
}
