import { getGrammar, type ParseResult } from '../lang/syntax/grammar.ts';
import { tokenize } from '../lang/syntax/lexer.ts';
import { DEFAULT_DEPTH } from '../lang/syntax/parse.ts';
import { DepthError } from '../lang/syntax/precedence.ts';
import * as T from '../lang/syntax/vocabulary.ts';

/** The kind of thing that fits next: a property name, an operand, a list item, or an operator. */
export type Expected = 'name' | 'operand' | 'item' | 'operator' | 'nothing';

/** Where and why the parser stopped. If it stopped after the last token, `token` is not one of those given. */
type Stop = NonNullable<ParseResult['stop']>;

/** Returns what the grammar expects after the tokens. They need not be a valid beginning of an expression. */
export function predictNext(tokens: readonly T.Token[]): Expected {
  // `properties.plan` is not valid: names are written in brackets.
  if (T.is(tokens.at(-1), T.Dot)) return 'nothing';
  const stop = findStop(tokens);
  if (stop === undefined) return 'operator';
  const index = tokens.indexOf(stop.token as T.Token);
  return index === -1 ? predictAtStop(stop, tokens.at(-1)) : predictNext(resume(tokens, index, stop));
}

function findStop(tokens: readonly T.Token[]): Stop | undefined {
  try {
    return getGrammar().parse([...tokens], DEFAULT_DEPTH).stop;
  } catch (error) {
    if (error instanceof DepthError) return findStop(tokens.slice(-DEFAULT_DEPTH));
    throw error;
  }
}

function predictAtStop({ context }: Stop, previous: T.Token | undefined): Expected {
  switch (context.ruleStack.at(-1)) {
    case 'property':
      return T.is(previous, T.OpenBracket) ? 'name' : 'nothing';
    case 'list':
      return T.is(previous, T.OpenBracket) ? 'item' : 'nothing';
    case 'listItem':
      // Known values already have their sign.
      return T.is(previous, T.Minus) ? 'nothing' : 'item';
    case 'call':
      return T.is(previous, T.FunctionWord) ? 'nothing' : 'operator';
    default:
      return T.isOperandEnd(previous) ? 'operator' : 'operand';
  }
}

let prefixes: Readonly<Record<'inside' | 'outside', readonly T.Token[][]>> | undefined;

/** Prefixes inside and outside a list: first one that ends with an item or operand, then one that expects it. */
function getPrefixes() {
  if (prefixes === undefined) {
    const outside = ['true', '', 'true in'].map((source) => tokenize(source).tokens);
    const inside = ['true in [true', 'true in ['].map((source) => tokenize(source).tokens);
    prefixes = { inside: [...inside, ...outside], outside };
  }
  return prefixes;
}

/**
 * Resumes at the token of a syntax error: returns the tokens from it on, after the first prefix that accepts it.
 * If none does, the token counts as an operand if it looks like one, and is skipped otherwise.
 */
function resume(tokens: readonly T.Token[], index: number, { context }: Stop): T.Token[] {
  const found = tokens[index] as T.Token;
  const isInList = ['list', 'listItem'].includes(context.ruleStack.at(-1) as string);
  const candidates = getPrefixes()[isInList ? 'inside' : 'outside'];
  const accepted = candidates.map((before) => [...before, found]).find((row) => findStop(row)?.token !== found);
  const [operand, gap] = candidates;
  const fallback = T.isOperandStart(found) || T.isOperandEnd(found) ? operand : gap;
  // Earlier tokens hardly matter, and many errors must not take longer than few.
  const rest = tokens.slice(index + 1).slice(-DEFAULT_DEPTH);
  return [...(accepted ?? fallback ?? []), ...rest];
}
