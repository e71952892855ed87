import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { beforeAll, describe, it } from 'vitest';
import oniguruma from 'vscode-oniguruma';
import textmate, { type IGrammar } from 'vscode-textmate';
import { highlight } from '../../src/editor/highlight.ts';
import { DEFAULT_LENGTH } from '../../src/lang/syntax/parse.ts';
import type { HighlightKind } from '../../src/lang/syntax/vocabulary.ts';
import { expectSame } from '../expect-same.ts';
import { texts } from '../garbage.ts';
import { runs } from '../runs.ts';

/** The kind of highlight for each TextMate scope. */
const KINDS: Readonly<Record<string, HighlightKind>> = {
  'string.quoted.double': 'text',
  'string.quoted.single': 'text',
  'constant.character.escape': 'escape',
  'constant.numeric': 'number',
  'constant.language': 'constant',
  'variable.language': 'scope',
  'variable.other.property': 'property',
  'support.function': 'function',
  'keyword.operator.logical': 'keyword',
  'keyword.operator.comparison': 'operator',
  'keyword.operator.arithmetic': 'operator',
  'punctuation.section.brackets': 'bracket',
  'punctuation.separator': 'punctuation',
  'invalid.illegal': 'invalid',
};

const GRAMMAR = new URL('../../grammar/onwhere.tmLanguage.json', import.meta.url);

let grammar: IGrammar;
beforeAll(async () => {
  const wasm = readFileSync(createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm'));
  await oniguruma.loadWASM(wasm);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(readFileSync(GRAMMAR, 'utf8'), GRAMMAR.pathname),
  });
  grammar = (await registry.loadGrammar('source.onwhere')) as IGrammar;
});

/** The kind of each UTF-16 unit of a source, undefined for white space. */
type Kinds = (HighlightKind | undefined)[];

/** Highlights a source with the TextMate grammar, line by line, as editors do. */
function highlightByGrammar(source: string): Kinds {
  const kinds: Kinds = Array.from({ length: source.length }, () => undefined);
  let [stack, start] = [textmate.INITIAL, 0];
  for (const line of source.split(/(?<=\r\n|\n|\r(?!\n))/)) {
    const text = line.replace(/[\r\n]+$/, '');
    const { tokens, ruleStack } = grammar.tokenizeLine(text, stack);
    for (const { startIndex, endIndex, scopes } of tokens) {
      const scope = scopes.at(-1)?.replace(/\.onwhere$/, '') ?? '';
      kinds.fill(KINDS[scope], start + startIndex, start + Math.min(endIndex, text.length));
    }
    stack = ruleStack;
    start += line.length;
  }
  return kinds;
}

function highlightByLexer(source: string): Kinds {
  const kinds: Kinds = Array.from({ length: source.length }, () => undefined);
  for (const { kind, span } of highlight(source)) kinds.fill(kind, span.start, span.end);
  return kinds;
}

/** Lists the runs of one kind with their source. */
function listRuns(source: string, kinds: Kinds): string[] {
  const runs: string[] = [];
  for (let start = 0, end = 0; start < source.length; start = end) {
    while (end < source.length && kinds[end] === kinds[start]) end++;
    runs.push(`${kinds[start] ?? 'space'} ${JSON.stringify(source.slice(start, end))}`);
  }
  return runs;
}

function expectAgreement(source: string): void {
  const [byGrammar, byLexer] = [highlightByGrammar(source), highlightByLexer(source)];
  expectSame(listRuns(source, byGrammar), listRuns(source, byLexer), () => source);
}

describe('the TextMate grammar highlights like the lexer', () => {
  const conformance = new URL('../conformance/', import.meta.url);

  it.each(readdirSync(conformance).filter((file) => file.endsWith('.ndjson')))('in %s', (file) => {
    const lines = readFileSync(new URL(file, conformance), 'utf8').trimEnd().split('\n');
    for (const line of lines) {
      const { expr } = JSON.parse(line);
      // Editors do not highlight a source that is too long to be an expression.
      if (expr.length <= DEFAULT_LENGTH) expectAgreement(expr);
    }
  });

  it.each([
    'properties\n[\n"plan"\n]',
    'properties ☃ [ ☃ "plan"',
    'properties ["a"]["b"]',
    'properties[["a"',
    'properties["a" "b"["c"',
    'properties["open\n"b"]',
    'properties “x” ["a"',
    'properties properties["a"]',
    'properties.["a"]',
    'user["a\\n\\q"] in ["a\\n\\q"]',
    'uſer["a"] and ſtring(1)',
    '"\\😀" "\\',
    '1e+ 1.5 .5. 12px === !== => =',
  ])('in %j', (source) => expectAgreement(source));

  const real = new URL('../../../shared/data/real-expressions.ndjson', import.meta.url);

  it.skipIf(!existsSync(real))('in real expressions', () => {
    const lines = readFileSync(real, 'utf8').trimEnd().split('\n');
    for (const line of lines) {
      const { expr } = JSON.parse(line);
      // Editors do not highlight a source that is too long to be an expression.
      if (expr.length <= DEFAULT_LENGTH) expectAgreement(expr);
    }
  });

  it('in random sources', () => {
    fc.assert(fc.property(texts, expectAgreement), { numRuns: runs(2_000) });
  });
});
