import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CodeActionKind, DiagnosticSeverity, SemanticTokensRequest } from 'vscode-languageserver-protocol/node';
import { format } from '../../../src/api/expressions.ts';
import { highlight } from '../../../src/editor/highlight.ts';
import { sources } from '../../arbitraries.ts';
import { at, Editor } from './editor.ts';

let editor: Editor;
beforeAll(async () => {
  editor = await Editor.start();
});
afterAll(() => editor.quit());

describe('diagnostics', () => {
  it('arrive when a document opens and disappear when it is fixed', async () => {
    const uri = await editor.open('properties["plan"] = "pro"\n');
    expect(await editor.diagnostics(uri)).toEqual([
      {
        range: { start: at(0, 19), end: at(0, 20) },
        severity: DiagnosticSeverity.Error,
        code: 'single-equals',
        codeDescription: { href: new URL('../../../docs/diagnostics/single-equals.md', import.meta.url).href },
        source: 'onwhere',
        message: '`=` is not an operator.\nWrite `==`.',
      },
    ]);
    await editor.type(uri, { start: at(0, 20), end: at(0, 20) }, '=');
    expect(await editor.diagnostics(uri)).toEqual([]);
    await editor.type(uri, { start: at(0, 0), end: at(0, 27) }, '1 < 2 < 3');
    expect(await editor.diagnostics(uri)).toMatchObject([
      { code: 'chained-comparison', severity: DiagnosticSeverity.Warning },
    ]);
    await editor.close(uri);
    await editor.until(() => editor.lastDiagnostics(uri)?.length === 0);
  });

  it.each(['', ' ', '\n', ' \r\n\t'])('are empty for the empty document %j', async (text) => {
    const uri = await editor.open(text);
    expect(await editor.diagnostics(uri)).toEqual([]);
  });

  it.each([
    ['"\u{1f600}" = now', at(0, 5)],
    ['"\u{1f600}" ==\n"日本" = now', at(1, 5)],
    ['1 == 1\r\nand "\u{1f600}" = now\r\n', at(1, 9)],
    ['1 == 1\rand 1 = 1', at(1, 6)],
    ['1 +\r\n', at(0, 3)],
  ])('count UTF-16 code units: %j', async (text, start) => {
    const uri = await editor.open(text);
    expect((await editor.diagnostics(uri)).map(({ range }) => range.start)).toEqual([start]);
  });

  it('are sent for each document', async () => {
    const [left, right] = [await editor.open('1 = 1'), await editor.open('1 +')];
    expect(await editor.diagnostics(left)).toMatchObject([{ code: 'single-equals' }]);
    expect(await editor.diagnostics(right)).toMatchObject([{ code: 'missing-operand' }]);
  });

  it('match the whole text, however it was typed', async () => {
    const piece = fc.oneof(
      sources.map(({ source }) => source.slice(0, 12)),
      fc.constantFrom('', '\n', '\r\n', '\r', '"', ' and ', '\u{1f600}', '= 1', ')'),
    );
    const edit = fc.record({ from: fc.nat(), length: fc.nat(6), text: piece });
    await fc.assert(
      fc.asyncProperty(sources, fc.array(edit, { minLength: 1, maxLength: 6 }), async ({ source }, edits) => {
        const typed = await editor.open(source);
        let text = source;
        for (const { from, length, text: inserted } of edits) {
          const start = boundary(text, from % (text.length + 1));
          const end = boundary(text, Math.min(text.length, start + length));
          await editor.type(typed, { start: place(text, start), end: place(text, end) }, inserted);
          text = text.slice(0, start) + inserted + text.slice(end);
        }
        const opened = await editor.open(text);
        expect(await editor.diagnostics(typed)).toEqual(await editor.diagnostics(opened));
        await editor.close(typed);
        await editor.close(opened);
      }),
      { numRuns: 200 },
    );
  });
});

/** Returns the offset, or the next one if it is inside a line break. */
function boundary(text: string, offset: number): number {
  return text.slice(offset - 1, offset + 1) === '\r\n' ? offset + 1 : offset;
}

/** Returns the position of an offset, without the library that the server uses. */
function place(text: string, offset: number) {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return at(lines.length - 1, lines.at(-1)?.length ?? 0);
}

describe('formatting', () => {
  it.each([
    ['NOT(properties["a"]==1)', 'not properties["a"] == 1'],
    ['  1+2  \n', '1 + 2\n'],
    ['1+2\n\n\n', '1 + 2\n'],
    ['1\r\n+\r\n2\r\n', '1 + 2\r\n'],
    ["'\u{1f600}'=='\u{1f601}'", '"\u{1f600}" == "\u{1f601}"'],
    [`${Array(6).fill("'long text'").join('\r\n==')}\r\n`, undefined],
    [`properties['plan']in[${Array(12).fill("'long text'")}]\r\n`, undefined],
  ])('%j', async (text, expected) => {
    const uri = await editor.open(text);
    const formatted = await editor.apply(uri, (await editor.formatting(uri)) ?? []);
    if (expected !== undefined) expect(formatted).toBe(expected);
    expect(formatted.replaceAll('\r\n', '')).not.toMatch(text.includes('\r\n') ? /[\r\n]/ : /\r/);
    expect(await editor.formatting(uri)).toEqual([]);
  });

  it('returns no edits after a syntax error or for a formatted expression', async () => {
    for (const text of ['', '\n', '1 +\n', '"', '1 + 2\n', '1 + 2']) {
      const uri = await editor.open(text);
      expect(await editor.formatting(uri)).toEqual([]);
    }
  });

  it('edits only what differs', async () => {
    const uri = await editor.open('properties["a"] == 1 AND properties["b"] == 2\n');
    expect(await editor.formatting(uri)).toEqual([{ range: { start: at(0, 21), end: at(0, 24) }, newText: 'and' }]);
  });
});

