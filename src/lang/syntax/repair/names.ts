import { formatProperty } from '../../../base/strings.ts';
import { suggest } from '../../../base/suggest.ts';
import { SCOPES } from '../../ast.ts';
import { type Diagnostic, diagnose, type Fix } from '../../diagnostic.ts';
import { FUNCTIONS } from '../../operators/table.ts';
import * as T from '../vocabulary.ts';
import { ELEMENTS, repairForeignCall } from './calls.ts';
import type { FindRepair, Repair, RepairCursor } from './cursor.ts';
import { FOREIGN_FUNCTIONS, FOREIGN_SOURCES, NOTHING } from './foreign-words.ts';
import { countCall, createFix, endsCondition, findLeft, findRight, meansComparison, wrap } from './operands.ts';
import { adviseOn, writeAbsence, writePresence } from './phrases.ts';
import { countDotted, readPart } from './properties.ts';

/** The language has no names. The tokens around a name show what it was meant for. */
export const misusedName: FindRepair = (cursor) => {
  if (!cursor.sees(T.Name)) return undefined;
  if (cursor.afterOperand) return cursor.inside === 'list' ? undefined : repairOperator(cursor);
  if (cursor.sees(T.Name, T.OpenBracket)) return repairSource(cursor);
  if (cursor.sees(T.Name, T.OpenParenthesis)) return repairFunction(cursor);
  return NOTHING.has(cursor.image.toLowerCase()) ? repairNothing(cursor) : repairName(cursor);
};

/** Words that replace a missing value in other languages. `NaN` is a number there. */
const isValueless = (word: string) => word !== 'nan';

/** `x == null`: the test that was meant, where it is a comparison with nothing else. */
function repairNothing(cursor: RepairCursor): Repair {
  const written = cursor.image;
  const operator = cursor.before()?.tokenType.name;
  const left = findLeft(cursor, cursor.repaired.length - 1);
  const after = cursor.peek(1);
  let fix: Fix | undefined;
  if (left !== undefined && isValueless(written.toLowerCase()) && endsCondition(after)) {
    const rewrite =
      operator === '==' ? writeAbsence(left.text) : operator === '!=' ? writePresence(left.text) : undefined;
    const span = { start: left.span.start, end: cursor.span().end };
    if (rewrite !== undefined) fix = createFix(cursor.source, span, wrap(rewrite, left.next, after));
  }
  return cursor.readAsOperand(1, diagnose('null-literal', cursor.span(), { written, meant: fix?.text.trim() }, fix));
}

/** Advice for operators of other languages that are words, in lower case. */
const OPERATORS_INSTEAD: ReadonlyMap<string, (left: string, right: string) => string> = new Map([
  ['xor', (left: string, right: string) => `For two booleans, write ${left} != ${right}.`],
  ['div', (left: string, right: string) => `To divide and round down, write floor(${left} / ${right}).`],
]);

function repairOperator(cursor: RepairCursor): Repair {
  const name = cursor.image;
  const write = OPERATORS_INSTEAD.get(name.toLowerCase());
  const next = cursor.peek(1);
  const right = T.isLiteral(next) ? next?.image : findRight(cursor, 1)?.text;
  const left = findLeft(cursor)?.text;
  const instead = left === undefined || right === undefined ? write?.('a', 'b') : write?.(left, right);
  const diagnostic = /^mod$/i.test(name)
    ? diagnose('foreign-operator', cursor.span(), { written: name, meant: '%' }, { span: cursor.span(), text: '%' })
    : instead === undefined
      ? diagnose('unknown-operator', cursor.span(), { name })
      : diagnose('no-equivalent', cursor.span(), { written: name, instead });
  return T.isOperandStart(cursor.peek(1)) ? cursor.readAsWord(1, 'and', diagnostic) : cursor.remove(1, diagnostic);
}

