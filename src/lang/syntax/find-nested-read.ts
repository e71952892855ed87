import { tokenize } from './lexer.ts';
import { readString } from './literal.ts';
import * as T from './vocabulary.ts';

/** A property that a source reads through objects, as in `properties["a"]["b"]`. */
export interface NestedRead {
  /** `properties` or `user`. */
  readonly scope: string;
  /** The names from the outermost object to the value. */
  readonly names: readonly string[];
}

/** Returns the first property that a source reads through objects, which is an error in it; undefined if there is none. */
export function findNestedRead(source: string): NestedRead | undefined {
  const { tokens } = tokenize(source);
  for (const [start, scope] of tokens.entries()) {
    if (!T.is(scope, T.ScopeWord)) continue;
    const names: string[] = [];
    let at = start + 1;
    for (; T.is(tokens[at], T.OpenBracket) && T.is(tokens[at + 2], T.CloseBracket); at += 3) {
      const name = tokens[at + 1];
      if (name === undefined || !T.is(name, T.StringLiteral)) break;
      names.push(readString(name, () => undefined));
    }
    if (names.length > 1) return { scope: scope.image, names };
  }
  return undefined;
}
