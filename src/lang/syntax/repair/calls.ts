import { diagnose, type Fix } from '../../diagnostic.ts';
import type { Span } from '../../source.ts';
import * as T from '../vocabulary.ts';
import { conditional } from './conditionals.ts';
import type { FindRepair, Repair, RepairCursor } from './cursor.ts';
import {
  countCall,
  cover,
  createFix,
  endsCondition,
  findLeft,
  isNot,
  parsePiece,
  type Rewrite,
  readMethod,
  wrap,
} from './operands.ts';
import {
  adviseOn,
  NO_CASE,
  NO_END,
  NO_PATTERN,
  writeAbsence,
  writePrefix,
  writePresence,
  writeSearch,
} from './phrases.ts';

/** Functions and methods that test a string or a list, in lower case. A method is called on the first argument. */
const TESTS: ReadonlyMap<string, (left: string, right: string) => Rewrite | undefined> = new Map([
  ['contains', writeSearch],
  ['includes', writeSearch],
  ['has', writeSearch],
  ['startswith', writePrefix],
  ['starts_with', writePrefix],
  ['equals', (left: string, right: string): Rewrite => ({ text: `${left} == ${right}`, joint: 'comparison' })],
]);

/** Functions that test whether there is a value, in lower case. */
const PRESENCE: ReadonlyMap<string, (operand: string) => Rewrite> = new Map([
  ['isnull', writeAbsence],
  ['is_null', writeAbsence],
  ['isnil', writeAbsence],
  ['ismissing', writeAbsence],
  ['isdefined', writePresence],
  ['is_defined', writePresence],
  ['isset', writePresence],
  ['is_set', writePresence],
  ['isnotnull', writePresence],
]);

/** Advice for lengths. */
export const LENGTH =
  'Lengths cannot be read. For a string that is not empty, write properties["name"] > "". ' +
  'Send other lengths as a property.';
const PART = 'Parts of a string cannot be cut out. To search for one, write "part" in properties["name"].';
const AGGREGATE = 'An expression reads one event, and queries count them. Write properties["name"] alone.';
const COUNT = 'An expression reads one event, and queries count them. Write defined(properties["name"]).';
const PART_OF_TIME = 'Times are seconds: compare them with datetime("2025-06-01").';
const HOUR = 'Times are seconds. The hour in UTC is floor(datetime(properties["name"]) % 86400 / 3600).';
/** Advice for tests of the elements of lists. */
export const ELEMENTS = 'To search in a list, write "part" in properties["name"].';
/** Advice for values that replace missing ones. */
export const FALLBACK =
  'Compare properties["name"] itself. To also select records without it, add `or not defined(properties["name"])`.';

/** Writes the conversion to the type of another language that a text names. */
export function convert(operand: string, type: string): string {
  const name = /bool/i.test(type) ? 'boolean' : /int|num|dec|float|double|real/i.test(type) ? 'number' : 'string';
  return `${name}(${operand})`;
}

/** Advice for functions and methods that the language lacks, by name in lower case. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ...['lower', 'upper', 'lcase', 'ucase', 'tolowercase', 'touppercase'].map((name) => [name, NO_CASE] as const),
  ...['len', 'length', 'size', 'char_length'].map((name) => [name, LENGTH] as const),
  ...['match', 'matches', 'regexp_match', 'regexp', 'regex', 'test'].map((name) => [name, NO_PATTERN] as const),
  ...['substr', 'substring', 'left', 'right', 'slice', 'indexof', 'split', 'trim'].map((name) => [name, PART] as const),
  ...['countif', 'sum', 'avg', 'max', 'min'].map((name) => [name, AGGREGATE] as const),
  ...['year', 'month', 'day', 'weekday', 'date_trunc'].map((name) => [name, PART_OF_TIME] as const),
  ...['any', 'all', 'some'].map((name) => [name, ELEMENTS] as const),
  ...['coalesce', 'ifnull', 'nvl'].map((name) => [name, FALLBACK] as const),
  ['endswith', NO_END],
  ['ends_with', NO_END],
  ['hour', HOUR],
  ['count', COUNT],
  ['concat', 'Join strings with `+`.'],
  ['abs', 'Compare both sides of zero: properties["x"] > 5 or properties["x"] < -5.'],
]);

/** `x.includes("a")`, and `x.length`. */
export const method: FindRepair = (cursor) => {
  if (!cursor.afterOperand || !cursor.sees(T.Dot) || !T.isWord(cursor.peek(1))) return undefined;
  const called = readMethod(cursor, 0);
  const name = called ?? (cursor.peek(1) as T.Token).image.toLowerCase();
  const count = called === undefined ? 2 : countCall(cursor, 2);
  const span = cursor.span(2);
  const at = { start: span.start + 1, end: span.end };
  const written = cursor.source.slice(at.start, at.end);
  const test = called === undefined ? undefined : TESTS.get(name);
  if (test === undefined) {
    const instead = adviseOn(
      INSTEAD.get(name) ?? 'Values have no methods or fields. Functions are written as number(...).',
      [findLeft(cursor)?.text],
    );
    return cursor.remove(count, diagnose('no-equivalent', at, { written, instead }));
  }
  const fix = fixMethod(cursor, count, test);
  const meant = fix?.text.trim() ?? test('properties["name"]', '"part"')?.text ?? '';
  return cursor.remove(count, diagnose('foreign-operator', at, { written, meant }, fix));
};

