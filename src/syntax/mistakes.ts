import { SCOPES } from '../language/ast.ts';
import { diagnose, type Fix } from '../language/diagnostic.ts';
import type { Span } from '../language/source.ts';
import { FUNCTIONS } from '../operators/table.ts';
import { propertyText, quoteText } from '../util/quote-text.ts';
import { suggest } from '../util/suggest.ts';
import type { Cursor } from './cursor.ts';
import { FOREIGN_FUNCTIONS, FOREIGN_OPERATORS, FOREIGN_SOURCES, NOTHING } from './foreign-words.ts';
import * as T from './vocabulary.ts';

const AND = T.findWord('and');

/** Recognises a mistake at the cursor, reports it and mends it; false where there is none. */
type Mistake = (cursor: Cursor) => boolean;

const comment: Mistake = (cursor) => {
  if (!cursor.sees(T.Comment)) return false;
  cursor.report(diagnose('comment', cursor.span(), undefined, { span: cursor.span(), text: '' }));
  cursor.replace(1);
  return true;
};

const curlyQuotes: Mistake = (cursor) => {
  if (!cursor.sees(T.CurlyString)) return false;
  const text = quoteText(cursor.image.slice(1, -1));
  cursor.report(diagnose('curly-quotes', cursor.span(), undefined, { span: cursor.span(), text }));
  cursor.mend(1);
  return true;
};

const malformedNumber: Mistake = (cursor) => {
  if (!cursor.sees(T.MalformedNumber)) return false;
  cursor.report(diagnose('malformed-number', cursor.span(), { text: cursor.image }));
  cursor.mend(1);
  return true;
};

const foreignOperator: Mistake = (cursor) => {
  if (!cursor.sees(T.ForeignOperator)) return false;
  const written = cursor.image;
  const meant = FOREIGN_OPERATORS.get(written) as string;
  const fix = { span: cursor.span(), text: spaced(cursor.source, cursor.span(), meant) };
  cursor.report(
    written === '='
      ? diagnose('single-equals', cursor.span(), undefined, fix)
      : diagnose('foreign-operator', cursor.span(), { written, meant }, fix),
  );
  cursor.substitute(1, meant);
  return true;
};

const notIn: Mistake = (cursor) => {
  if (!cursor.afterOperand || !cursor.sees(T.Not, T.In)) return false;
  cursor.report(diagnose('not-in', cursor.span(1)));
  cursor.substitute(2, 'in');
  return true;
};

const trailingComma: Mistake = (cursor) => {
  const next = cursor.peek(1);
  if (!cursor.sees(T.Comma) || (next !== undefined && !T.isClosing(next)) || cursor.inside === undefined) return false;
  cursor.report(diagnose('trailing-comma', cursor.span(), undefined, { span: cursor.span(), text: '' }));
  cursor.replace(1);
  return true;
};

const needlessParentheses: Mistake = (cursor) => {
  if (!(cursor.sees(T.OpenParenthesis, T.CloseParenthesis) && T.is(cursor.before(), T.Now, T.BooleanWord))) {
    return false;
  }
  const word = (cursor.before() as T.Token).image;
  cursor.report(diagnose('needless-parentheses', cursor.span(1), { word }, { span: cursor.span(1), text: '' }));
  cursor.replace(2);
  return true;
};

const nestedProperty: Mistake = (cursor) => {
  if (!T.is(cursor.before(), T.CloseBracket) || !cursor.sees(T.OpenBracket) || !T.is(cursor.peek(2), T.CloseBracket))
    return false;
  cursor.report(diagnose('nested-property', cursor.span(2)));
  cursor.replace(3);
  return true;
};

const dottedProperty: Mistake = (cursor) => {
  if (!cursor.sees(T.Scope, T.Dot)) return false;
  const count = 1 + dottedTail(cursor, 1);
  const span = cursor.span(count - 1);
  const name = cursor.source.slice(cursor.span(1).end, span.end).trim();
  const property = propertyText(cursor.image, name || 'name');
  cursor.report(diagnose('dotted-property', span, { property }, name === '' ? undefined : { span, text: property }));
  cursor.mend(count);
  return true;
};

/** How many tokens of `.name.name` stand from an offset on. A word of the language is a name there too. */
function dottedTail(cursor: Cursor, from: number): number {
  let count = 0;
  while (T.is(cursor.peek(from + count), T.Dot)) count += T.isWord(cursor.peek(from + count + 1)) ? 2 : 1;
  return count;
}

const unquotedProperty: Mistake = (cursor) => {
  const name = cursor.peek(2);
  if (!cursor.sees(T.Scope, T.OpenBracket) || !T.is(cursor.peek(3), T.CloseBracket) || T.is(name, T.StringLiteral))
    return false;
  const written = (name as T.Token).image;
  const curly = T.is(name, T.CurlyString);
  const property = propertyText(cursor.image, curly ? written.slice(1, -1) : written);
  const [at, fix] = [T.spanOf(name as T.Token), { span: cursor.span(3), text: property }];
  cursor.report(
    curly ? diagnose('curly-quotes', at, undefined, fix) : diagnose('property-name', at, { property }, fix),
  );
  cursor.mend(4);
  return true;
};

