/**
 * JSON in which maps are objects. Unlike those of JavaScript, which begin with the names that look like numbers, these have their entries
 * in the order of the map. Only maps have maps in them.
 */
export function jsonText(value: unknown): string {
  return value instanceof Map ? [...objectPieces(value)].join('') : JSON.stringify(value);
}

/** An object of JSON as `jsonText` writes it, entry by entry. */
export function* objectPieces(entries: Iterable<readonly [name: string, member: unknown]>): Generator<string> {
  let before = '{';
  for (const [name, member] of entries) {
    yield `${before}${JSON.stringify(name)}:${jsonText(member)}`;
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}
