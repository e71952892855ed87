import { MAX_SECONDS, parseDateTime } from '../operators/time.ts';
import type { Apply, Plan } from '../plan/plan.ts';
import { getOperands } from '../plan/plan.ts';
import { STRING } from '../types.ts';
import { parseDecimal, type Scalar, type Value } from '../value.ts';
import { BOOLEAN_WORDS, listParts, MAX_WITHIN } from './transfers.ts';

/** The constants of plans, by what is done with them. */
export interface Constants {
  readonly numbers: Set<number>;
  readonly strings: Set<string>;
  /** Strings that are compared by order. */
  readonly ordered: Set<string>;
  /** Strings that are searched. */
  readonly parts: Set<string>;
  /** Values that are searched in lists. */
  readonly elements: Set<Scalar>;
  /** Whether strings are read as numbers or dates. */
  readsForms: boolean;
}

const DAY = 86_400;

/** More prefixes and parts of constants are not told apart. */
const MAX_STRINGS = 1_000;

/** Collects the constants that can make a difference to plans. */
export function collectConstants(plans: readonly Plan[]): Constants {
  const constants: Constants = {
    numbers: new Set([0, 1]),
    strings: new Set(['']),
    ordered: new Set(),
    parts: new Set(),
    elements: new Set(),
    readsForms: false,
  };
  const joined = new Set<string>();
  let readsDates = false;
  const visit = (plan: Plan): void => {
    if (plan.kind === 'constant') add(constants, plan.value);
    if (plan.kind === 'oneOf') for (const value of plan.values) add(constants, value);
    if (plan.kind === 'between') add(constants, plan.limit);
    if (plan.kind === 'apply') {
      addByUse(constants, plan, joined);
      readsDates ||= plan.row.name === 'datetime';
    }
    for (const operand of getOperands(plan)) visit(operand);
  };
  for (const plan of plans) visit(plan);
  if (readsDates) addDates(constants);
  addRests(constants, joined);
  addPrefixes(constants);
  return constants;
}

function add({ numbers, strings }: Constants, value: Value): void {
  if (typeof value === 'number') numbers.add(value);
  if (typeof value !== 'string') return;
  strings.add(value);
  const number = parseDecimal(value);
  if (number !== undefined) numbers.add(number);
}

function addByUse(constants: Constants, { row, operands }: Apply, joined: Set<string>): void {
  const [left, right] = operands.map((operand) => (operand.kind === 'constant' ? operand.value : undefined));
  const ofStrings = ((operands[0]?.types ?? 0) & STRING) !== 0;
  switch (row.name) {
    case 'in':
      if (typeof left === 'string' && left !== '') constants.parts.add(left);
      if (left !== undefined && !Array.isArray(left)) constants.elements.add(left as Scalar);
      if (typeof right === 'string' && right.length <= MAX_WITHIN)
        for (const part of listParts(right)) constants.strings.add(part);
      break;
    case '<':
    case '<=':
    case '>':
    case '>=':
      for (const side of [left, right]) if (typeof side === 'string') constants.ordered.add(side);
      break;
    case '+':
      for (const side of [left, right]) if (typeof side === 'string') joined.add(side);
      break;
    case 'boolean':
      if (ofStrings) for (const word of BOOLEAN_WORDS) add(constants, word);
      break;
    case 'number':
    case 'datetime':
      constants.readsForms ||= ofStrings;
      break;
  }
}

/** Adds the dates of times, and their times. A date far from a time is on one side of it in every zone. */
function addDates({ numbers, strings, ordered }: Constants): void {
  for (const string of strings) {
    const time = parseDateTime(string);
    if (time !== undefined) numbers.add(time);
  }
  const times = [...numbers].filter((number) => number > 1 && number <= MAX_SECONDS);
  for (const number of [...times, MAX_SECONDS]) numbers.add(number).add(number * 1000);
  if (ordered.size === 0) return;
  for (const time of times) {
    for (const days of [-7, 3]) ordered.add(new Date((time + days * DAY) * 1000).toISOString().slice(0, 10));
  }
}

/** Adds what is left of strings without a joined part. */
function addRests({ strings }: Constants, joined: ReadonlySet<string>): void {
  for (const part of joined) {
    for (const string of [...strings]) {
      if (strings.size > MAX_STRINGS) return;
      if (string.startsWith(part)) strings.add(string.slice(part.length));
      if (string.endsWith(part)) strings.add(string.slice(0, string.length - part.length));
    }
  }
}

/** Adds the prefixes of the strings that are compared by order. If they are too many, fewer strings are told apart. */
function addPrefixes({ strings, ordered }: Constants): void {
  let left = MAX_STRINGS;
  for (const string of [...ordered]) {
    left -= string.length;
    if (left < 0) ordered.delete(string);
    else for (const prefix of listPrefixes(string)) strings.add(prefix);
  }
}

/** Lists the prefixes of a string in code points, from the empty one to itself. */
export function listPrefixes(string: string): string[] {
  const prefixes = [''];
  for (const character of string) prefixes.push((prefixes.at(-1) ?? '') + character);
  return prefixes;
}
