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
