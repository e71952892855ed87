import { type Diagnostic, diagnose } from '../language/diagnostic.ts';
import * as T from './token.ts';

/** Drops brackets that close nothing and closes those left open, at the latest place that is possible; reports both. */
export function balance(tokens: readonly T.Token[], report: (diagnostic: Diagnostic) => void): T.Token[] {
  const balanced: T.Token[] = [];
  const open: T.Token[] = [];
  const awaited = new Map<T.TokenType | undefined, number>();
  const countAwaited = (type: T.TokenType | undefined, change: number) =>
    awaited.set(type, (awaited.get(type) ?? 0) + change);

  const closeTop = () => {
    const opening = open.pop() as T.Token;
    const closing = T.CLOSING.get(opening.type) as T.TokenType;
    countAwaited(closing, -1);
    report(diagnose('unclosed-bracket', T.spanOf(opening), { open: opening.type.name, close: closing.name }));
    const { end } = tokens.at(-1) as T.Token;
    balanced.push({ type: closing, start: end, end });
  };

  for (const token of tokens) {
    const closing = T.CLOSING.get(token.type);
    if (closing !== undefined) {
      open.push(token);
      countAwaited(closing, 1);
    } else if (T.isClosing(token)) {
      if ((awaited.get(token.type) ?? 0) === 0) {
        report(diagnose('unmatched-bracket', T.spanOf(token), { close: token.type.name }));
        continue;
      }
      while (T.CLOSING.get((open.at(-1) as T.Token).type) !== token.type) closeTop();
      open.pop();
      countAwaited(token.type, -1);
    }
    balanced.push(token);
  }
  while (open.length > 0) closeTop();
  return balanced;
}
