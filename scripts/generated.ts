import { readFileSync } from 'node:fs';
import { drawGrammar } from '../grammar/diagrams.ts';
import { readEbnf } from '../grammar/ebnf.ts';
import { operatorReference } from '../grammar/operator-reference.ts';
import { textMateGrammar } from '../grammar/textmate.ts';
import { sampleConfiguration } from '../src/server/settings.ts';
import { leafCopies } from './leaf-copies.ts';

/** The text of every generated file by its path. A test holds the files to it. */
export function generated(): ReadonlyMap<string, string> {
  return new Map([
    ['deploy/onwhere.json', sampleConfiguration()],
    ['grammar/onwhere.tmLanguage.json', textMateGrammar()],
    ['grammar/operators.md', operatorReference()],
    ['grammar/syntax.svg', drawGrammar(readEbnf(read('grammar/onwhere.ebnf')))],
    ['src/engines/closures/leaf-copies.ts', leafCopies(read('src/engines/closures/leaves.ts'))],
  ]);
}

function read(path: string): string {
  return readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
}
