import type { Span } from '../source.ts';
import { all, any, type Condition, definedOf, NO, negated, twoValued, YES } from './conditions.ts';
import { truthOf } from './loose.ts';
import { refuseAt } from './refusal.ts';
import { readPlainPattern, type StringTest } from './strings.ts';
import { readMoment, toTimeValue } from './times.ts';
import type { ForeignToken, TokenCursor, TokenRules } from './tokens.ts';
import { constantOf, type ForeignValue, getConstant, guarded, NULL_VALUE, testOperands } from './values.ts';

/** The tokens of CEL and JavaScript. */
export const RULES: TokenRules = {
  comments: /\/\/[^\r\n]*|\/\*(?:[\s\S]*?\*\/|[\s\S]*)/y,
  quotes: { '"': { kind: 'string', backslash: true }, "'": { kind: 'string', backslash: true } },
  symbols: /===|!==|==|!=|<=|>=|\*\*|\+\+|--|&&|\|\||\?\?|\?\./y,
};

/** Methods of strings, by name. */
export const STRING_TESTS = new Map<string, StringTest>([
  ['startsWith', 'startsWith'],
  ['contains', 'contains'],
  ['includes', 'contains'],
]);

export const NUMBERS_NOTE = 'Whole numbers and others are alike here. CEL does not compute with an int and a double.';

/** In JavaScript, a missing value is not a number in comparisons of order. */
export const LOOSE = { zeroInOrder: false, equalsBlank: false };

/** A part of a condition. The path of a property lets it go on with a dot. */
export type InfixTerm = { readonly span: Span; readonly isChain?: boolean } & (
  | {
      readonly kind: 'condition';
      readonly condition: Condition;
      /** Whether it is neither undefined nor null. Left out if that is not known, as of `a && b`, which can be `a`. */
      readonly presence?: Condition;
    }
  | { readonly kind: 'value'; readonly value: ForeignValue; readonly path?: readonly string[] }
);

const LISTS = 'Only one test of a list is translated: whether it has an element, as in tags.includes("sale").';
const PATTERNS = 'onwhere has no regular expressions.';
const SPELLINGS = 'onwhere compares strings exactly. List the spellings: ["pro", "Pro"].includes(plan).';

/** Why a function or a method has no translation, by its name in lower case. */
const REASONS = new Map([
  ...['tolowercase', 'touppercase', 'lower', 'upper'].map((name) => [name, SPELLINGS] as const),
  ...['some', 'every', 'exists', 'all', 'filter', 'map', 'find', 'join'].map((name) => [name, LISTS] as const),
  ...['match', 'test', 'matches', 'search', 'replace'].map((name) => [name, PATTERNS] as const),
  ...['size', 'length'].map((name) => [name, 'onwhere cannot measure lengths.'] as const),
  ['endswith', 'onwhere cannot test how a string ends.'],
  ['indexof', 'Write includes(...) to find a part, and startsWith(...) to find it at the start.'],
  ['abs', 'Compare both sides of zero: x > 5 || x < -5.'],
  ...['number', 'parsefloat', 'parseint', 'int', 'double', 'string'].map(
    (name) => [name, 'Languages convert values differently. Compare the property with a value of its type.'] as const,
  ),
  ['date', 'Only a literal time is translated, in CEL: timestamp("2025-01-01T00:00:00Z").'],
]);

/** Says why a function or a method has no translation. */
export function describeMethod(name: string): string {
  return REASONS.get(name.toLowerCase()) ?? `${name}() has no translation.`;
}

/** Returns what a method tests, given the literal that is its argument. */
export function readStringTest(
  name: string,
  constant: unknown,
  span: Span,
): { readonly test: StringTest; readonly text: string } {
  if (typeof constant !== 'string') return refuseAt('function', span, describeMethod(name));
  const plain = name === 'matches' ? readPlainPattern(constant) : undefined;
  const test = plain?.test ?? STRING_TESTS.get(name);
  if (test === undefined) return refuseAt('pattern', span, describeMethod(name));
  return { test, text: plain?.text ?? constant };
}

