import { type Diagnostic, diagnose } from '../language/diagnostic.ts';
import * as T from './vocabulary.ts';

/** Drops brackets that close nothing and closes those left open, at the latest place that is possible; reports both. */
export function balance(tokens: readonly T.Token[], report: (diagnostic: Diagnostic) => void): T.Token[] {
  const balanced: T.Token[] = [];
  const open: T.Token[] = [];
  const awaited = new Map<T.TokenType | undefined, number>();
  const countAwaited = (type: T.TokenType | undefined, change: number) =>
    awaited.set(type, (awaited.get(type) ?? 0) + change);

  const closeTop = () => {
    const opening = open.pop() as T.Token;
    const closing = T.CLOSING.get(opening.tokenType) as T.TokenType;
    countAwaited(closing, -1);
    report(diagnose('unclosed-bracket', T.spanOf(opening), { open: opening.tokenType.LABEL, close: closing.LABEL }));
    balanced.push(T.createTokenAt(T.endOf(tokens.at(-1) as T.Token), '', closing));
  };

  for (const token of tokens) {
    const closing = T.CLOSING.get(token.tokenType);
    if (closing !== undefined) {
      open.push(token);
      countAwaited(closing, 1);
    } else if (T.isClosing(token)) {
      if ((awaited.get(token.tokenType) ?? 0) === 0) {
        report(diagnose('unmatched-bracket', T.spanOf(token), { close: token.tokenType.LABEL }));
        continue;
      }
      while (T.CLOSING.get((open.at(-1) as T.Token).tokenType) !== token.tokenType) closeTop();
      open.pop();
      countAwaited(token.tokenType, -1);
    }
    balanced.push(token);
  }
  while (open.length > 0) closeTop();
  return balanced;
}
