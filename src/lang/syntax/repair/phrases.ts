import { quoteString } from '../../../base/strings.ts';
import { diagnose } from '../../diagnostic.ts';
import * as T from '../vocabulary.ts';
import type { FindRepair, Repair, RepairCursor } from './cursor.ts';
import { createList, readForeignList } from './lists.ts';
import { createFix, endsCondition, findLeft, findRight, parsePiece, type Rewrite, wrap } from './operands.ts';

/** Words of other languages after an operand, such as `is not null`, with `operands` operands after them. */
interface Phrase {
  readonly words: readonly string[];
  readonly operands: 0 | 1 | 2;
  /** Rewrites it for operands in source form. Returns undefined if the language cannot say it. */
  readonly write: (left: string, right: string, upper: string) => Rewrite | undefined;
  /** Advice, if the language lacks it. */
  readonly instead?: string;
}

const condition = (text: string): Rewrite => ({ text, joint: 'comparison' });
const negation = (text: string): Rewrite => ({ text: `not ${text}`, joint: 'not' });

/** Writes that there is no value. */
export const writeAbsence = (left: string): Rewrite => negation(`defined(${left})`);
/** Writes that there is a value. */
export const writePresence = (left: string): Rewrite => condition(`defined(${left})`);
/** Writes that a string has a part, or a list an element. */
export const writeSearch = (left: string, right: string): Rewrite => condition(`${right} in ${left}`);
const lacks = (left: string, right: string): Rewrite => negation(`${right} in ${left}`);

export const NO_CASE = 'Strings are compared exactly. List the spellings: properties["name"] in ["pro", "Pro", "PRO"].';
export const NO_PATTERN =
  'There are no patterns. To search for a part of a string, write "part" in properties["name"].';
export const NO_END = 'No operator tests how a string ends. "part" in properties["name"] finds it anywhere.';

/** Writes the longest part of a pattern that stands for itself, as a string. */
export function quotePart(pattern: string): string | undefined {
  const parts = pattern.match(/[\p{L}\p{N}_ -]+/gu)?.map((part) => part.trim()) ?? [];
  const [longest = ''] = parts.sort((left, right) => right.length - left.length);
  return longest === '' ? undefined : quoteString(longest);
}

/** Longer operands are not repeated in advice. */
const MAX_REPEATED = 60;

/** Returns advice about the operands at hand, instead of those of its example. */
export function adviseOn(instead: string, [left, right]: readonly (string | undefined)[]): string {
  const replace = (text: string, example: string, operand: string | undefined) =>
    operand === undefined || operand.length > MAX_REPEATED ? text : text.replaceAll(example, () => operand);
  return replace(replace(instead, 'properties["name"]', left), '"part"', right);
}

/** Reads a piece as the literal string that it is. */
function readText(piece: string): string | undefined {
  const tree = parsePiece(piece);
  return tree?.kind === 'literal' && typeof tree.value === 'string' ? tree.value : undefined;
}

/** Strings are in the order of their code points, so those with a prefix lie between it and the next string. */
export function writePrefix(left: string, right: string): Rewrite | undefined {
  const prefix = readText(right);
  const last = prefix === undefined ? undefined : Array.from(prefix).at(-1);
  if (prefix === undefined || last === undefined || last === '\u{10ffff}') return undefined;
  const code = last.codePointAt(0) as number;
  const above = String.fromCodePoint(code === 0xd7ff ? 0xe000 : code + 1);
  const end = prefix.slice(0, prefix.length - last.length) + above;
  return { text: `${left} >= ${quoteString(prefix)} and ${left} < ${quoteString(end)}`, joint: 'and' };
}

/** SQL patterns with `%` at their ends. */
function matchesLike(left: string, right: string): Rewrite | undefined {
  const pattern = readText(right);
  const [, before = '', part = '', after = ''] = /^(%*)([^%_\\]+)(%*)$/u.exec(pattern ?? '') ?? [];
  if (part === '') return undefined;
  const text = quoteString(part);
  if (before !== '') return after === '' ? undefined : writeSearch(left, text);
  return after === '' ? condition(`${left} == ${text}`) : writePrefix(left, text);
}

function negate(rewrite: Rewrite | undefined): Rewrite | undefined {
  if (rewrite === undefined) return undefined;
  return negation(rewrite.joint === 'and' ? `(${rewrite.text})` : rewrite.text);
}

function define(
  words: string,
  operands: Phrase['operands'],
  write: Phrase['write'],
  instead?: string,
): readonly Phrase[] {
  return words.split('|').map((spelling) => ({
    words: spelling.split(' '),
    operands,
    write,
    ...(instead !== undefined && { instead }),
  }));
}

const compare = (operator: string) => (left: string, right: string) => condition(`${left} ${operator} ${right}`);
const nothing = () => undefined;

