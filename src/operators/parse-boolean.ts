const WORDS = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['false', false],
  ['0', false],
  ['no', false],
]);

/** The boolean that a string spells, undefined for any other string (language, section 3). */
export function parseBoolean(text: string): boolean | undefined {
  return WORDS.get(text);
}
