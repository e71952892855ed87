import type { Diagnostic } from '../../diagnostic.ts';
import type * as T from '../vocabulary.ts';
import { method } from './calls.ts';
import { caseExpression, ternary } from './conditionals.ts';
import { type FindRepair, type Repair, RepairCursor } from './cursor.ts';
import { parenthesizedList } from './lists.ts';
import { missingOperator, misusedName, quotedName } from './names.ts';
import { phrase } from './phrases.ts';
import {
  calledProperty,
  dottedProperty,
  eventName,
  nestedProperty,
  unclosedProperty,
  unquotedProperty,
} from './properties.ts';
import {
  comment,
  curlyQuotes,
  dashComment,
  doubledQuote,
  foreignOperator,
  foreignSymbol,
  groupedDigits,
  leadingWord,
  malformedNumber,
  missingLeft,
  needlessParentheses,
  percentage,
  trailingComma,
} from './tokens.ts';

/**
 * Yields the mistakes that the tokens alone show, and returns the repaired tokens, so that the grammar can find other
 * mistakes.
 */
export function* repairTokens(source: string, tokens: readonly T.Token[]): Generator<Diagnostic, readonly T.Token[]> {
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

/** In order of precedence: the first that finds a mistake reports it. */
const MISTAKES: readonly FindRepair[] = [
  comment,
  dashComment,
  leadingWord,
  needlessParentheses,
  missingLeft,
  phrase,
  parenthesizedList,
  groupedDigits,
  percentage,
  doubledQuote,
  trailingComma,
  nestedProperty,
  eventName,
  dottedProperty,
  calledProperty,
  unquotedProperty,
  unclosedProperty,
  method,
  caseExpression,
  misusedName,
  quotedName,
  missingOperator,
  curlyQuotes,
  malformedNumber,
  ternary,
  foreignSymbol,
  foreignOperator,
];
