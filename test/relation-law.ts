import { compile, compileNumber, compileOn, compileWhere } from '../src/api/index.ts';
import {
  findWitness,
  isAlways,
  isNever,
  type Relation,
  type RelationName,
  relate,
  type Witness,
} from '../src/api/relate.ts';
import { Random } from '../src/data/random.ts';
import { ExpressionCheckError, ExpressionSyntaxError, ExpressionTypeError } from '../src/lang/errors.ts';
import { print } from '../src/lang/syntax/print.ts';
import { drawFilter, drawRecords, drawValues } from './related-filters.ts';
import { drawCase } from './value-first.ts';

/** The result of a filter for a record. */
type Answer = 'selects' | 'rejects' | 'fails';

export type Answering = (witness: Witness) => Answer;

/** Two filters, and records that are likely to contradict a wrong relation. */
export interface Pair {
  readonly left: string;
  readonly right: string;
  readonly records: readonly Witness[];
}

/** The relation of a pair, or a verdict about one filter, with its witnesses. */
export interface Judged {
  readonly witnesses: readonly Witness[];
  /** Describes a claim that a record or a witness contradicts. */
  readonly mistake: string | undefined;
}

/** Draws a pair around few constants. */
export function drawPair(seed: number): Pair {
  const random = new Random(seed);
  const [left, right] = drawFilter(random);
  return { left, right, records: drawRecords(random, [left, right], 60) };
}

/** Draws a pair of the filters that engines are tested with, with the records that they are about. */
export function drawValueFirstPair(seed: number): Pair {
  const [one, other] = [drawCase(seed, 20), drawCase(seed + 1, 20)];
  const [left, second] = [print(one.tree), print(other.tree)];
  const right = [second, `(${left}) and (${second})`, `(${left}) or (${second})`, `not (${left})`][seed % 4] as string;
  const records = [...one.records, ...other.records].map((input) => input as Witness);
  return { left, right, records };
}

/** Returns a function that answers for a record; undefined if the filter fails on every record. */
export function toAnswer(source: string): Answering | undefined {
  let now = 0;
  try {
    const where = compileWhere(source, { now: () => now });
    return (witness) => {
      now = witness.now ?? 0;
      try {
        return where(witness.properties, witness.user) ? 'selects' : 'rejects';
      } catch (error) {
        if (error instanceof ExpressionTypeError) return 'fails';
        throw error;
      }
    };
  } catch (error) {
    if (error instanceof ExpressionCheckError) return undefined;
    throw error;
  }
}

/** Judges the relation of a pair by records. Returns undefined if a filter fails on every record. */
export function judgePair({ left, right, records }: Pair): (Judged & { relation: RelationName }) | undefined {
  const [one, other] = [toAnswer(left), toAnswer(right)];
  if (one === undefined || other === undefined) return undefined;
  const found = relate(left, right);
  const wrong = records.find((record) => contradicts(found.relation, one(record), other(record)));
  const contradiction = wrong && `${JSON.stringify(wrong)}: ${one(wrong)}, ${other(wrong)}`;
  const problem = contradiction ?? findWrongWitness(found, one, other);
  const { relation, ...witnesses } = found;
  return {
    relation,
    witnesses: Object.values(witnesses),
    mistake: problem && `${left} | ${right} are ${relation}, but ${problem}`,
  };
}

/** Judges by records whether a filter always or never selects. Returns undefined if it fails on every record. */
export function judgeFilter({ left, records }: Pick<Pair, 'left' | 'records'>): Judged | undefined {
  const one = toAnswer(left);
  if (one === undefined) return undefined;
  const [always, never] = [isAlways(left), isNever(left)];
  const isWrong = (record: Witness) => (one(record) === 'selects' ? never : always).answer === 'yes';
  const wrong = records.find(isWrong);
  const problems = [
    wrong && `always ${always.answer}, never ${never.answer}, but ${JSON.stringify(wrong)}: ${one(wrong)}`,
    always.witness && one(always.witness) === 'selects' ? 'it selects the witness against always' : undefined,
    never.witness && one(never.witness) !== 'selects' ? 'it does not select its witness' : undefined,
    JSON.stringify(findWitness(left)) === JSON.stringify(never.witness) ? undefined : 'it has two witnesses',
  ];
  const problem = problems.find((text) => text !== undefined);
  return {
    witnesses: [always.witness, never.witness].filter((witness) => witness !== undefined),
    mistake: problem && `${left}: ${problem}`,
  };
}

/** Returns whether a pair of answers contradicts a relation. */
function contradicts(relation: RelationName, left: Answer, right: Answer): boolean {
  switch (relation) {
    case 'equal':
      return left !== right;
    case 'implies':
      return left === 'selects' && right !== 'selects';
    case 'implied-by':
      return right === 'selects' && left !== 'selects';
    case 'disjoint':
      return left === 'selects' && right === 'selects';
    default:
      return false;
  }
}

/** Checks how the filters answer for each witness of a relation. */
const SHOWN: Readonly<
  Record<Exclude<keyof Relation, 'relation' | 'different'>, (left: Answer, right: Answer) => boolean>
