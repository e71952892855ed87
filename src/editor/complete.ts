import type { Schema } from '../lang/check/schema.ts';
import type { Span } from '../lang/source.ts';
import { DEFAULT_LENGTH } from '../lang/syntax/parse.ts';
import * as T from '../lang/syntax/vocabulary.ts';
import { completeNames, completeProperties, completeValues } from './complete-properties.ts';
import type { Completion, Completions } from './completion.ts';
import { type CursorContext, findPlace, isCompared, isQuoted } from './cursor-context.ts';
import {
  CALLS,
  CONSTANTS,
  JUNCTIONS,
  NAMED_CALLS,
  OTHER_OPERATORS,
  SCOPE_WORDS,
  SCOPES_TO_READ,
} from './operator-completions.ts';

/**
 * What could stand at an offset of a text that need not be an expression, chosen by what has been typed of it: operators behind an
 * operand; before one the known values of the property that it is compared with, properties, functions and constants; in the
 * brackets of a property its names. Without a schema, the names are those that the text itself has elsewhere.
 * Nothing in a text that is longer than an expression may be: 65,536 characters.
 */
export function complete(source: string, offset: number, schema?: Schema): Completions {
  if (source.length > DEFAULT_LENGTH) return { span: { start: offset, end: offset }, items: [] };
  const place = findPlace(source, offset);
  const span = spanAt(source, place, offset);
  const typed = source.slice(span.start, offset).replace(/^["']/, '');
  return { span, items: matching(typed, itemsAt(source, place, span, schema)) };
}

/**
 * With the name of a property go, on the same line, a name that the place is right before, and the bracket. What follows a text that
 * nothing closes may be the rest of the expression.
 */
function spanAt(source: string, { token, after, wanted }: CursorContext, offset: number): Span {
  const start = token?.startOffset ?? offset;
  if (T.is(token, T.UnclosedString)) return { start, end: offset };
  const end = token === undefined ? offset : T.getTokenEnd(token);
  if (wanted !== 'name') return { start, end };
  const name = token === undefined && T.is(after[0], T.StringLiteral) ? after[0] : undefined;
  const bracket = after[name === undefined ? 0 : 1];
  const whole = T.is(bracket, T.CloseBracket) ? bracket : name;
  const last = whole === undefined ? end : T.getTokenEnd(whole);
  return { start, end: /[\r\n]/.test(source.slice(end, last)) ? end : last };
}

function itemsAt(source: string, place: CursorContext, span: Span, schema: Schema | undefined): readonly Completion[] {
  switch (place.wanted) {
    case 'name':
      return completeNames(source, place, span, schema);
    case 'operator':
      return isCompared(place) ? [...JUNCTIONS, ...OTHER_OPERATORS] : [...OTHER_OPERATORS, ...JUNCTIONS];
    case 'item':
      return completeValues(place, schema);
    case 'operand':
      return operands(place, schema);
    default:
      return [];
  }
}

function operands(place: CursorContext, schema: Schema | undefined): readonly Completion[] {
  const values = completeValues(place, schema);
  if (isQuoted(place.token)) return values;
  const [next] = place.after;
  // A word before a bracket can only become another one that takes the bracket.
  if (place.token !== undefined && T.is(next, T.OpenBracket)) return SCOPE_WORDS;
  if (place.token !== undefined && T.is(next, T.OpenParenthesis)) return NAMED_CALLS;
  return [...values, ...completeProperties(place, schema), ...CALLS, ...CONSTANTS, ...SCOPES_TO_READ];
}

/** Those that begin with what was typed, then those with a word that does, then those that hold it. */
function matching(typed: string, items: readonly Completion[]): readonly Completion[] {
  if (typed === '') return items;
  const ranked: Completion[][] = [[], [], []];
  const wanted = typed.toLowerCase();
  for (const item of items) ranked[rank(wanted, item.label.toLowerCase())]?.push(item);
  return ranked.flat();
}

function rank(typed: string, label: string): number {
  // Hardly any label holds what was typed, and none that is shorter.
  const at = label.indexOf(typed);
  if (at === -1) return -1;
  if (at === 0 || (at === 1 && label.startsWith('"'))) return 0;
  return label.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(typed)) ? 1 : 2;
}
