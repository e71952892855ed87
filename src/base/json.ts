/**
 * Yields the pieces of a JSON object, with maps as objects. Maps keep the order of their entries; objects of JavaScript
 * would list names that look like numbers first. Maps can only be members of maps. Each member is a piece.
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

/** An object of parsed JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns whether parsed JSON is an object, and not an array or null. */
export function isJsonObject(json: unknown): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/** Returns the own member of a JSON object with a name, undefined if there is none. */
export function getOwnValue(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
