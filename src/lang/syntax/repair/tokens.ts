import { quoteString } from '../../../base/strings.ts';
import { diagnose } from '../../diagnostic.ts';
import { POWER } from '../../operators/row.ts';
import * as T from '../vocabulary.ts';
import { convert, FALLBACK } from './calls.ts';
import type { FindRepair, RepairCursor } from './cursor.ts';
import { FOREIGN_OPERATORS } from './foreign-words.ts';
import { endsCondition, findLeft, MAX_TOKENS, meansComparison } from './operands.ts';
import { adviseOn, NO_PATTERN, quotePart } from './phrases.ts';

/** Two words in a row. `//` is floor division in other languages, and `// count > 3` could be one. */
const PROSE = /^\/\/\s*\p{L}+(?:['’]\p{L}+)?\s+(?!and\b|or\b|in\b|not\b)\p{L}+/iu;

/** A comment of JavaScript or Python. */
export const comment: FindRepair = (cursor) => {
  if (!cursor.sees(T.Comment)) return undefined;
  const { image } = cursor;
  const after = cursor.before();
  const mayDivide = cursor.afterOperand && !T.is(after, T.BooleanWord) && image.startsWith('//') && !PROSE.test(image);
  const fix = mayDivide ? undefined : { span: cursor.span(), text: '' };
  return cursor.remove(1, diagnose('comment', cursor.span(), { divides: mayDivide }, fix));
};

/** A comment of SQL. Two minus signs in a row can also negate twice, but then no space and bare word follow. */
export const dashComment: FindRepair = (cursor) => {
  const [first, second] = [cursor.peek(), cursor.peek(1)];
  if (!cursor.sees(T.Minus, T.Minus) || first === undefined || second?.startOffset !== first.startOffset + 1)
    return undefined;
  const line = /^--[ \t]+[\p{L}\d][^\r\n]*/u.exec(cursor.source.slice(first.startOffset))?.[0];
  if (line === undefined || !T.is(cursor.peek(2), T.Name)) return undefined;
  const end = first.startOffset + line.length;
  let count = 2;
  for (let token = cursor.peek(count); token !== undefined && token.startOffset < end; token = cursor.peek(count))
    count++;
  // A comment with a call, or with an operator, may be a calculation.
  if (cursor.afterOperand && /^--\s*[^\s()]+\s*[()<>=+*/%-]/u.test(line)) return undefined;
  const span = { start: first.startOffset, end };
  return cursor.remove(count, diagnose('comment', span, { divides: false }, { span, text: '' }));
};

/** A string in the quotes of word processors. */
export const curlyQuotes: FindRepair = (cursor) => {
  if (!cursor.sees(T.CurlyString)) return undefined;
  const span = cursor.span();
  // In `‘it’s`, a curly apostrophe was taken for the end of the string.
  const isWhole = !/^[\p{L}\p{N}]/u.test(cursor.source.slice(span.end, span.end + 2));
  const text = quoteString(cursor.image.slice(1, -1));
  const fix = isWhole ? { span, text } : undefined;
  return cursor.readAsOperand(1, diagnose('curly-quotes', span, { text }, fix));
};

/** SQL and CSV double a quote inside a string. */
export const doubledQuote: FindRepair = (cursor) => {
  if (!cursor.sees(T.StringLiteral, T.StringLiteral) || cursor.inside === 'list' || cursor.afterOperand)
    return undefined;
  const [quote] = cursor.image;
  let count = 1;
  for (let next = cursor.peek(1); T.is(next, T.StringLiteral); next = cursor.peek(++count)) {
    const before = cursor.peek(count - 1) as T.Token;
    if (next?.startOffset !== T.getTokenEnd(before) || next.image[0] !== quote) break;
  }
  if (count === 1) return undefined;
  const span = cursor.span(count);
  const images = Array.from({ length: count }, (_, index) => (cursor.peek(index) as T.Token).image.slice(1, -1));
  const text = `${quote}${images.join(`\\${quote}`)}${quote}`;
  return cursor.readAsOperand(count, diagnose('doubled-quote', span, { text }, { span, text }));
};

/** The seconds of the units of time that other languages write after a number. */
const SECONDS = new Map([
  ['s', 1],
  ['sec', 1],
  ['m', 60],
  ['min', 60],
  ['h', 3600],
  ['hr', 3600],
  ['d', 86_400],
  ['day', 86_400],
  ['days', 86_400],
  ['w', 604_800],
]);

/** `12px` and `7d` */
export const malformedNumber: FindRepair = (cursor) => {
  if (!cursor.sees(T.MalformedNumber)) return undefined;
  const [span, text] = [cursor.span(), cursor.image];
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?)([a-z]+)$/i.exec(text) ?? [];
  const seconds = SECONDS.get(unit.toLowerCase());
  const duration = seconds === undefined ? undefined : String(Number(count) * seconds);
  // `now` is in seconds. Without it, the unit of a property is not known.
  const isTime = T.is(cursor.before(2), T.NowWord) && ['+', '-'].includes(cursor.before()?.image ?? '');
  const grouped = /^\d{1,3}(?:_\d{3})+$/.test(text) ? text.replaceAll('_', '') : undefined;
  const meant = grouped ?? (isTime && unit !== 'm' ? duration : undefined);
  const fix = meant === undefined || meant.includes('e') ? undefined : { span, text: meant };
  return cursor.readAsOperand(1, diagnose('malformed-number', span, { text, duration, meant }, fix));
};

/** `10%`, of which the number or the share can be stored. */
export const percentage: FindRepair = (cursor) => {
  if (!cursor.sees(T.NumberLiteral) || cursor.peek(1)?.image !== '%' || !endsCondition(cursor.peek(2)))
    return undefined;
  const number = Number(cursor.image);
  const [span, meant] = [cursor.span(2), `${number}, or ${number / 100} for a share`];
  const text = cursor.source.slice(span.start, span.end);
  return cursor.readAsOperand(2, diagnose('malformed-number', span, { text, meant }));
};

/** A separator of thousands, or a decimal comma: outside lists, a comma cannot follow a number. */
export const groupedDigits: FindRepair = (cursor) => {
  if (!cursor.sees(T.NumberLiteral, T.Comma, T.NumberLiteral) || cursor.inside === 'list') return undefined;
  const isComparison = cursor.before()?.tokenType.infix?.power === POWER.comparison;
  const pair = cursor.source.slice(cursor.span(3).start, cursor.span(3).end);
  if (isComparison && /^(?:\d+|\d{1,3}(?:\.\d{3})+),(?:\d\d?|\d{4,})$/.test(pair)) {
    const meant = pair.replaceAll('.', '').replace(',', '.');
    const fix = { span: cursor.span(3), text: meant };
    return cursor.readAsOperand(3, diagnose('malformed-number', fix.span, { text: pair, meant }, fix));
  }
  if (!isComparison || !/^\d{1,3}$/.test(cursor.image)) return undefined;
  let count = 1;
  while (T.is(cursor.peek(count), T.Comma) && /^\d{3}(?:\.\d+)?$/.test(cursor.peek(count + 1)?.image ?? '')) count += 2;
  const span = cursor.span(count);
  const written = cursor.source.slice(span.start, span.end);
  if (count === 1 || !/^[\d,.]+$/.test(written)) return undefined;
  const text = written.replaceAll(',', '');
  return cursor.readAsOperand(count, diagnose('grouped-digits', span, { text }, { span, text }));
};

/** `&&`, `=` and others with one counterpart. */
export const foreignOperator: FindRepair = (cursor) => {
  if (!cursor.sees(T.ForeignOperator)) return undefined;
  const [span, written] = [cursor.span(), cursor.image];
  const meant = FOREIGN_OPERATORS.get(written) as string;
  // In JavaScript, two operands of SQL's `||` are conditions.
  const joins = written === '||' && findLeft(cursor) !== undefined && joinsString(cursor);
  const certain = !joins && (written !== '!' || negatesOperand(cursor));
  const fix = certain ? { span, text: addSpaces(cursor.source, span, meant) } : undefined;
  const diagnostic =
    written === '='
      ? diagnose('single-equals', span, undefined, fix)
      : diagnose('foreign-operator', span, { written, meant: joins ? '+' : certain ? meant : writeNot(cursor) }, fix);
  return cursor.readAsWord(1, meant, diagnostic);
};

/** Returns whether a string and something else than a literal are beside the cursor. */
function joinsString(cursor: RepairCursor): boolean {
  const [left, right] = [cursor.before(), cursor.peek(1)];
  return T.isLiteral(left) !== T.isLiteral(right) && (T.is(left, T.StringLiteral) || T.is(right, T.StringLiteral));
}

/** Writes `not` for the condition after the cursor. */
function writeNot(cursor: RepairCursor): string {
  let [count, depth] = [1, 0];
  for (let token = cursor.peek(1); token !== undefined && count < MAX_TOKENS; token = cursor.peek(++count)) {
    if (depth === 0 && endsCondition(token)) break;
    if (T.isOpening(token)) depth++;
    else if (T.isClosing(token)) depth--;
  }
  const { end } = cursor.span(count);
  return `not (${cursor.source.slice(cursor.span().end, end).trim()})`;
}

/** `!` binds tighter than `not`: `!a == b` is `(!a) == b`. */
function negatesOperand(cursor: RepairCursor): boolean {
  let [count, depth] = [1, 0];
  while (count <= MAX_TOKENS && cursor.peek(count)?.image === '!') count++;
  for (let token = cursor.peek(count); token !== undefined; token = cursor.peek(++count)) {
    if (count > MAX_TOKENS) return false;
    if (T.isOpening(token)) {
      depth++;
    } else if (T.isClosing(token)) {
      if (--depth < 0) return true;
    } else if (depth === 0) {
      if (endsCondition(token)) return true;
      if (isOperator(token)) return false;
    }
  }
  return true;
}

/** Returns whether a token is an operator, or was meant as one: a bare word can be. */
function isOperator(token: T.Token): boolean {
  return (
    token.tokenType.infix !== undefined || T.is(token, T.ForeignOperator, T.ForeignSymbol, T.Dot, T.PrefixOperator)
  );
}

/** Adds spaces around a word where it would otherwise run together with the source around it. */
function addSpaces(source: string, { start, end }: { start: number; end: number }, text: string): string {
  if (!/^[a-z]/.test(text)) return text;
  const before = start > 0 && /[^\s(]/.test(source[start - 1] ?? '') ? ' ' : '';
  const after = /[^\s]/.test(source[end] ?? '') ? ' ' : '';
  return `${before}${text}${after}`;
}

const POWERS = 'Multiply it by itself: properties["name"] * properties["name"].';
/** Advice for symbols that are no operators of the language. */
const INSTEAD = new Map([
  ['**', POWERS],
  ['^', POWERS],
  ['=~', NO_PATTERN],
  ['~', NO_PATTERN],
  ['!~', 'There are no patterns. To search for a part of a string, write not "part" in properties["name"].'],
  ['??', FALLBACK],
  [':', 'Join conditions with `and` or `or`.'],
]);

/** A symbol other than `?` that has no counterpart. */
export const foreignSymbol: FindRepair = (cursor) => {
  if (!cursor.sees(T.ForeignSymbol)) return undefined;
  // A conversion of PostgreSQL: `x::int`.
  if (cursor.afterOperand && cursor.source.startsWith('::', cursor.span().start) && T.is(cursor.peek(2), T.Name)) {
    const span = cursor.span(3);
    const written = cursor.source.slice(span.start, span.end);
    const meant = convert(findLeft(cursor)?.text ?? 'properties["name"]', written);
    return cursor.remove(3, diagnose('foreign-operator', span, { written, meant }));
  }
  const written = cursor.image;
  if (written === '>>' || written === '<<')
    return cursor.readAsWord(
      1,
      '>',
      diagnose('foreign-operator', cursor.span(), { written, meant: written.charAt(0) }),
    );
  const pattern = written.includes('~') ? readPattern(cursor) : 0;
  const searched = T.is(cursor.peek(1), T.StringLiteral) ? 2 : Math.max(pattern, 1);
  const part = quotePart(cursor.source.slice(cursor.span().end, cursor.span(searched).end));
  const instead = adviseOn(
    INSTEAD.get(written) ??
      `Expressions assign nothing.${written.endsWith('=') ? ` Write \`${written.charAt(0)}\` to compute, \`==\` to compare.` : ''}`,
    [findLeft(cursor)?.text, part],
  );
  if (pattern > 0) {
    const details = { written, instead };
    return cursor.readAsComparison(pattern, diagnose('no-equivalent', cursor.span(), details));
  }
  return cursor.readAsWord(
    1,
    cursor.afterOperand ? '+' : '-',
    diagnose('no-equivalent', cursor.span(), { written, instead }),
  );
};

/** Counts the tokens of an operator and of the pattern in slashes after it; 0 if there is none. */
function readPattern(cursor: RepairCursor): number {
  const { end } = cursor.span();
  const pattern = /^\s*\/(?:[^/\\\r\n]|\\.)+\/\w*/.exec(cursor.source.slice(end))?.[0];
  if (pattern === undefined) return 0;
  let count = 1;
  for (let token = cursor.peek(1); token !== undefined && T.getTokenEnd(token) <= end + pattern.length; count++)
    token = cursor.peek(count + 1);
  return count;
}

/** `x > 100 and < 200`: a comparison without its left operand takes that of the comparison before. */
export const missingLeft: FindRepair = (cursor) => {
  const [next, before] = [cursor.peek(), cursor.before()];
  if (next === undefined || before === undefined || !T.isLogical(before)) return undefined;
  if (!meansComparison(next)) return undefined;
  const left = findCompared(cursor);
  const at = { start: next.startOffset, end: next.startOffset };
  const fix = left === undefined ? undefined : { span: at, text: `${left} ` };
  const zero = T.createTokenAt(at.start, '', T.NowWord);
  const found = `\`${cursor.image}\``;
  return {
    count: 0,
    replacement: [zero],
    diagnostic: diagnose('missing-operand', cursor.span(), { found, left }, fix),
  };
};

/** Returns the source of the left operand of the last comparison before the `and` or `or` at the cursor. */
function findCompared(cursor: RepairCursor): string | undefined {
  const { repaired } = cursor;
  for (let index = repaired.length - 2, depth = 0; index > 0 && index > repaired.length - 100; index--) {
    const token = repaired[index] as T.Token;
    if (T.isClosing(token)) depth++;
    else if (T.isOpening(token) && --depth < 0) return undefined;
    else if (depth === 0 && T.isLogical(token)) return undefined;
    if (depth === 0 && token.tokenType.infix?.power === POWER.comparison) return findLeft(cursor, index)?.text;
  }
  return undefined;
}

/** A comma before a closing bracket. */
export const trailingComma: FindRepair = (cursor) => {
  const next = cursor.peek(1);
  if (!cursor.sees(T.Comma) || (next !== undefined && !T.isClosing(next)) || cursor.inside === undefined)
    return undefined;
  return cursor.remove(1, diagnose('trailing-comma', cursor.span(), undefined, { span: cursor.span(), text: '' }));
};

/** `now()` and `true()` */
export const needlessParentheses: FindRepair = (cursor) => {
  const before = cursor.before();
  if (!T.is(before, T.NowWord, T.BooleanWord) || !cursor.sees(T.OpenParenthesis, T.CloseParenthesis)) return undefined;
  const [span, word] = [cursor.span(2), (before as T.Token).image];
  // A zero-width token stands for an operand that has been reported.
  if (word.toLowerCase() !== 'now' && !/^(?:true|false)$/i.test(word)) return undefined;
  // `true()and` would become one word without the parentheses.
  const text = /[\p{L}\p{N}_$.]/u.test(cursor.source[span.end] ?? '') ? ' ' : '';
  return cursor.remove(2, diagnose('needless-parentheses', span, { word }, { span, text }));
};

/** A word before the filter, as in SQL, or all of `SELECT … FROM … WHERE`. */
export const leadingWord: FindRepair = (cursor) => {
  if (cursor.before() !== undefined || !cursor.sees(T.Name)) return undefined;
  const word = cursor.image;
  if (!/^(?:where|having|filter|select)$/i.test(word)) return undefined;
  let count = 1;
  if (/^s/i.test(word)) while (!/^where$/i.test(cursor.peek(count++)?.image ?? 'where'));
  const next = cursor.peek(count);
  if (next === undefined || !T.isOperandStart(next) || T.is(next, T.OpenParenthesis)) return undefined;
  const removed = { start: cursor.span().start, end: next.startOffset };
  return cursor.remove(count, diagnose('leading-word', cursor.span(count), { word }, { span: removed, text: '' }));
};