/** All phrases. Of those that match, the longest is meant. */
const PHRASES: readonly Phrase[] = [
  ...define('is null|is none|is nil|is undefined|is missing|is not set|is not defined|isnull', 0, writeAbsence),
  ...define('is not null|is not none|is set|is defined|exists|notnull|is present', 0, writePresence),
  ...define('is true', 0, (left) => condition(`${left} == true`)),
  ...define('is false', 0, (left) => condition(`${left} == false`)),
  ...define('is not true', 0, (left) => condition(`${left} != true`)),
  ...define('is not false', 0, (left) => condition(`${left} != false`)),
  ...define('is|equals|eq|equal to|is equal to', 1, compare('==')),
  ...define("is not|isn't|aren't|wasn't|not equals|neq|ne|does not equal|is not equal to", 1, compare('!=')),
  ...define('gt|is greater than|greater than', 1, compare('>')),
  ...define('gte', 1, compare('>=')),
  ...define('lt|is less than|less than', 1, compare('<')),
  ...define('lte', 1, compare('<=')),
  ...define('contains|includes|contain|has', 1, writeSearch),
  ...define("does not contain|doesn't contain|not contains|does not include|not includes", 1, lacks),
  ...define('not in|is not in', 1, (left, right) => negation(`${left} in ${right}`)),
  ...define('is in|is one of|one of', 1, (left, right) => condition(`${left} in ${right}`)),
  ...define('between', 2, (left, right, upper) => ({
    text: `${left} >= ${right} and ${left} <= ${upper}`,
    joint: 'and',
  })),
  ...define('not between', 2, (left, right, upper) => ({
    text: `${left} < ${right} or ${left} > ${upper}`,
    joint: 'or',
  })),
  ...define('like', 1, matchesLike, NO_PATTERN),
  ...define('not like', 1, (left, right) => negate(matchesLike(left, right)), NO_PATTERN),
  ...define('starts with|startswith|begins with', 1, writePrefix, 'The start must be a string in quotes.'),
  ...define('ends with|endswith', 1, nothing, NO_END),
  ...define('ilike|not ilike', 1, nothing, NO_CASE),
  ...define('matches|regexp|rlike|match|similar to|not regexp', 1, nothing, NO_PATTERN),
].sort((left, right) => right.words.length - left.words.length);

/** The first words of all phrases, so that few tokens are compared with all of them. */
const FIRST_WORDS = new Set(PHRASES.map(({ words }) => words[0]));

/** Operators of other languages that are spelled as words, after an operand. */
export const phrase: FindRepair = (cursor) => {
  if (!cursor.afterOperand || !FIRST_WORDS.has(cursor.peek()?.image.toLowerCase())) return undefined;
  const found = PHRASES.find(({ words }) =>
    words.every((word, ahead) => cursor.peek(ahead)?.image.toLowerCase() === word),
  );
  // In a list, a word is an item that was not quoted.
  return found && cursor.inside !== 'list' ? repairPhrase(cursor, found) : undefined;
};

function repairPhrase(cursor: RepairCursor, found: Phrase): Repair {
  const { words, operands } = found;
  const count = words.length;
  const span = cursor.span(count);
  const written = cursor.source.slice(span.start, span.end);
  const fixed = rewrite(cursor, found);
  const quoted = quoteWritten(cursor, count, operands);
  const takesList = words.at(-1) === 'in' || words.at(-1) === 'of';
  const part = takesList ? '["pro", "team"]' : operands === 2 ? '10' : '"part"';
  const example = found.write('properties["name"]', part, '20')?.text;
  const fix = typeof fixed === 'object' ? fixed : undefined;
  const meant = fix?.text.trim() ?? example;
  const diagnostic =
    fix === undefined && (fixed === 'unsayable' || meant === undefined)
      ? diagnose('no-equivalent', span, {
          written: quoted,
          instead: adviseOn(/%[^%]+["']$/.test(quoted) && !/["'][^%]/.test(quoted) ? NO_END : (found.instead ?? ''), [
            findLeft(cursor)?.text,
            quotePart(readText(cursor.peek(count)?.image ?? '') ?? ''),
          ]),
        })
      : words.join(' ') === 'not in'
        ? diagnose('not-in', span, { meant: fix?.text.trim() ?? 'not properties["plan"] in ["free", "trial"]' }, fix)
        : diagnose('foreign-operator', span, { written, meant: meant ?? '' }, fix);
  if (operands === 0) return cursor.readAsComparison(count, diagnostic);
  if (takesList) {
    // The operand after the words is checked as usual, with what the words stand for before it.
    const read = cursor.readAsWord(count, 'in', diagnostic);
    const list = fix && readForeignList(cursor, count);
    if (list === undefined) return read;
    return { ...read, count: count + list.count, replacement: [...read.replacement, ...createList(list.span)] };
  }
  const lower = operands === 2 ? findRight(cursor, count) : undefined;
  const skipped = lower !== undefined && lower.next?.tokenType.name === 'and' ? lower.count + 1 : 0;
  return cursor.readAsWord(count + skipped, '==', diagnostic);
}

/** Shows a pattern together with the operator that takes it. */
function quoteWritten(cursor: RepairCursor, count: number, operands: number): string {
  const shown = operands === 1 && T.is(cursor.peek(count), T.StringLiteral) ? count + 1 : count;
  const { start, end } = cursor.span(shown);
  return cursor.source.slice(start, end);
}

function rewrite(cursor: RepairCursor, { words, operands, write }: Phrase) {
  const left = findLeft(cursor);
  if (left === undefined) return undefined;
  const count = words.length;
  const takesList = words.at(-1) === 'in' || words.at(-1) === 'of';
  const list = takesList ? readForeignList(cursor, count) : undefined;
  if (list?.isCertain === false) return undefined;
  const right = operands === 0 ? undefined : (list ?? findRight(cursor, count, takesList));
  if (operands > 0 && right === undefined) return undefined;
  const isRange = operands === 2 && right !== undefined;
  if (isRange && right.next?.tokenType.name !== 'and') return undefined;
  const upper = isRange ? findRight(cursor, count + right.count + 1) : undefined;
  if (isRange && upper === undefined) return undefined;
  const last = upper ?? right;
  const after = last === undefined ? cursor.peek(count) : last.next;
  if (!endsCondition(after)) return undefined;
  const rewritten = write(left.text, right?.text ?? '', upper?.text ?? '');
  if (rewritten === undefined) return 'unsayable' as const;
  const end = last?.span.end ?? cursor.span(count).end;
  return createFix(cursor.source, { start: left.span.start, end }, wrap(rewritten, left.next, after));
}
