/** Imports refuse deeper JSON. */
const MAX_DEPTH = 128;

/**
 * Returns whether all parsers read a string alike: it is strict JSON with unique keys, numbers within the range of
 * doubles, and limited depth.
 */
export function isUnambiguousJson(text: string): boolean {
  try {
    // Outside strings, each colon separates a key from its value.
    const keys = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').split(':').length - 1;
    return countKeys(JSON.parse(text), 0) === keys;
  } catch {
    return false;
  }
}

/** Counts the keys of all objects; NaN if a part cannot be imported. */
function countKeys(json: unknown, depth: number): number {
  if (typeof json === 'number') return Number.isFinite(json) ? 0 : Number.NaN;
  if (typeof json !== 'object' || json === null) return 0;
  if (depth > MAX_DEPTH) return Number.NaN;
  const inside = Object.values(json).reduce((sum: number, part) => sum + countKeys(part, depth + 1), 0);
  return inside + (Array.isArray(json) ? 0 : Object.keys(json).length);
}
