import { TooDeep } from './fold.ts';
import { DEFAULT_DEPTH } from './parse.ts';
import { Parser } from './parser.ts';
import * as T from './token.ts';
import { tokenize } from './tokenize.ts';

/**
 * Whether a text is the beginning of an expression that must go on, behind an operator or inside a bracket. One with a mistake before
 * its end is not: whatever follows, the mistake stays.
 */
export function isUnfinished(source: string): boolean {
  const { tokens, strays } = tokenize(source);
  const last = tokens.at(-1);
  if (last === undefined || strays.length > 0 || !(isOperator(last) || isInBracket(tokens))) return false;
  const parser = new Parser(source, tokens, DEFAULT_DEPTH);
  try {
    parser.parse();
  } catch (error) {
    if (error instanceof TooDeep) return false;
    throw error;
  }
  return parser.stop?.index === tokens.length && parser.problems.length === 0;
}

function isOperator({ type }: T.Token): boolean {
  return type.infix !== undefined || type.prefix !== undefined;
}

function isInBracket(tokens: readonly T.Token[]): boolean {
  const [opening, closing] = [T.isOpening, T.isClosing].map((test) => tokens.filter(test).length);
  return opening !== closing;
}