/** Returns the value of a literal, or undefined for a name. */
export function readLiteral({ kind, text, span }: ForeignToken, next: ForeignToken): ForeignValue | undefined {
  if (kind === 'string') return constantOf(text);
  if (kind === 'number') {
    if (!Number.isFinite(Number(text))) refuseAt('type', span, 'This number is too large.');
    if (/^0\d/.test(text)) refuseAt('type', span, 'Languages read a number that begins with 0 differently.');
    if (next.kind === 'word' && next.span.start === span.end)
      refuseAt('syntax', next.span, `\`${next.text}\` is not understood here.`);
    return constantOf(Number(text), !/^\d+$/.test(text));
  }
  if (text === 'new') refuseAt('time', span, describeMethod('date'));
  if (text === 'typeof') refuseAt('function', span, 'Write x !== undefined to test that there is a value.');
  if (text === 'true' || text === 'false') return constantOf(text === 'true');
  return ['null', 'undefined', 'nil'].includes(text) ? NULL_VALUE : undefined;
}

/** Always true: the presence of a comparison. */
export const ALWAYS: Condition = { isTrue: YES, isFalse: NO };

/** Whether a value of JavaScript is neither undefined nor null. A computed number is NaN instead. */
export function presenceInScript(value: ForeignValue): Condition {
  return testOperands([value], ({ expression, type }) => {
    if (expression === undefined) return negated(ALWAYS);
    return type === undefined ? twoValued(definedOf(expression)) : ALWAYS;
  });
}

/** Chooses between two conditions. Unlike `CASE`, the result is unknown if the test is. */
export function branchCondition(test: Condition, yes: Condition, no: Condition): Condition {
  return {
    isTrue: any([all([test.isTrue, yes.isTrue]), all([test.isFalse, no.isTrue])]),
    isFalse: any([all([test.isTrue, yes.isFalse]), all([test.isFalse, no.isFalse])]),
  };
}

/** Chooses between two values. Where the test is unknown, there is none, so that a condition on it is unknown too. */
export function branchValue(test: Condition, yes: ForeignValue, no: ForeignValue): ForeignValue {
  return [...guarded([test.isTrue], yes), ...guarded([test.isFalse], no)];
}

/** Returns the first of some terms that is neither undefined nor null, else the last. */
export function firstDefined(terms: readonly InfixTerm[], span: Span): InfixTerm {
  return terms.reduceRight((rest, term): InfixTerm => {
    const presence = term.kind === 'value' ? presenceInScript(term.value) : term.presence;
    if (presence === undefined)
      return refuseAt('operator', term.span, 'Only a property or a comparison is translated before `??`.');
    if (term.kind === 'value' && rest.kind === 'value')
      return { kind: 'value', value: branchValue(presence, term.value, rest.value), span };
    return { kind: 'condition', condition: branchCondition(presence, isTruthy(term), isTruthy(rest)), span };
  });
}

function isTruthy(term: InfixTerm): Condition {
  return term.kind === 'value' ? truthOf(term.value) : term.condition;
}

/** Parses the literals of a list, after its bracket. */
export function parseItems(
  cursor: TokenCursor,
  start: ForeignToken,
  parse: () => InfixTerm,
): readonly (string | number | boolean)[] {
  const items: (string | number | boolean)[] = [];
  while (!cursor.accept(']')) {
    const item = cursor.nest(parse);
    const constant = item.kind === 'value' ? getConstant(item.value) : undefined;
    items.push(constant ?? refuseAt('list', item.span, 'Only literals are translated in a list.'));
    if (!cursor.accept(',') && !cursor.sees(']')) cursor.refuseNext();
  }
  if (new Set(items.map((item) => typeof item)).size > 1)
    refuseAt('type', cursor.since(start), 'This list has values of different types.');
  return items;
}

/** Reads the argument of `timestamp(...)`. */
export function readTimestamp(value: ForeignValue, span: Span): ForeignValue {
  const constant = getConstant(value);
  if (typeof constant !== 'string') return refuseAt('time', span, 'Only a literal time is translated.');
  return toTimeValue(readMoment(constant, span));
}
