/** The length of a part up to which a search may go through it again for each character of the whole. */
export const SHORT_PART = 64;

/**
 * Returns whether a string is part of another. `includes` takes up to the product of their lengths: half a second for a
 * part of 1,000 characters and a whole of 1,000,000. This takes at most their sum, times {@link SHORT_PART}.
 */
export function isPart(part: string, whole: string): boolean {
  // Nearly all searches end here.
  if (!whole.includes(part.slice(0, SHORT_PART))) return false;
  if (part.length <= SHORT_PART) return true;
  // The algorithm of Knuth, Morris and Pratt never goes back: first through the part, then through the whole.
  const text = part + whole;
  /** For each prefix of the part, the length of the longest shorter one that it ends with. */
  const borders = [0];
  let matched = 0;
  for (let index = 1; index < text.length && matched < part.length; index++) {
    if (index === part.length) matched = 0;
    while (matched > 0 && part[matched] !== text[index]) matched = borders[matched - 1] as number;
    if (part[matched] === text[index]) matched++;
    if (index < part.length) borders.push(matched);
  }
  return matched === part.length;
}
