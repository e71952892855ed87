import { drawGrammar } from './diagrams.ts';
import { readEbnf } from './ebnf.ts';
import { operatorReference } from './operator-reference.ts';

/** The text of every generated file of this folder by its name. A test holds the files to it. */
export function generated(ebnf: string): ReadonlyMap<string, string> {
  return new Map([
    ['operators.md', operatorReference()],
    ['syntax.svg', drawGrammar(readEbnf(ebnf))],
  ]);
}
