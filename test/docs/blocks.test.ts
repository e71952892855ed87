import { parse } from 'csv-parse/sync';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { check, ExpressionError, evaluate } from '../../src/api/core.ts';
import { BLOCKS, blocksIn } from './pages.ts';

/** Languages that `examples.test.ts` runs or checks, and `text`, which marks transcripts. */
const CHECKED_ELSEWHERE = ['console', 'sh', 'bash', 'js', 'ts', 'svelte', 'text'];

/** Checks of blocks that no test can run. Each throws for a block that is not well-formed. */
const CHECKS: Readonly<Record<string, (text: string) => unknown>> = {
  json: JSON.parse,
  csv: (text) => parse(text, { columns: true }),
  sql: expectClosed,
  html: expectClosedTags,
  jsx: expectScript,
  lua: expectClosed,
  toml: expectClosed,
};

/** Throws unless every bracket and quote is closed. */
function expectClosed(text: string): void {
  const open: string[] = [];
  for (const [part] of text.matchAll(/'[^'\n]*'|"[^"\n]*"|[[\](){}'"]/g)) {
    if (part.length > 1) continue;
    const closed = { ']': '[', ')': '(', '}': '{' }[part];
    if (closed === undefined) open.push(part);
    else if (open.pop() !== closed) throw new Error(`\`${part}\` closes nothing.`);
  }
  if (open.length > 0) throw new Error(`\`${open.join(' ')}\` is not closed.`);
}

/** Throws unless every tag is closed, and the scripts are scripts. */
function expectClosedTags(text: string): void {
  const scripts = [...text.matchAll(/<script[^>]*>(.*?)<\/script>/gs)];
  for (const [, script = ''] of scripts) expectScript(script);
  const open: string[] = [];
  for (const [, end, tag = ''] of text.matchAll(/<(\/?)([a-z-]+)(?:[^>"']|"[^"]*"|'[^']*')*>/g)) {
    if (end === '') open.push(tag);
    else if (open.pop() !== tag) throw new Error(`\`</${tag}>\` closes nothing.`);
  }
  if (open.length > 0) throw new Error(`\`${open.join(' ')}\` is not closed.`);
  expectClosed(scripts.reduce((rest, [script]) => rest.replace(script, ''), text));
}

/** Throws unless a text is a script, which may contain elements of React. */
function expectScript(text: string): void {
  const { diagnostics = [] } = ts.transpileModule(text, { reportDiagnostics: true, fileName: 'example.tsx' });
  for (const { messageText } of diagnostics) throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
}

it('gives every code block a language that a test runs or checks', () => {
  const known = [...CHECKED_ELSEWHERE, ...Object.keys(CHECKS), 'onwhere'];
  expect(BLOCKS.filter(({ language }) => !known.includes(language))).toEqual([]);
});

describe.each(Object.entries(CHECKS))('%s', (language, parse) => {
  it.each(blocksIn(language))('is well-formed: $page: $text', ({ text }) => {
    expect(() => parse(text)).not.toThrow();
  });

  it('rejects a block that is not well-formed', () => {
    expect(() => parse('{ "a": [1, 2 }')).toThrow();
  });
});

describe('an expression in the docs', () => {
  const examples = blocksIn('onwhere').map((block) => {
    const [source = '', result] = block.text.trimEnd().split('\n→ ');
    return { ...block, source, result };
  });

  it.each(examples.filter(({ result }) => result === undefined))('passes the checker: $page: $source', ({ source }) => {
    expect(check(source).ok).toBe(true);
  });

  it.each(examples.filter(({ result }) => result !== undefined))(
    'has the result on the page: $page: $source',
    (example) => {
      expect(resultOf(example.source, JSON.parse(example.record))).toBe(example.result);
    },
  );
});

function resultOf(source: string, properties: Record<string, unknown>): string {
  try {
    return JSON.stringify(evaluate(source, properties)) ?? 'undefined';
  } catch (error) {
    if (error instanceof ExpressionError) return `error: ${error.diagnostics.map(({ code }) => code).join(', ')}`;
    throw error;
  }
}
