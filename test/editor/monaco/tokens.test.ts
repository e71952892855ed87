import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { highlight } from '../../../src/editor/highlight.ts';
import { SCOPES_OF, tokensProvider } from '../../../src/editor/monaco/tokens.ts';
import { DEFAULT_LENGTH } from '../../../src/lang/syntax/parse.ts';
import { HIGHLIGHTS } from '../../../src/lang/syntax/vocabulary.ts';
import { expectSame } from '../../expect-same.ts';
import { texts } from '../../garbage.ts';

/** The scopes of each UTF-16 unit of a source, empty for white space. */
function scopesByLine(source: string): string[] {
  const scopes: string[] = [];
  let state = tokensProvider.getInitialState();
  for (const line of source.split(/(?<=\r\n|\n|\r(?!\n))/)) {
    const text = line.replace(/[\r\n]+$/, '');
    const { tokens, endState } = tokensProvider.tokenize(text, state);
    for (const [index, token] of tokens.entries()) {
      const end = tokens[index + 1]?.startIndex ?? text.length;
      for (let at = token.startIndex; at < end; at++) scopes.push(token.scopes);
    }
    scopes.push(...Array.from(line.slice(text.length), () => ''));
    state = endState.clone();
  }
  return scopes;
}

function expectScopesOfHighlights(source: string): void {
  const expected = Array.from({ length: source.length }, () => '');
  for (const { kind, span } of highlight(source)) expected.fill(SCOPES_OF[kind], span.start, span.end);
  expectSame(scopesByLine(source), expected, () => source);
}

describe('tokens, line by line, have the scopes of the highlights', () => {
  const conformance = new URL('../../conformance/', import.meta.url);

  it.each(readdirSync(conformance).filter((file) => file.endsWith('.ndjson')))('in %s', (file) => {
    for (const line of readFileSync(new URL(file, conformance), 'utf8').trimEnd().split('\n')) {
      const { expr } = JSON.parse(line);
      // CodeMirror does not highlight a source that is too long to be an expression. Monaco skips lines that are.
      if (expr.length <= DEFAULT_LENGTH) expectScopesOfHighlights(expr);
    }
  });

  it.each([
    'properties\n[\n"plan"\n]',
    'properties\r\n\r\n[\r"plan"] == "plan"',
    'properties ☃\n[ ☃\n"plan"',
    'properties\nplan ["a"]',
    'properties[\n["a"',
    '[\n"a"]',
  ])('in %j', (source) => expectScopesOfHighlights(source));

  it('in random sources', () => {
    fc.assert(fc.property(texts, expectScopesOfHighlights));
  });
});

it('strings and names are strings to Monaco, which closes no brackets and quotes in them', () => {
  const strings = HIGHLIGHTS.filter((kind) => /\bstring\b/.test(SCOPES_OF[kind]));
  expect(strings).toEqual(['text', 'escape', 'property']);
});

it('states are equal only if the same property is begun', () => {
  const stateAfter = (line: string) => tokensProvider.tokenize(line, tokensProvider.getInitialState()).endState;
  expect(stateAfter('1 + user').equals(stateAfter('properties'))).toBe(true);
  expect(stateAfter('user').equals(stateAfter('user['))).toBe(false);
  expect(stateAfter('user["a"').equals(tokensProvider.getInitialState())).toBe(true);
});
