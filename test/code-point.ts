import fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };

/**
 * Any character except lone surrogates, as the unit of a string. It has the distribution of fast-check's unit `binary`,
 * which needs a second in each process to list all characters.
 */
export const codePoint: fc.Arbitrary<string> = fc.nat({ max: 0x10_ffff - SURROGATES.count }).map(
  (index) => String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count),
  (character) => {
    const code = typeof character === 'string' ? character.codePointAt(0) : undefined;
    if (code === undefined || String.fromCodePoint(code) !== character) throw new Error('Not a character');
    return code < SURROGATES.first ? code : code - SURROGATES.count;
  },
);
