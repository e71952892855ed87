import { tokenize } from '../../lang/syntax/lexer.ts';
import * as T from '../../lang/syntax/vocabulary.ts';
import { highlight } from '../highlight.ts';
import type { MonacoToken, TokensProvider } from './monaco.ts';

/**
 * The scopes of each highlight kind, which the themes of Monaco colour by their beginning. Monaco closes no quotes and
 * matches no brackets in a scope with the word `string`. Other kinds have the colour of plain text, even `invalid`: an
 * incomplete word is not an error yet.
 */
export const SCOPES_OF: Readonly<Record<T.HighlightKind, string>> = {
  text: 'string.onwhere',
  escape: 'constant.character.escape.string.onwhere',
  number: 'number.onwhere',
  constant: 'constant.language.onwhere',
  scope: 'variable.language.onwhere',
  property: 'key.string.onwhere',
  function: 'type.function.onwhere',
  keyword: 'keyword.onwhere',
  operator: 'delimiter.operator.onwhere',
  bracket: 'delimiter.bracket.onwhere',
  punctuation: 'delimiter.onwhere',
  invalid: '',
};

/** The state after a line: the beginning of a property whose name may follow, as source. */
class PropertyState {
  constructor(readonly begun: '' | 'user ' | 'user [ ') {}

  clone(): PropertyState {
    return this;
  }

  equals(other: PropertyState): boolean {
    return this.begun === other.begun;
  }
}

/** Tokenizes line by line. No token is longer than a line, but a property can be. */
export const tokensProvider: TokensProvider = {
  getInitialState: () => new PropertyState(''),
  tokenize(line, state) {
    const { begun } = state as PropertyState;
    const source = begun + line;
    const tokens: MonacoToken[] = [];
    let end = begun.length;
    for (const { kind, span } of highlight(source)) {
      if (span.start < begun.length) continue;
      if (span.start > end) tokens.push({ startIndex: end - begun.length, scopes: '' });
      tokens.push({ startIndex: span.start - begun.length, scopes: SCOPES_OF[kind] });
      end = span.end;
    }
    if (end < source.length) tokens.push({ startIndex: end - begun.length, scopes: '' });
    return { tokens, endState: new PropertyState(findBegun(tokenize(source).tokens)) };
  },
};

function findBegun(tokens: readonly T.Token[]): PropertyState['begun'] {
  const last = tokens.at(-1);
  if (T.is(last, T.ScopeWord)) return 'user ';
  return T.is(last, T.OpenBracket) && T.is(tokens.at(-2), T.ScopeWord) ? 'user [ ' : '';
}