function repairSource(cursor: RepairCursor): Repair {
  const name = cursor.image;
  if (cursor.sees(T.Name, T.OpenBracket, T.NumberLiteral, T.CloseBracket)) {
    const details = { index: true, property: formatProperty('properties', name), ...readPart(cursor, 4) };
    return cursor.readAsOperand(4, diagnose('nested-property', cursor.span(4), details));
  }
  const meant = FOREIGN_SOURCES.get(name.toLowerCase());
  const nearest = meant ?? suggest(name, SCOPES);
  const diagnostic = diagnose('unknown-source', cursor.span(), { name, nearest }, fixForeignWord(cursor, meant));
  return cursor.readAsWord(1, nearest ?? 'properties', diagnostic);
}

function repairFunction(cursor: RepairCursor): Repair {
  const name = cursor.image;
  if (/^select$/i.test(cursor.peek(2)?.image ?? '')) {
    const details = { written: `${name}(select`, instead: 'There are no subqueries.' };
    return cursor.readAsOperand(countCall(cursor), diagnose('no-equivalent', cursor.span(3), details));
  }
  const meant = FOREIGN_FUNCTIONS.get(name.toLowerCase());
  const nearest = meant ?? suggest(name, Object.keys(FUNCTIONS));
  const foreign = nearest === undefined ? repairForeignCall(cursor) : undefined;
  if (foreign !== undefined) return foreign;
  const known = Object.keys(FUNCTIONS).join(', ');
  const details = { name, nearest, known };
  const diagnostic = diagnose('unknown-function', cursor.span(), details, fixForeignWord(cursor, meant));
  return nearest ? cursor.readAsWord(1, nearest, diagnostic) : cursor.readAsOperand(countCall(cursor), diagnostic);
}

/** Returns a fix for a word of another language, which has one meaning here. A name that is only similar has no fix. */
function fixForeignWord(cursor: RepairCursor, meant: string | undefined): Fix | undefined {
  return meant === undefined ? undefined : { span: cursor.span(), text: meant };
}

function repairName(cursor: RepairCursor): Repair {
  const next = cursor.peek(1);
  // Before an operand, a name is an operator of another language, such as `typeof`.
  const isPrefix = T.isOperandStart(next) && !T.is(next, T.PrefixOperator, T.Name) && cursor.inside === undefined;
  if (isPrefix) return cursor.remove(1, diagnosePrefix(cursor));
  const count = countDotted(cursor);
  const span = cursor.span(count);
  const written = cursor.source.slice(span.start, span.end);
  if (/^[$]\d+$/.test(written)) {
    const meant = written.slice(1);
    return cursor.readAsOperand(1, diagnose('malformed-number', span, { text: written, meant }, { span, text: meant }));
  }
  // A path of JSONPath.
  const name = written.replace(/^[$][.]/, '');
  const property = formatProperty('properties', name);
  const fix = fixBareName(cursor, name, property) ? { span, text: property } : undefined;
  return cursor.readAsOperand(
    count,
    diagnose('bare-name', span, { name, property, inList: cursor.inside === 'list' }, fix),
  );
}

function diagnosePrefix(cursor: RepairCursor): Diagnostic {
  const written = cursor.image;
  // A date of SQL.
  if (/^(?:date|timestamp)$/i.test(written) && cursor.sees(T.Name, T.StringLiteral))
    return diagnose('foreign-operator', cursor.span(), { written, meant: `datetime(${cursor.peek(1)?.image})` });
  if (/^(?:any|all|some|each)$/i.test(written)) {
    const instead = adviseOn(ELEMENTS, [readProperty(cursor), readPart(cursor, 5).part]);
    return diagnose('no-equivalent', cursor.span(), { written, instead });
  }
  const instead = adviseOn('To select strings, write properties["name"] >= "".', [readProperty(cursor)]);
  return written.toLowerCase() === 'typeof'
    ? diagnose('no-equivalent', cursor.span(), { written, instead })
    : diagnose('unknown-operator', cursor.span(), { name: written });
}

