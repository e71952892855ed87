/** Deeper JSON is refused where it is imported. */
const MAX_DEPTH = 128;

/** Whether every reader makes the same of a text: JSON to the letter, with each name once, numbers that doubles can hold, not too deep. */
export function isUnambiguousJson(text: string): boolean {
  try {
    // Outside of texts, colons are only between names and values.
    const named = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').split(':').length - 1;
    return membersOf(JSON.parse(text), 0) === named;
  } catch {
    return false;
  }
}

/** How many values have names; NaN where a part cannot be imported. */
function membersOf(json: unknown, depth: number): number {
  if (typeof json === 'number') return Number.isFinite(json) ? 0 : Number.NaN;
  if (typeof json !== 'object' || json === null) return 0;
  if (depth > MAX_DEPTH) return Number.NaN;
  const inside = Object.values(json).reduce((sum: number, part) => sum + membersOf(part, depth + 1), 0);
  return inside + (Array.isArray(json) ? 0 : Object.keys(json).length);
}
