import type { Schema } from '../lang/check/schema.ts';
import type { Span } from '../lang/source.ts';
import { DEFAULT_LENGTH } from '../lang/syntax/parse.ts';
import * as T from '../lang/syntax/vocabulary.ts';
import { completeNames, completeProperties, completeValues } from './complete-properties.ts';
import type { Completion, Completions } from './completion.ts';
import { type CursorContext, findCursorContext, isCompared, isQuoted } from './cursor-context.ts';
import {
  CALLS,
  CONSTANTS,
  LOGICAL_OPERATORS,
  NAMED_CALLS,
  OTHER_OPERATORS,
  SCOPE_READS,
  SCOPE_WORDS,
} from './operator-completions.ts';

/**
 * Returns completions at an offset, best first, filtered by the part of the word before the cursor.
 *
 * - After an operand: operators.
 * - Where an operand is expected: known values of the compared property, properties, functions and constants.
 * - In the brackets of a property: names.
 *
 * The source need not be a valid expression. Without a schema, property names come from the rest of the source.
 * A source longer than 65,536 characters, the maximum of an expression, has no completions.
 */
export function complete(source: string, offset: number, schema?: Schema): Completions {
  if (source.length > DEFAULT_LENGTH) return { span: { start: offset, end: offset }, items: [] };
  const context = findCursorContext(source, offset);
  const span = findReplacedSpan(source, context, offset);
  const typed = source.slice(span.start, offset).replace(/^["']/, '');
  return { span, items: filterAndRank(typed, collectItems(source, context, span, schema)) };
}

/**
 * Returns the span that a completion replaces. For the name of a property, it includes a name right after the cursor
 * and the closing bracket, on the same line. For an unclosed string, it ends at the cursor: the rest of the line may
 * be the rest of the expression.
 */
function findReplacedSpan(source: string, { token, after, expected }: CursorContext, offset: number): Span {
  const start = token?.startOffset ?? offset;
  if (T.is(token, T.UnclosedString)) return { start, end: offset };
  const end = token === undefined ? offset : T.getTokenEnd(token);
  if (expected !== 'name') return { start, end };
  const name = token === undefined && T.is(after[0], T.StringLiteral) ? after[0] : undefined;
  const bracket = after[name === undefined ? 0 : 1];
  const whole = T.is(bracket, T.CloseBracket) ? bracket : name;
  const last = whole === undefined ? end : T.getTokenEnd(whole);
  return { start, end: /[\r\n]/.test(source.slice(end, last)) ? end : last };
}

function collectItems(
  source: string,
  context: CursorContext,
  span: Span,
  schema: Schema | undefined,
): readonly Completion[] {
  switch (context.expected) {
    case 'name':
      return completeNames(source, context, span, schema);
    case 'operator':
      return isCompared(context)
        ? [...LOGICAL_OPERATORS, ...OTHER_OPERATORS]
        : [...OTHER_OPERATORS, ...LOGICAL_OPERATORS];
    case 'item':
      return completeValues(context, schema);
    case 'operand':
      return collectOperands(context, schema);
    default:
      return [];
  }
}

function collectOperands(context: CursorContext, schema: Schema | undefined): readonly Completion[] {
  const values = completeValues(context, schema);
  if (isQuoted(context.token)) return values;
  const [next] = context.after;
  // A word before a bracket or parenthesis can only become another word that takes it.
  if (context.token !== undefined && T.is(next, T.OpenBracket)) return SCOPE_WORDS;
  if (context.token !== undefined && T.is(next, T.OpenParenthesis)) return NAMED_CALLS;
  return [...values, ...completeProperties(context, schema), ...CALLS, ...CONSTANTS, ...SCOPE_READS];
}

/** Returns the items that match: first those that start with the typed string, then word starts, then substrings. */
function filterAndRank(typed: string, items: readonly Completion[]): readonly Completion[] {
  if (typed === '') return items;
  const ranked: Completion[][] = [[], [], []];
  const wanted = typed.toLowerCase();
  for (const item of items) ranked[rank(wanted, item.label.toLowerCase())]?.push(item);
  return ranked.flat();
}

function rank(typed: string, label: string): number {
  // Most labels do not contain the typed string, so this test comes first.
  const at = label.indexOf(typed);
  if (at === -1) return -1;
  if (at === 0 || (at === 1 && label.startsWith('"'))) return 0;
  return label.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(typed)) ? 1 : 2;
}
