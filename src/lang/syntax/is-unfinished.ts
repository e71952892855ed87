import { EOF } from 'chevrotain';
import { getGrammar } from './grammar.ts';
import { tokenize } from './lexer.ts';
import { DEFAULT_DEPTH } from './parse.ts';
import { DepthError } from './precedence.ts';
import * as T from './vocabulary.ts';

/**
 * Returns whether a source must go on to become an expression, because it ends after an operator or inside a bracket.
 * A source with a mistake before its end is not unfinished: more input cannot correct it.
 */
export function isUnfinished(source: string): boolean {
  const { tokens, unexpected } = tokenize(source);
  const last = tokens.at(-1);
  if (last === undefined || unexpected.length > 0 || !(isOperator(last) || isInBracket(tokens))) return false;
  try {
    const { stop, problems } = getGrammar().parse(tokens, DEFAULT_DEPTH);
    return stop?.token.tokenType === EOF && problems.length === 0;
  } catch (error) {
    if (error instanceof DepthError) return false;
    throw error;
  }
}

function isOperator({ tokenType }: T.Token): boolean {
  return tokenType.infix !== undefined || tokenType.prefix !== undefined;
}

function isInBracket(tokens: readonly T.Token[]): boolean {
  const [opening, closing] = [T.isOpening, T.isClosing].map((test) => tokens.filter(test).length);
  return opening !== closing;
}