describe('code actions', () => {
  it('fix the diagnostic at the cursor', async () => {
    const uri = await editor.open('plan = "pro"\r\n&& 1 = 1');
    const actions = await editor.codeActions(uri, { start: at(1, 5), end: at(1, 5) });
    expect(actions).toMatchObject([
      { title: 'Write `==`', kind: 'quickfix', isPreferred: true, diagnostics: [{ code: 'single-equals' }] },
      { kind: 'source.fixAll.onwhere' },
    ]);
    expect(await editor.apply(uri, actions[0]?.edit?.changes?.[uri] ?? [])).toBe('plan = "pro"\r\n&& 1 == 1');
  });

  it('fix all diagnostics at once', async () => {
    const uri = await editor.open('plan = "pro"\r\n&& 1 = 1');
    const everywhere = { start: at(0, 0), end: at(0, 0) };
    for (const only of [CodeActionKind.Source, CodeActionKind.SourceFixAll, 'source.fixAll.onwhere']) {
      expect(await editor.codeActions(uri, everywhere, { only: [only] })).toHaveLength(1);
    }
    const [action] = await editor.codeActions(uri, everywhere, { only: [CodeActionKind.SourceFixAll] });
    const fixed = await editor.apply(uri, action?.edit?.changes?.[uri] ?? []);
    expect(fixed).toBe('properties["plan"] == "pro"\r\nand 1 == 1');
    expect(await editor.diagnostics(uri)).toMatchObject([{ code: 'always-true' }]);
  });

  it('translate operators of other languages', async () => {
    const foreign = new Map(Object.entries({ and: ' && ', or: ' || ', '==': '=', '!=': '<>' }));
    await fc.assert(
      fc.asyncProperty(sources, async ({ tree, source }) => {
        let text = source;
        for (const { span } of highlight(source).toReversed()) {
          const written = source.slice(span.start, span.end);
          const other = foreign.get(written.toLowerCase()) ?? written;
          text = text.slice(0, span.start) + other + text.slice(span.end);
        }
        // A string beside `||` can be joined, and one before `=` can be the name of a column: neither has a fix.
        if (text === source || /["']\s*(?:\|\||=)|\|\|\s*["']/.test(text)) return;
        const uri = await editor.open(text);
        const range = { start: at(0, 0), end: at(0, 0) };
        const [action] = await editor.codeActions(uri, range, { only: [CodeActionKind.SourceFixAll] });
        const fixed = await editor.apply(uri, action?.edit?.changes?.[uri] ?? []);
        expect(format(fixed)).toBe(format(tree));
        await editor.close(uri);
      }),
    );
  });

  it('are of the requested kinds', async () => {
    const uri = await editor.open('plan = "pro"');
    const all = { start: at(0, 0), end: at(0, 12) };
    const kinds = (actions: readonly { kind?: string }[]) => actions.map(({ kind }) => kind);
    expect(kinds(await editor.codeActions(uri, all, { only: ['quickfix'] }))).toEqual(['quickfix', 'quickfix']);
    expect(
      await editor.codeActions(uri, all, { only: ['refactor', 'source.organizeImports', 'source.fixAll.x'] }),
    ).toEqual([]);
  });

  it('name what they insert and remove', async () => {
    const titles = async (text: string) => {
      const uri = await editor.open(text);
      const actions = await editor.codeActions(uri, { start: at(0, 0), end: at(0, text.length) });
      return actions.map(({ title }) => title);
    };
    expect(await titles('1 in [1 2]')).toEqual(['Insert `,`']);
    expect(await titles('1 in [1, 2,]')).toEqual(['Remove `,`']);
    expect(await titles('1 == 1')).toEqual([]);
  });
});

it('semantic tokens match the highlights', async () => {
  const uri = await editor.open('"\u{1f600}\\n" ==\r\nproperties["a"]');
  const { data } = (await editor.connection.sendRequest(SemanticTokensRequest.type, { textDocument: { uri } })) ?? {
    data: [],
  };
  const types = editor.capabilities.semanticTokensProvider?.legend.tokenTypes ?? [];
  const tokens = Array.from({ length: data.length / 5 }, (_, index) => data.slice(5 * index, 5 * index + 5));
  expect(tokens.map(([line, start, length, type]) => [line, start, length, types[type ?? -1]])).toEqual([
    [0, 0, 3, 'string'],
    [0, 3, 2, 'regexp'],
    [0, 2, 1, 'string'],
    [0, 2, 2, 'operator'],
    [1, 0, 10, 'variable'],
    [0, 11, 3, 'property'],
  ]);
});