> = {
  both: (left, right) => left === 'selects' && right === 'selects',
  onlyLeft: (left, right) => left === 'selects' && right !== 'selects',
  onlyRight: (left, right) => left !== 'selects' && right === 'selects',
  leftFails: (left, right) => left === 'fails' && right !== 'fails',
  rightFails: (left, right) => left !== 'fails' && right === 'fails',
};

/** Returns what is wrong with the witnesses of a relation: one does not show what it should, or one is missing. */
export function findWrongWitness(found: Relation, left: Answering, right: Answering): string | undefined {
  for (const [name, shows] of Object.entries(SHOWN)) {
    const witness = found[name as keyof typeof SHOWN];
    if (witness !== undefined && !shows(left(witness), right(witness)))
      return `${name} is ${JSON.stringify(witness)}: ${left(witness)}, ${right(witness)}`;
  }
  const [both, onlyLeft, onlyRight] = [found.both, found.onlyLeft, found.onlyRight].map((one) => one !== undefined);
  const fails = found.leftFails !== undefined || found.rightFails !== undefined;
  const needed: Record<RelationName, boolean | undefined> = {
    equal: !onlyLeft && !onlyRight && !fails,
    implies: !onlyLeft && (onlyRight || fails),
    'implied-by': onlyLeft && !onlyRight,
    disjoint: onlyLeft && onlyRight && !both,
    overlap: onlyLeft && onlyRight && both,
    unknown: true,
  };
  return needed[found.relation] ? undefined : `it has the witnesses ${Object.keys(found)}`;
}

/** The uses in which expressions are compared by their values. */
export const VALUE_USES = ['on', 'number', 'value'] as const;

type ValueUse = (typeof VALUE_USES)[number];

/** Draws a pair of expressions of any type around few constants. */
export function drawValuePair(seed: number): Pair {
  const random = new Random(seed);
  const [left, right] = drawValues(random);
  return { left, right, records: drawRecords(random, [left, right], 60) };
}

/** Returns the segments, the number or the value of a record as a string, or `fails`. */
type Reading = (witness: Witness) => string;

/** Returns a function that reads an expression in a use; undefined if that is an error. */
function toReading(source: string, use: ValueUse): Reading | undefined {
  let now = 0;
  const options = { now: () => now };
  try {
    const read = { on: compileOn, number: compileNumber, value: compile }[use](source, options);
    return (witness) => {
      now = witness.now ?? 0;
      try {
        const value = read(witness.properties, witness.user);
        return JSON.stringify(use === 'on' ? [...(value as string[])].sort() : [value === undefined ? {} : value]);
      } catch (error) {
        if (error instanceof ExpressionTypeError) return 'fails';
        throw error;
      }
    };
  } catch (error) {
    if (error instanceof ExpressionCheckError || error instanceof ExpressionSyntaxError) return undefined;
    throw error;
  }
}

/** Judges by records how the values of a pair relate in a use. Returns undefined if one has no value in it. */
export function judgeValues(
  { left, right, records }: Pair,
  use: ValueUse,
): (Judged & { relation: RelationName }) | undefined {
  const [one, other] = [toReading(left, use), toReading(right, use)];
  if (one === undefined || other === undefined) return undefined;
  const compare = (witness: Witness) => {
    const [ofLeft, ofRight] = [one(witness), other(witness)];
    if (ofLeft === 'fails' || ofRight === 'fails')
      return ofLeft === ofRight ? 'fail' : ofLeft === 'fails' ? 'leftFails' : 'rightFails';
    return ofLeft === ofRight ? 'both' : 'different';
  };
  const { relation, ...witnesses } = relate(left, right, { use });
  const shown = Object.entries(witnesses);
  const occurring = new Set(shown.map(([name]) => name));
  const fails = occurring.has('leftFails') || occurring.has('rightFails');
  const excluded: Partial<Record<RelationName, readonly string[]>> = {
    equal: ['different', 'leftFails', 'rightFails'],
    implies: ['different'],
    disjoint: ['both'],
  };
  const needed: Readonly<Record<RelationName, boolean>> = {
    equal: !occurring.has('different') && !fails,
    implies: !occurring.has('different') && fails,
    'implied-by': false,
    disjoint: occurring.has('different') && !occurring.has('both'),
    overlap: occurring.has('different') && occurring.has('both'),
    unknown: true,
  };
  const wrong = records.find((record) => excluded[relation]?.includes(compare(record)));
  const problems = [
    wrong && `${JSON.stringify(wrong)}: ${one(wrong)}, ${other(wrong)}`,
    ...shown.map(([name, witness]) => compare(witness) !== name && `${name} is ${JSON.stringify(witness)}`),
    needed[relation] ? undefined : `it has the witnesses ${[...occurring]}`,
  ];
  const problem = problems.find((text) => typeof text === 'string');
  return {
    relation,
    witnesses: Object.values(witnesses),
    mistake: problem && `${use}: ${left} | ${right} are ${relation}, but ${problem}`,
  };
}
