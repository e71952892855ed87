import fc, { type Arbitrary } from 'fast-check';

/** Parentheses of calls stay, and so do those of lists after `IN`, and of `->>`, which DuckDB groups like no other. */
const OPENING = /(?<![\w.)\]])\((?<!\bIN \()(?!properties->>)/g;

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
