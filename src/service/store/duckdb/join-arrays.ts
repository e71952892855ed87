/** The maximum length of an array that is sent between processes, unless a single row is longer. */
export const MAX_ARRAY_CHARACTERS = 2 ** 20;

/** Joins rows of JSON to JSON arrays of at most {@link MAX_ARRAY_CHARACTERS} characters, or of a single row. */
export function* joinArrays(rows: readonly string[]): Generator<string> {
  let [first, characters] = [0, 0];
  for (const [index, { length }] of rows.entries()) {
    if (index > first && characters + length > MAX_ARRAY_CHARACTERS) {
      yield `[${rows.slice(first, index).join()}]`;
      [first, characters] = [index, 0];
    }
    characters += length;
  }
  if (first < rows.length) yield `[${rows.slice(first).join()}]`;
}
