/** In characters: what is sent between processes at once, unless a single row has more. */
export const MAX_ARRAY_CHARACTERS = 2 ** 20;

/** Joins rows, each of them JSON, to texts of JSON arrays, of {@link MAX_ARRAY_CHARACTERS} at most or of one row. */
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
