import { type Diagnostic, diagnose } from '../diagnostic.ts';
import * as T from './vocabulary.ts';

/** The tokens of one operand of the outermost `and`s and `or`s, and those of them before and after it, if any. */
export interface OperandPart {
  readonly tokens: T.Token[];
  readonly previous: T.Token | undefined;
  readonly next: T.Token | undefined;
}

/**
 * Splits tokens at the `and`s and `or`s outside all brackets. These bind loosest, so no other operator reaches beyond
 * them. Yields a diagnostic for each unmatched bracket. Unmatched closing brackets are dropped, and unclosed brackets
 * are closed as late as possible.
 */
export function* splitParts(tokens: readonly T.Token[]): Generator<Diagnostic, readonly OperandPart[]> {
  const parts: OperandPart[] = [];
  let part: T.Token[] = [];
  const open: T.Token[] = [];

  function* closeTop(): Generator<Diagnostic> {
    const opening = open.pop() as T.Token;
    const closing = T.CLOSING.get(opening.tokenType) as T.TokenType;
    part.push(T.createTokenAt(T.getTokenEnd(tokens.at(-1) as T.Token), '', closing));
    yield diagnose('unclosed-bracket', T.getTokenSpan(opening), {
      open: opening.tokenType.LABEL,
      close: closing.LABEL,
    });
  }

  for (const token of tokens) {
    if (T.isOpening(token)) {
      open.push(token);
    } else if (T.isClosing(token)) {
      // This stays linear: each failed search is reported, and the caller stops after `MAX_REPORTED` mistakes.
      const last = open.findLastIndex(({ tokenType }) => T.CLOSING.get(tokenType) === token.tokenType);
      if (last === -1) {
        yield diagnose('unmatched-bracket', T.getTokenSpan(token), { close: token.tokenType.LABEL });
        continue;
      }
      while (open.length > last + 1) yield* closeTop();
      open.pop();
    } else if (open.length === 0 && T.isLogical(token)) {
      parts.push({ tokens: part, previous: parts.at(-1)?.next, next: token });
      part = [];
      continue;
    }
    part.push(token);
  }
  while (open.length > 0) yield* closeTop();
  return parts.length === 0 && part.length === 0
    ? []
    : [...parts, { tokens: part, previous: parts.at(-1)?.next, next: undefined }];
}
