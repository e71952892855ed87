import { type Grammar, getGrammar } from '../lang/syntax/grammar.ts';
import { tokenize } from '../lang/syntax/lexer.ts';
import { DEFAULT_DEPTH } from '../lang/syntax/parse.ts';
import { DepthError } from '../lang/syntax/precedence.ts';
import * as T from '../lang/syntax/vocabulary.ts';

/** The kind of thing that fits next: a property name, an operand, a list item, or an operator. */
export type Expected = 'name' | 'operand' | 'item' | 'operator' | 'nothing';

/** Where and why the grammar cannot go on. Behind the last token, its token is none of those given. */
type Stop = NonNullable<Grammar['stop']>;

/** Returns what fits after the tokens, which need not be the beginning of an expression. */
export function predictNext(tokens: readonly T.Token[]): Expected {
  // The dot of `properties.plan`, which is not how a name is written.
  if (T.is(tokens.at(-1), T.Dot)) return 'nothing';
  const stop = findStop(tokens);
  if (stop === undefined) return 'operator';
  const index = tokens.indexOf(stop.token as T.Token);
  return index === -1 ? nextAt(stop, tokens.at(-1)) : predictNext(resume(tokens, index, stop));
}

function findStop(tokens: readonly T.Token[]): Stop | undefined {
  const grammar = getGrammar();
  try {
    grammar.parse([...tokens], DEFAULT_DEPTH);
    return grammar.stop;
  } catch (error) {
    if (error instanceof DepthError) return findStop(tokens.slice(-DEFAULT_DEPTH));
    throw error;
  }
}

function nextAt({ context }: Stop, previous: T.Token | undefined): Expected {
  switch (context.ruleStack.at(-1)) {
    case 'property':
      return T.is(previous, T.OpenBracket) ? 'name' : 'nothing';
    case 'list':
      return T.is(previous, T.OpenBracket) ? 'item' : 'nothing';
    case 'listItem':
      // A known value has its own sign.
      return T.is(previous, T.Minus) ? 'nothing' : 'item';
    case 'call':
      return T.is(previous, T.FunctionWord) ? 'nothing' : 'operator';
    default:
      return T.isOperandEnd(previous) ? 'operator' : 'operand';
  }
}

let beginnings: Readonly<Record<'inside' | 'outside', readonly T.Token[][]>> | undefined;

/** Beginnings inside and outside a list: first one that ends with a whole item or operand, then one that expects it. */
function getBeginnings() {
  if (beginnings === undefined) {
    const outside = ['true', '', 'true in'].map((text) => tokenize(text).tokens);
    const inside = ['true in [true', 'true in ['].map((text) => tokenize(text).tokens);
    beginnings = { inside: [...inside, ...outside], outside };
  }
  return beginnings;
}

/**
 * The tokens from a mistake on, after the first of those beginnings that takes the token. A token that none of them
 * takes stands for an operand if it looks like one, and is skipped if not.
 */
function resume(tokens: readonly T.Token[], index: number, { context }: Stop): T.Token[] {
  const found = tokens[index] as T.Token;
  const isInList = ['list', 'listItem'].includes(context.ruleStack.at(-1) as string);
  const candidates = getBeginnings()[isInList ? 'inside' : 'outside'];
  const taken = candidates.map((before) => [...before, found]).find((row) => findStop(row)?.token !== found);
  const [operand, place] = candidates;
  const skipped = T.isOperandStart(found) || T.isOperandEnd(found) ? operand : place;
  // What is further back hardly matters, and a text with many mistakes must not cost more than one with few.
  const rest = tokens.slice(index + 1).slice(-DEFAULT_DEPTH);
  return [...(taken ?? skipped ?? []), ...rest];
}
