/**
 * An object of JSON in pieces, in which maps are objects. Unlike those of JavaScript, which begin with the names that look like numbers, these
 * have their entries in the order of the map. Only maps have maps in them, and each of their members is a piece.
 */
export function* stringifyInPieces(entries: Iterable<readonly [name: string, member: unknown]>): Generator<string> {
  let before = '{';
  for (const [name, member] of entries) {
    yield `${before}${JSON.stringify(name)}:`;
    if (member instanceof Map) yield* stringifyInPieces(member);
    else yield JSON.stringify(member);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

/** A value of JSON in braces. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether parsed JSON is an object, and neither a list nor null. */
export function isJsonObject(json: unknown): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/** What a JSON object itself has under a name. */
export function getOwnValue(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