const unclosedProperty: Mistake = (cursor) => {
  const named = T.is(cursor.before(), T.StringLiteral) && T.is(cursor.before(2), T.OpenBracket);
  if (cursor.inside !== 'property' || !named || cursor.sees(T.CloseBracket)) return false;
  for (let ahead = 1; cursor.peek(ahead) !== undefined && !T.is(cursor.peek(ahead), T.OpenBracket); ahead++) {
    if (T.is(cursor.peek(ahead), T.CloseBracket)) return false;
  }
  const end = T.endOf(cursor.before() as T.Token);
  const opening = T.spanOf(cursor.before(2) as T.Token);
  cursor.report(
    diagnose('unclosed-bracket', opening, { open: '[', close: ']' }, { span: { start: end, end }, text: ']' }),
  );
  cursor.replace(0, T.createTokenAt(end, '', T.CloseBracket));
  return true;
};

const unknownSource: Mistake = (cursor) => {
  if (!cursor.sees(T.Name, T.OpenBracket) || cursor.afterOperand) return false;
  const name = cursor.image;
  const meant = FOREIGN_SOURCES.get(name.toLowerCase());
  const nearest = meant ?? suggest(name, SCOPES);
  cursor.report(diagnose('unknown-source', cursor.span(), { name, nearest }, certainFix(cursor, meant)));
  cursor.substitute(1, nearest ?? 'properties');
  return true;
};

/** A word of another language has one meaning here; a near one may be a mistake for something else. */
function certainFix(cursor: Cursor, meant: string | undefined): Fix | undefined {
  return meant === undefined ? undefined : { span: cursor.span(), text: meant };
}

const unknownFunction: Mistake = (cursor) => {
  if (!cursor.sees(T.Name, T.OpenParenthesis) || cursor.afterOperand) return false;
  const name = cursor.image;
  const meant = FOREIGN_FUNCTIONS.get(name.toLowerCase());
  const nearest = meant ?? suggest(name, Object.keys(FUNCTIONS));
  const known = Object.keys(FUNCTIONS).join(', ');
  cursor.report(diagnose('unknown-function', cursor.span(), { name, nearest, known }, certainFix(cursor, meant)));
  if (nearest) cursor.substitute(1, nearest);
  else cursor.mend(callLength(cursor));
  return true;
};

/** How many tokens the call at the cursor has; all the rest, where its parenthesis is never closed. */
function callLength(cursor: Cursor): number {
  let depth = 0;
  let count = 1;
  for (let token = cursor.peek(count); token !== undefined; token = cursor.peek(count)) {
    count++;
    if (T.isOpening(token)) depth++;
    if (T.isClosing(token) && --depth === 0) break;
  }
  return count;
}

const nullLiteral: Mistake = (cursor) => {
  if (!cursor.sees(T.Name) || cursor.afterOperand) return false;
  const written = cursor.image;
  if (!NOTHING.has(written.toLowerCase())) return false;
  cursor.report(diagnose('null-literal', cursor.span(), { written }));
  cursor.mend(1);
  return true;
};

const unknownOperator: Mistake = (cursor) => {
  if (!cursor.sees(T.Name) || !cursor.afterOperand) return false;
  cursor.report(diagnose('unknown-operator', cursor.span(), { name: cursor.image }));
  if (T.startsOperand(cursor.peek(1))) cursor.substitute(1, 'and');
  else cursor.replace(1);
  return true;
};

const bareName: Mistake = (cursor) => {
  if (!cursor.sees(T.Name)) return false;
  const count = 1 + dottedTail(cursor, 1);
  const span = cursor.span(count - 1);
  const name = cursor.source.slice(span.start, span.end);
  const property = propertyText('properties', name);
  cursor.report(diagnose('bare-name', span, { name, property }, certainMeaning(cursor, span, name, property)));
  cursor.mend(count);
  return true;
};

/** A list holds no properties; but to the right of a comparison a name can be either. */
function certainMeaning(cursor: Cursor, span: Span, name: string, property: string): Fix | undefined {
  if (cursor.inside === 'list') return { span, text: quoteText(name) };
  const before = cursor.before();
  const either = before?.tokenType.infix !== undefined && !T.isLogical(before);
  return either ? undefined : { span, text: property };
}

const missingOperator: Mistake = (cursor) => {
  const next = cursor.peek();
  if (!cursor.afterOperand || next === undefined || !T.startsOperand(next) || cursor.inside === 'property')
    return false;
  const found = `\`${cursor.image}\``;
  const end = T.endOf(cursor.before() as T.Token);
  // What stands between has been reported, and may have been meant for an operator.
  const start = next.startOffset;
  const reported = cursor.source.slice(end, start).trim() !== '';
  if (cursor.inside === 'list') {
    const fix = { span: { start: end, end }, text: ',' };
    if (!reported) cursor.report(diagnose('missing-comma', cursor.span(), { found }, fix));
    cursor.replace(1, T.createTokenAt(start, '', T.Comma), next);
  } else {
    if (!reported) cursor.report(diagnose('missing-operator', cursor.span(), { found }));
    cursor.replace(1, T.createTokenAt(start, '', AND), next);
  }
  return true;
};

/** Every mistake that shows in the tokens alone; the first that recognises itself is the one. */
export const MISTAKES: readonly Mistake[] = [
  comment,
  needlessParentheses,
  notIn,
  trailingComma,
  nestedProperty,
  dottedProperty,
  unquotedProperty,
  unclosedProperty,
  unknownOperator,
  unknownSource,
  unknownFunction,
  nullLiteral,
  bareName,
  missingOperator,
  curlyQuotes,
  malformedNumber,
  foreignOperator,
];

/** The text with a space on each side where the source would otherwise run into it. */
function spaced(source: string, { start, end }: Span, text: string): string {
  if (!/^[a-z]/.test(text)) return text;
  const before = start > 0 && /[^\s(]/.test(source[start - 1] ?? '') ? ' ' : '';
  const after = /[^\s]/.test(source[end] ?? '') ? ' ' : '';
  return `${before}${text}${after}`;
}
