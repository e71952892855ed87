import { existsSync, readFileSync } from 'node:fs';
import { drawRules } from '../grammar/diagrams.ts';
import { writeEbnf } from '../grammar/ebnf.ts';
import { operatorReference } from '../grammar/operator-reference.ts';
import { textMateGrammar } from '../grammar/textmate.ts';
import { GROUPS } from '../src/service/server/endpoints/endpoint.ts';
import { createSampleConfiguration } from '../src/service/server/settings.ts';
import { answersIn, apiPage } from './api-page.ts';
import { diagnosticPages } from './diagnostics/pages.ts';
import { closureKernels, columnarKernels } from './kernels.ts';
import { leafCopies } from './leaf-copies.ts';

const PAGES = GROUPS.map((group) => ({ group, path: `docs/api/${group}.md` }));

/**
 * The text of every generated file by its path. A test holds the files to it. The answers that endpoints give to their examples are, where they are not
 * asked for, those that the pages have: another test asks for them.
 */
export function generated(answers = writtenAnswers()): ReadonlyMap<string, string> {
  return new Map([
    ...PAGES.map(({ group, path }) => [path, apiPage(group, answers)] as const),
    ...diagnosticPages(),
    ['deploy/onwhere.json', createSampleConfiguration()],
    ['grammar/onwhere.ebnf', writeEbnf()],
    ['grammar/onwhere.tmLanguage.json', textMateGrammar()],
    ['grammar/operators.md', operatorReference()],
    ['grammar/syntax.svg', drawRules()],
    ['src/lang/engines/closures/kernels.ts', closureKernels()],
    ['src/lang/engines/closures/leaf-copies.ts', leafCopies(read('src/lang/engines/closures/leaves.ts'))],
    ['src/lang/engines/columnar/number-kernels.ts', columnarKernels()],
  ]);
}

function writtenAnswers(): ReadonlyMap<string, string> {
  return new Map(PAGES.flatMap(({ path }) => (existsSync(urlOf(path)) ? [...answersIn(read(path))] : [])));
}

function read(path: string): string {
  return readFileSync(urlOf(path), 'utf8');
}

function urlOf(path: string): URL {
  return new URL(`../${path}`, import.meta.url);
}
