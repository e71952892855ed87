import { SCOPES } from '../ast.ts';
import { type Diagnostic, diagnose, type Fix } from '../diagnostic.ts';
import { FUNCTIONS } from '../operators/table.ts';
import type { Span } from '../source.ts';
import { formatProperty, quoteString } from '../util/strings.ts';
import { suggest } from '../util/suggest.ts';
import { type Repair, RepairCursor } from './cursor.ts';
import { FOREIGN_FUNCTIONS, FOREIGN_OPERATORS, FOREIGN_SOURCES, NOTHING } from './foreign-words.ts';
import * as T from './vocabulary.ts';

/**
 * Yields the mistakes that the tokens alone show, and returns the repaired tokens, so that the grammar can find other
 * mistakes.
 */
export function* repair(source: string, tokens: readonly T.Token[]): Generator<Diagnostic, readonly T.Token[]> {
  const cursor = new RepairCursor(source, tokens);
  for (let next = cursor.peek(); next !== undefined; next = cursor.peek()) {
    const found = findRepair(cursor);
    if (found?.diagnostic !== undefined) yield found.diagnostic;
    cursor.apply(found ?? { count: 1, replacement: [next] });
  }
  return cursor.repaired;
}

function findRepair(cursor: RepairCursor): Repair | undefined {
  for (const findMistake of MISTAKES) {
    const found = findMistake(cursor);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns how to repair a mistake at the cursor, undefined if it does not find it there. */
type FindRepair = (cursor: RepairCursor) => Repair | undefined;

/** `//` is floor division in other languages. Removing it as a comment would silently change the filter. */
const FLOOR_DIVISION = /^\/\/\s*(?:[\d.(-]|properties\b|user\b)/;

const comment: FindRepair = (cursor) => {
  if (!cursor.sees(T.Comment)) return undefined;
  const mayDivide = cursor.afterOperand && FLOOR_DIVISION.test(cursor.image);
  const fix = mayDivide ? undefined : { span: cursor.span(), text: '' };
  return cursor.remove(1, diagnose('comment', cursor.span(), undefined, fix));
};

const curlyQuotes: FindRepair = (cursor) => {
  if (!cursor.sees(T.CurlyString)) return undefined;
  const fix = { span: cursor.span(), text: quoteString(cursor.image.slice(1, -1)) };
  return cursor.readAsOperand(1, diagnose('curly-quotes', cursor.span(), undefined, fix));
};

const malformedNumber: FindRepair = (cursor) => {
  if (!cursor.sees(T.MalformedNumber)) return undefined;
  return cursor.readAsOperand(1, diagnose('malformed-number', cursor.span(), { text: cursor.image }));
};

const foreignOperator: FindRepair = (cursor) => {
  if (!cursor.sees(T.ForeignOperator)) return undefined;
  const written = cursor.image;
  const meant = FOREIGN_OPERATORS.get(written) as string;
  const span = cursor.span();
  const fix = { span, text: addSpaces(cursor.source, span, meant) };
  const diagnostic =
    written === '='
      ? diagnose('single-equals', span, undefined, fix)
      : diagnose('foreign-operator', span, { written, meant }, fix);
  return cursor.readAsWord(1, meant, diagnostic);
};

const NOT = T.findWord('not');

const notIn: FindRepair = (cursor) => {
  if (!cursor.afterOperand || cursor.peek()?.tokenType !== NOT || !T.is(cursor.peek(1), T.In)) return undefined;
  return cursor.readAsWord(2, 'in', diagnose('not-in', cursor.span(2)));
};

const trailingComma: FindRepair = (cursor) => {
  const next = cursor.peek(1);
  if (!cursor.sees(T.Comma) || (next !== undefined && !T.isClosing(next)) || cursor.inside === undefined)
    return undefined;
  return cursor.remove(1, diagnose('trailing-comma', cursor.span(), undefined, { span: cursor.span(), text: '' }));
};

const needlessParentheses: FindRepair = (cursor) => {
  const before = cursor.before();
  if (!T.is(before, T.NowWord, T.BooleanWord) || !cursor.sees(T.OpenParenthesis, T.CloseParenthesis)) return undefined;
  const [span, word] = [cursor.span(2), (before as T.Token).image];
  // `true()and` would become one word without the parentheses.
  const text = /\w/.test(cursor.source[span.end] ?? '') ? ' ' : '';
  return cursor.remove(2, diagnose('needless-parentheses', span, { word }, { span, text }));
};

const nestedProperty: FindRepair = (cursor) => {
  if (!T.is(cursor.before(), T.CloseBracket) || !cursor.sees(T.OpenBracket) || !T.is(cursor.peek(2), T.CloseBracket))
    return undefined;
  return cursor.remove(3, diagnose('nested-property', cursor.span(3)));
};

const dottedProperty: FindRepair = (cursor) => {
  if (!cursor.sees(T.ScopeWord, T.Dot)) return undefined;
  const count = countDotted(cursor);
  const span = cursor.span(count);
  const name = cursor.source.slice(cursor.span(2).end, span.end).trim();
  const property = formatProperty(cursor.image, name || 'name');
  const fix = name === '' ? undefined : { span, text: property };
  return cursor.readAsOperand(count, diagnose('dotted-property', span, { property }, fix));
};

/** Counts the tokens of the next word and the `.name.name` after it. Words of the language are names there too. */
function countDotted(cursor: RepairCursor): number {
  let count = 1;
  while (T.is(cursor.peek(count), T.Dot)) count += T.isWord(cursor.peek(count + 1)) ? 2 : 1;
  return count;
}

const unquotedProperty: FindRepair = (cursor) => {
  const name = cursor.peek(2);
  if (!cursor.sees(T.ScopeWord, T.OpenBracket) || !T.is(cursor.peek(3), T.CloseBracket) || T.is(name, T.StringLiteral))
    return undefined;
  const written = (name as T.Token).image;
  const curly = T.is(name, T.CurlyString);
  const property = formatProperty(cursor.image, curly ? written.slice(1, -1) : written);
  const [at, fix] = [T.getTokenSpan(name as T.Token), { span: cursor.span(4), text: property }];
  return cursor.readAsOperand(
    4,
    curly ? diagnose('curly-quotes', at, undefined, fix) : diagnose('property-name', at, { property }, fix),
  );
};

const unclosedProperty: FindRepair = (cursor) => {
  const named = T.is(cursor.before(), T.StringLiteral) && T.is(cursor.before(2), T.OpenBracket);
  if (cursor.inside !== 'property' || !named || cursor.sees(T.CloseBracket)) return undefined;
  for (let ahead = 1; cursor.peek(ahead) !== undefined && !T.is(cursor.peek(ahead), T.OpenBracket); ahead++) {
    if (T.is(cursor.peek(ahead), T.CloseBracket)) return undefined;
  }
  const end = T.getTokenEnd(cursor.before() as T.Token);
  const opening = T.getTokenSpan(cursor.before(2) as T.Token);
  const fix = { span: { start: end, end }, text: ']' };
  return {
    count: 0,
    replacement: [T.createTokenAt(end, '', T.CloseBracket)],
    diagnostic: diagnose('unclosed-bracket', opening, { open: '[', close: ']' }, fix),
  };
};

/** The language has no names. The tokens around a name show what it was meant for. */
const misusedName: FindRepair = (cursor) => {
  if (!cursor.sees(T.Name)) return undefined;
  if (cursor.afterOperand) return repairOperator(cursor);
  if (cursor.sees(T.Name, T.OpenBracket)) return repairSource(cursor);
  if (cursor.sees(T.Name, T.OpenParenthesis)) return repairFunction(cursor);
  const written = cursor.image;
  if (!NOTHING.has(written.toLowerCase())) return repairBareName(cursor);
  return cursor.readAsOperand(1, diagnose('null-literal', cursor.span(), { written }));
};

function repairOperator(cursor: RepairCursor): Repair {
  const diagnostic = diagnose('unknown-operator', cursor.span(), { name: cursor.image });
  return T.isOperandStart(cursor.peek(1)) ? cursor.readAsWord(1, 'and', diagnostic) : cursor.remove(1, diagnostic);
}

function repairSource(cursor: RepairCursor): Repair {
  const name = cursor.image;
  const meant = FOREIGN_SOURCES.get(name.toLowerCase());
  const nearest = meant ?? suggest(name, SCOPES);
  const diagnostic = diagnose('unknown-source', cursor.span(), { name, nearest }, fixForeignWord(cursor, meant));
  return cursor.readAsWord(1, nearest ?? 'properties', diagnostic);
}

function repairFunction(cursor: RepairCursor): Repair {
  const name = cursor.image;
  const meant = FOREIGN_FUNCTIONS.get(name.toLowerCase());
  const nearest = meant ?? suggest(name, Object.keys(FUNCTIONS));
  const known = Object.keys(FUNCTIONS).join(', ');
  const diagnostic = diagnose(
    'unknown-function',
    cursor.span(),
    { name, nearest, known },
    fixForeignWord(cursor, meant),
  );
  return nearest ? cursor.readAsWord(1, nearest, diagnostic) : cursor.readAsOperand(countCall(cursor), diagnostic);
}

/** Returns a fix for a word of another language, which has one meaning here. A name that is only similar has no fix. */
function fixForeignWord(cursor: RepairCursor, meant: string | undefined): Fix | undefined {
  return meant === undefined ? undefined : { span: cursor.span(), text: meant };
}

/** Counts the tokens of the next call. If its parenthesis is never closed, these are all tokens that follow. */
function countCall(cursor: RepairCursor): number {
  let depth = 0;
  let count = 1;
  for (let token = cursor.peek(count); token !== undefined; token = cursor.peek(count)) {
    count++;
    if (T.isOpening(token)) depth++;
    if (T.isClosing(token) && --depth === 0) break;
  }
  return count;
}

function repairBareName(cursor: RepairCursor): Repair {
  const count = countDotted(cursor);
  const span = cursor.span(count);
  const name = cursor.source.slice(span.start, span.end);
  const property = formatProperty('properties', name);
  const fix = fixBareName(cursor, span, name, property);
  return cursor.readAsOperand(count, diagnose('bare-name', span, { name, property }, fix));
}

/** A list cannot hold properties. After a comparison the name can be a property or a string, so there is no fix. */
function fixBareName(cursor: RepairCursor, span: Span, name: string, property: string): Fix | undefined {
  if (cursor.inside === 'list') return { span, text: quoteString(name) };
  const before = cursor.before();
  const either = before?.tokenType.infix !== undefined && !T.isLogical(before);
  return either ? undefined : { span, text: property };
}

const AND = T.findWord('and');

const missingOperator: FindRepair = (cursor) => {
  const next = cursor.peek() as T.Token;
  if (!cursor.afterOperand || !T.isOperandStart(next) || cursor.inside === 'property') return undefined;
  const inList = cursor.inside === 'list';
  const end = T.getTokenEnd(cursor.before() as T.Token);
  const start = next.startOffset;
  const separator = inList ? T.createTokenAt(start, '', T.Comma) : T.createTokenAt(start, '', AND);
  // If something stands between the two operands, it has been reported, and may have been meant as an operator.
  if (cursor.source.slice(end, start).trim() !== '') return { count: 1, replacement: [separator, next] };
  const found = `\`${cursor.image}\``;
  const diagnostic = inList
    ? diagnose('missing-comma', cursor.span(), { found }, { span: { start: end, end }, text: ',' })
    : diagnose('missing-operator', cursor.span(), { found });
  return { count: 1, replacement: [separator, next], diagnostic };
};

/** In order of precedence: the first that finds a mistake reports it. */
const MISTAKES: readonly FindRepair[] = [
  comment,
  needlessParentheses,
  notIn,
  trailingComma,
  nestedProperty,
  dottedProperty,
  unquotedProperty,
  unclosedProperty,
  misusedName,
  missingOperator,
  curlyQuotes,
  malformedNumber,
  foreignOperator,
];

/** Adds spaces around a word where it would otherwise run together with the source around it. */
function addSpaces(source: string, { start, end }: Span, text: string): string {
  if (!/^[a-z]/.test(text)) return text;
  const before = start > 0 && /[^\s(]/.test(source[start - 1] ?? '') ? ' ' : '';
  const after = /[^\s]/.test(source[end] ?? '') ? ' ' : '';
  return `${before}${text}${after}`;
}