/** A method belongs to the last operand before it alone, and binds tighter than any operator. */
function fixMethod(
  cursor: RepairCursor,
  count: number,
  test: (left: string, right: string) => Rewrite | undefined,
): Fix | undefined {
  const start = findPrimary(cursor.repaired);
  const [first, last] = [cursor.repaired[start], cursor.repaired.at(-1)];
  const [argument, ...others] = splitArguments(cursor, 3, count);
  if (first === undefined || last === undefined || argument === undefined || others.length > 0) return undefined;
  const object = cover(first, last);
  const text = cursor.source.slice(object.start, object.end);
  if (parsePiece(text) === undefined || parsePiece(argument) === undefined) return undefined;
  const rewrite = test(text, parenthesize(argument));
  const span = { start: object.start, end: cursor.span(count).end };
  return fixCall(cursor, span, rewrite, cursor.repaired[start - 1], cursor.peek(count));
}

/** Returns the index of the first token of the operand that the repaired tokens end with. */
function findPrimary(repaired: readonly T.Token[]): number {
  let index = repaired.length - 1;
  for (let depth = 0; index >= 0; index--) {
    const token = repaired[index] as T.Token;
    if (T.isClosing(token)) depth++;
    else if (T.isOpening(token)) depth--;
    if (depth === 0) break;
  }
  return T.is(repaired[index - 1], T.ScopeWord, T.FunctionWord) && T.isOpening(repaired[index] as T.Token)
    ? index - 1
    : index;
}

/** A fix that replaces a call by a condition, in parentheses unless a condition can be there without. */
function fixCall(
  cursor: RepairCursor,
  span: Span,
  rewrite: Rewrite | undefined,
  before: T.Token | undefined,
  after: T.Token | undefined,
): Fix | undefined {
  if (rewrite === undefined) return undefined;
  const starts = before === undefined || T.isOpening(before) || T.isLogical(before) || isNot(before);
  const fits = (starts || T.is(before, T.Comma)) && endsCondition(after);
  return createFix(cursor.source, span, fits ? wrap(rewrite, before, after) : `(${rewrite.text})`);
}

/** Puts an argument in parentheses if it is more than a simple value. */
function parenthesize(argument: string): string {
  const tree = parsePiece(argument);
  const isSimple = tree?.kind === 'literal' || tree?.kind === 'property' || tree?.kind === 'call';
  return isSimple ? argument : `(${argument})`;
}

/** Splits the arguments between the tokens at `from` and the closing parenthesis before `end`. */
function splitArguments(cursor: RepairCursor, from: number, end: number): string[] {
  const texts: string[] = [];
  if (end - from > 600 || !T.is(cursor.peek(end - 1), T.CloseParenthesis)) return texts;
  for (let [index, first, depth] = [from, from, 0]; index < end; index++) {
    const token = cursor.peek(index) as T.Token;
    const isEnd = index === end - 1 || (depth === 0 && T.is(token, T.Comma));
    if (isEnd && index > first) {
      const { start, end } = cover(cursor.peek(first) as T.Token, cursor.peek(index - 1) as T.Token);
      texts.push(cursor.source.slice(start, end));
    }
    if (isEnd) first = index + 1;
    if (T.isOpening(token)) depth++;
    if (T.isClosing(token)) depth--;
  }
  return texts;
}

/** Repairs the call of a function of another language at the cursor. */
export function repairForeignCall(cursor: RepairCursor): Repair | undefined {
  const written = cursor.image;
  const name = written.toLowerCase();
  const count = countCall(cursor);
  const parts = splitArguments(cursor, 2, count);
  const [left = '', right = '', other = ''] = parts;
  const areValid = parts.length > 0 && parts.every((part) => parsePiece(part) !== undefined);
  if (['if', 'iff', 'iif'].includes(name) && parts.length === 3) {
    const rewrite = conditional(left, right, other);
    const fix = fixCall(cursor, cursor.span(count), rewrite, cursor.before(), cursor.peek(count));
    return cursor.readAsOperand(count, diagnose('conditional', cursor.span(), { meant: fix?.text }, fix));
  }
  const { start, end } = cursor.span(count);
  const [, inner, type] = /^\w+\(\s*(.+?)\s+as\s+(\w.*)\)$/is.exec(cursor.source.slice(start, end)) ?? [];
  if (inner !== undefined && type !== undefined && parsePiece(inner) !== undefined) {
    const meant = convert(inner, type);
    return cursor.readAsOperand(count, diagnose('foreign-operator', cursor.span(), { written, meant }));
  }
  const instead = INSTEAD.get(name);
  if (instead !== undefined && !TESTS.has(name))
    return cursor.readAsOperand(
      count,
      diagnose('no-equivalent', cursor.span(), { written, instead: adviseOn(instead, areValid ? parts : []) }),
    );
  const present = parts.length === 1 ? PRESENCE.get(name)?.(left) : undefined;
  const tested = parts.length === 2 ? TESTS.get(name)?.(parenthesize(left), parenthesize(right)) : undefined;
  const rewrite = present ?? tested;
  if (rewrite === undefined) return undefined;
  const shown = areValid ? rewrite : (TESTS.get(name)?.('properties["name"]', '"part"') ?? rewrite);
  const details = { written, meant: shown.text };
  // The argument of a function is read as that of another, to find the mistakes in it.
  if (!areValid && parts.length === 1)
    return cursor.readAsWord(1, 'defined', diagnose('foreign-operator', cursor.span(), details));
  const fix = areValid ? fixCall(cursor, cursor.span(count), rewrite, cursor.before(), cursor.peek(count)) : undefined;
  return cursor.readAsOperand(count, diagnose('foreign-operator', cursor.span(), details, fix));
}