/** A name in the quotes of SQL: `` `plan` ``, `[plan] = 1`, `"plan" = 1`. */
export const quotedName: FindRepair = (cursor) => {
  const isBacktick = cursor.sees(T.CurlyString) && cursor.image.startsWith('`');
  const count = cursor.sees(T.OpenBracket, T.Name, T.CloseBracket) ? 3 : 1;
  const isCompared =
    count === 3
      ? meansComparison(cursor.peek(3))
      : cursor.image.startsWith('"') && cursor.peek(1)?.image === '=' && T.isLiteral(cursor.peek(2));
  if (cursor.afterOperand || !(isBacktick || (isCompared && !meansComparison(cursor.before())))) return undefined;
  const span = cursor.span(count);
  const name = cursor.source.slice(span.start + 1, span.end - 1);
  const property = formatProperty('properties', name);
  const fix = fixBareName(cursor, name, property) ? { span, text: property } : undefined;
  const details = { name, property, inList: cursor.inside === 'list', isQuoted: fix !== undefined };
  return cursor.readAsOperand(count, diagnose('bare-name', span, details, fix));
};

/** Returns the source of the property after the next token. */
function readProperty(cursor: RepairCursor): string | undefined {
  if (!cursor.sees(T.Name, T.ScopeWord, T.OpenBracket, T.StringLiteral, T.CloseBracket)) return undefined;
  return cursor.source.slice(cursor.peek(1)?.startOffset, cursor.span(5).end);
}

/** In a list or after a comparison, the name can be a property or a string. With a dot, it can be of a nested one. */
function fixBareName(cursor: RepairCursor, name: string, property: string): boolean {
  const outer = countParentheses(cursor);
  const before = cursor.before(outer + 1);
  const either = before?.tokenType.infix !== undefined && !T.isLogical(before) && !needsProperty(cursor, outer);
  return !either && cursor.inside !== 'list' && !name.includes('.') && property !== '';
}

/** Returns how many parentheses hold nothing but the name at the cursor. */
function countParentheses(cursor: RepairCursor): number {
  let count = 0;
  while (T.is(cursor.before(count + 1), T.OpenParenthesis) && T.is(cursor.peek(count + 1), T.CloseParenthesis)) count++;
  return count;
}

/** After `5 <`, `2 *` and `"part" in`, a string would make no sense. */
function needsProperty(cursor: RepairCursor, outer: number): boolean {
  const [left, operator] = [cursor.before(outer + 2), cursor.before(outer + 1)];
  if (['*', '/', '%', '-'].includes(operator?.image ?? '')) return true;
  return T.is(left, operator?.tokenType.name === 'in' ? T.StringLiteral : T.NumberLiteral);
}

const AND = T.findWord('and');

/** Two operands without an operator between them, or two items without a comma. */
export const missingOperator: FindRepair = (cursor) => {
  const next = cursor.peek() as T.Token;
  if (!cursor.afterOperand || !T.isOperandStart(next) || cursor.inside === 'property') return undefined;
  const inList = cursor.inside === 'list';
  const end = T.getTokenEnd(cursor.before() as T.Token);
  const start = next.startOffset;
  const separator = inList ? T.createTokenAt(start, '', T.Comma) : T.createTokenAt(start, '', AND);
  // If something is between the two operands, it has been reported, and may have been meant as an operator.
  if (cursor.source.slice(end, start).trim() !== '') return { count: 0, replacement: [separator] };
  const found = `\`${cursor.image}\``;
  // Two strings without a space between them can be one string with a doubled quote.
  const fix = start > end ? { span: { start: end, end }, text: ',' } : undefined;
  const diagnostic = inList
    ? diagnose('missing-comma', cursor.span(), { found }, fix)
    : diagnose('missing-operator', cursor.span(), { found });
  return { count: 0, replacement: [separator], diagnostic };
};
