import { Lexer } from 'chevrotain';
import { expect, it } from 'vitest';
import { createLexer } from '../../../src/lang/syntax/lexer.ts';
import { TOKEN_TYPES } from '../../../src/lang/syntax/vocabulary.ts';

const PATTERNS = TOKEN_TYPES.filter(({ PATTERN }) => PATTERN !== Lexer.NA).map(
  ({ name, PATTERN }) => [name, new RegExp(PATTERN as RegExp, 'y')] as const,
);

/** Returns the name of the first type whose pattern matches at the start of a source. */
function findType(text: string): string | undefined {
  return PATTERNS.find(([, pattern]) => {
    pattern.lastIndex = 0;
    return pattern.test(text);
  })?.[0];
}

// The lexer only tries patterns whose `start_chars_hint` contains the character.
it.each(['', '5', 'a"', "a'", '=', '/', '”', '’'])(
  'the lexer and the patterns agree on every first character before %j',
  (rest) => {
    const lexer = createLexer();
    const differences = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code) + rest).filter(
      (text) => {
        const [token] = lexer.tokenize(text).tokens;
        return (
          !/^[ \t\r\n]/.test(text) && (token?.startOffset === 0 ? token.tokenType.name : undefined) !== findType(text)
        );
      },
    );
    expect(differences).toEqual([]);
  },
);
