import type { IToken, TokenType } from 'chevrotain';
import { type Diagnostic, diagnose } from '../language/diagnostic.ts';
import * as T from './tokens.ts';

/** Drops brackets that close nothing and closes those left open, at the latest place that is possible; reports both. */
export function balance(tokens: readonly IToken[], report: (diagnostic: Diagnostic) => void): IToken[] {
  const balanced: IToken[] = [];
  const open: IToken[] = [];
  const awaited = new Map<TokenType | undefined, number>();
  const countAwaited = (type: TokenType | undefined, change: number) =>
    awaited.set(type, (awaited.get(type) ?? 0) + change);

  const closeTop = () => {
    const opening = open.pop() as IToken;
    const closing = T.CLOSING.get(opening.tokenType) as TokenType;
    countAwaited(closing, -1);
    report(diagnose('unclosed-bracket', T.spanOf(opening), { open: opening.image, close: closing.name }));
    balanced.push(T.synthetic(closing, T.spanOf(tokens.at(-1) as IToken).end));
  };

  for (const token of tokens) {
    const closing = T.CLOSING.get(token.tokenType);
    if (closing !== undefined) {
      open.push(token);
      countAwaited(closing, 1);
    } else if (T.isClosing(token)) {
      if ((awaited.get(token.tokenType) ?? 0) === 0) {
        report(diagnose('unmatched-bracket', T.spanOf(token), { close: token.image }));
        continue;
      }
      while (T.CLOSING.get((open.at(-1) as IToken).tokenType) !== token.tokenType) closeTop();
      open.pop();
      countAwaited(token.tokenType, -1);
    }
    balanced.push(token);
  }
  while (open.length > 0) closeTop();
  return balanced;
}
