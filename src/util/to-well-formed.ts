const LONE_SURROGATES = /\p{Surrogate}/gu;

/** The same JSON with U+FFFD for every half of a surrogate pair, in names too: of names that become one, the last stays. */
export function toWellFormed(json: unknown): unknown {
  if (typeof json === 'string') return json.replace(LONE_SURROGATES, '\ufffd');
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) return json.map(toWellFormed);
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [name.replace(LONE_SURROGATES, '\ufffd'), toWellFormed(value)]),
  );
}
