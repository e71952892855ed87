import fc, { type Arbitrary } from 'fast-check';

/** A parenthesis after a name is a call, whose parentheses stay, and so do those of a list after `IN`. */
const OPENING = /(?<![\w.)\]])\((?<!\bIN \()/g;

/** Removes random pairs of the parentheses of a filter, which must not hold any in strings. */
export function dropParentheses(source: string): Arbitrary<string> {
  const pairs = Array.from(source.matchAll(OPENING), ({ index }) => [index, findClosing(source, index)] as const);
  return fc.array(fc.boolean(), { minLength: pairs.length, maxLength: pairs.length }).map((kept) => {
    const dropped = new Set(pairs.flatMap((pair, index) => (kept[index] ? [] : pair)));
    return Array.from({ length: source.length }, (_, at) => (dropped.has(at) ? '' : source[at])).join('');
  });
}

function findClosing(source: string, opening: number): number {
  let depth = 0;
  for (let at = opening; at < source.length; at++) {
    if (source[at] === '(') depth++;
    else if (source[at] === ')' && --depth === 0) return at;
  }
  throw new Error(`a parenthesis is not closed: ${source}`);
}
