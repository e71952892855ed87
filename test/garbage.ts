import fc, { type Arbitrary } from 'fast-check';
import { TOKEN_TYPES } from '../src/lang/syntax/vocabulary.ts';
import { sources } from './arbitraries.ts';
import { codePoint } from './code-point.ts';

const PIECES = [
  ...TOKEN_TYPES.flatMap(({ spellings }) => spellings),
  ...['Properties', 'USER', 'uſer', 'İn', 'andy', 'plan', '$x', '_', 'é', 'ß1', '名'],
  ...['0', '12', '.5', '5.', '1e3', '1E-3', '1e+', '1.2.3', '12px', '1e5e+3', '0x1f', '..', '.5.'],
  ...['"a"', "'b'", '""', '"\\n"', '"\\u00e9"', '"\\u12"', '"\\q"', '"\\', '"', "'", '\\', '"\'"', '“a”', '‘', '”'],
  ...['#', '//', '☃', '😀', '\ud83d', '\u2028', '\u00a0', '@', ';', '{', '}', '?', '~', '\u0000'],
  ...[' ', '  ', '\t', '\n', '\r\n', '\r'],
];

/** Strings that are mostly not expressions: sequences of valid, nearly valid and random pieces. */
export const garbage: Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...PIECES) },
      { weight: 1, arbitrary: fc.string({ unit: codePoint }) },
    ),
    { maxLength: 24 },
  )
  .map((pieces) => pieces.join(''));

/** Garbage, and expressions in random spellings. */
export const texts: Arbitrary<string> = fc.oneof(
  garbage,
  sources.map(({ source }) => source),
);
