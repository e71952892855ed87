/** The length of a part up to which a search may go through it again for each character of the whole. */
export const SHORT_PART = 64;

/**
 * Returns whether a string contains another. `includes` takes up to the product of their lengths: half a second for a
 * part of 1,000 characters and a whole of 1,000,000. This takes at most their sum, times {@link SHORT_PART}.
 */
export function hasPart(whole: string, part: string): boolean {
  return part.length <= SHORT_PART ? whole.includes(part) : hasLongPart(whole, part);
}

function hasLongPart(whole: string, part: string): boolean {
  const head = part.slice(0, SHORT_PART);
  // Nearly all searches end here. Each attempt compares at most the part, so a few of them take as long as the whole.
  let attempts = 1 + Math.floor(whole.length / part.length);
  let at = whole.indexOf(head);
  for (; at !== -1 && attempts > 0; attempts--) {
    if (whole.startsWith(part, at)) return true;
    at = whole.indexOf(head, at + 1);
  }
  return at !== -1 && searchOnce(whole.slice(at), part);
}

/** The algorithm of Knuth, Morris and Pratt, which never goes back in the whole. */
function searchOnce(whole: string, part: string): boolean {
  const borders = findBorders(part);
  let matched = 0;
  for (let index = 0; index < whole.length; index++) {
    const code = whole.charCodeAt(index);
    while (matched > 0 && part.charCodeAt(matched) !== code) matched = borders[matched - 1] as number;
    if (part.charCodeAt(matched) === code) matched++;
    if (matched === part.length) return true;
  }
  return false;
}

/** Returns, for each length of a prefix, how long a shorter one is that it ends with. */
function findBorders(part: string): Uint32Array {
  const borders = new Uint32Array(part.length);
  let matched = 0;
  for (let index = 1; index < part.length; index++) {
    const code = part.charCodeAt(index);
    while (matched > 0 && part.charCodeAt(matched) !== code) matched = borders[matched - 1] as number;
    if (part.charCodeAt(matched) === code) matched++;
    borders[index] = matched;
  }
  return borders;
}
