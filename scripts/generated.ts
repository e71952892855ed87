import { existsSync, readFileSync } from 'node:fs';
import { drawRules } from '../grammar/diagrams.ts';
import { writeEbnf } from '../grammar/ebnf.ts';
import { writeOperatorReference } from '../grammar/operator-reference.ts';
import { writeTextMateGrammar } from '../grammar/textmate.ts';
import { createTypedGrammar } from '../src/cli/decoding/typed-grammar.ts';
import { NOTATIONS, writeGrammar } from '../src/cli/decoding/write-grammar.ts';
import { GROUPS } from '../src/queries/endpoints/endpoint.ts';
import { createSampleConfiguration } from '../src/service/server/settings/settings.ts';
import { readAnswers, writeApiPage } from './api-page.ts';
import { writeDiagnosticPages } from './diagnostics/pages.ts';
import { writeClosureKernels, writeColumnarKernels } from './kernels.ts';
import { writeTranslationPage } from './translation-page.ts';

const PAGES = GROUPS.map((group) => ({ group, path: `docs/api/${group}.md` }));

/**
 * Returns the content of every generated file by its path. By default, the responses of the examples are those that the
 * pages already have; `npm run generate` runs the examples, and a test compares both.
 */
export function generateFiles(answers = readWrittenAnswers()): ReadonlyMap<string, string> {
  return new Map([
    ...PAGES.map(({ group, path }) => [path, writeApiPage(group, answers)] as const),
    ...writeDiagnosticPages(),
    ['docs/guide/translations.md', writeTranslationPage()],
    ['deploy/onwhere.json', createSampleConfiguration()],
    ['grammar/onwhere.ebnf', writeEbnf()],
    ['grammar/onwhere.gbnf', writeGrammar(createTypedGrammar('where'), NOTATIONS.gbnf)],
    ['grammar/onwhere.lark', writeGrammar(createTypedGrammar('where'), NOTATIONS.lark)],
    ['grammar/onwhere.tmLanguage.json', writeTextMateGrammar()],
    ['grammar/operators.md', writeOperatorReference()],
    ['grammar/syntax.svg', drawRules()],
    ['src/lang/engines/closures/kernels.ts', writeClosureKernels()],
    ['src/lang/engines/columnar/number-kernels.ts', writeColumnarKernels()],
  ]);
}

function readWrittenAnswers(): ReadonlyMap<string, string> {
  return new Map(PAGES.flatMap(({ path }) => (existsSync(urlOf(path)) ? [...readAnswers(read(path))] : [])));
}

function read(path: string): string {
  return readFileSync(urlOf(path), 'utf8');
}

function urlOf(path: string): URL {
  return new URL(`../${path}`, import.meta.url);
}
