import { CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import type { Diagnostic } from '@codemirror/lint';
import { EditorState, type TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check } from '../../../src/api/index.ts';
import { findRelations } from '../../../src/api/relate.ts';
import { createCompletionSource, createLintSource, type OnwhereOptions } from '../../../src/editor/codemirror/index.ts';
import { complete } from '../../../src/editor/complete.ts';
import { texts } from '../../garbage.ts';

const schema = { properties: { plan: { types: ['string'], values: ['free', 'pro', 'pro+'] } } } as const;

/** An editor without a DOM. */
class Editor {
  state: EditorState;

  constructor(doc: string) {
    this.state = EditorState.create({ doc });
  }

  dispatch(spec: TransactionSpec): void {
    this.state = this.state.update(spec).state;
  }

  get view(): EditorView {
    return this as unknown as EditorView;
  }

  get text(): string {
    return this.state.doc.toString();
  }
}

/** Returns the completions at the `|`. */
function getCompletions(marked: string, explicit = false): CompletionResult | null {
  const at = marked.indexOf('|');
  const { state } = new Editor(marked.replace('|', ''));
  return createCompletionSource({ schema })(new CompletionContext(state, at, explicit)) as CompletionResult | null;
}

async function lint(editor: Editor, options?: OnwhereOptions): Promise<readonly Diagnostic[]> {
  return createLintSource(options)(editor.view);
}

it('diagnostics link to the page of their code', async () => {
  const codes: string[] = [];
  const options = { use: 'where', schema, diagnosticUrl: (code: string) => `/help/${codes.push(code)}` } as const;
  const [diagnostic] = await lint(new Editor('properties["plan"] = "pro"'), options);
  expect(diagnostic?.message).toContain('Write `==`.');
  expect(codes).toEqual(['single-equals']);
});

it('diagnostics depend on the time zone of dates', async () => {
  const editor = new Editor('1 / (datetime("2025-06-01") - datetime("2025-05-31T22:00:00Z"))');
  expect(await lint(editor)).toEqual([]);
  expect(await lint(editor, { timeZone: 'Europe/Berlin' })).toHaveLength(1);
});

describe('completions', () => {
  it.each([
    ['prop|', 'properties'],
    ['properties[|]', 'plan'],
    ['properties["|"]', 'plan'],
    ['properties["plan"] == "pro|"', '"pro"'],
    ['properties["plan"] in [|', '"free"'],
  ])('open by themselves: %s', (marked, first) => {
    expect(getCompletions(marked)?.options[0]?.label).toBe(first);
  });

  it.each(['properties["plan"] |', 'properties["plan"] == |', 'properties["plan"] == "pro"|', 'true and|', '|'])(
    'open only on request: %s',
    (marked) => {
      expect(getCompletions(marked)).toBeNull();
      expect(getCompletions(marked, true)?.options).not.toEqual([]);
    },
  );

  it('are those of complete(), in the same order', () => {
    fc.assert(
      fc.property(texts, fc.nat(), (text, anywhere) => {
        const { state, text: source } = new Editor(text);
        const at = anywhere % (source.length + 1);
        const result = createCompletionSource({ schema })(
          new CompletionContext(state, at, true),
        ) as CompletionResult | null;
        const { span, items } = complete(source, at, schema);
        expect(result?.options.map(({ label }) => label) ?? []).toEqual(items.map(({ label }) => label));
        if (result !== null) expect([result.from, result.to, result.filter]).toEqual([span.start, span.end, false]);
      }),
    );
  });
});

describe('diagnostics', () => {
  it('are those of check(), except for an empty expression', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const editor = new Editor(text);
        const { diagnostics } = check(editor.text, { schema, relations: findRelations });
        const expected = diagnostics.filter(({ code }) => code !== 'empty-expression');
        const shown = await lint(editor, { schema });
        expect(shown.map(({ from, to }) => ({ start: from, end: to }))).toEqual(expected.map(({ span }) => span));
        expect(shown.filter(({ from, to }) => from > to || to > editor.text.length)).toEqual([]);
      }),
    );
    expect(await lint(new Editor(' \n'))).toEqual([]);
  });

  it.each([
    ['properties["plan"] = 1', 'Write `==`', 'properties["plan"] == 1'],
    ['properties["plan" == 1', 'Insert `]`', 'properties["plan"] == 1'],
    ['now() > 1', 'Remove `()`', 'now > 1'],
  ])('of %s have the fix %s', async (source, name, fixed) => {
    const editor = new Editor(source);
    const [diagnostic] = await lint(editor);
    expect(diagnostic?.actions?.map((action) => action.name)).toEqual([name]);
    diagnostic?.actions?.[0]?.apply(editor.view, diagnostic.from, diagnostic.to);
    expect(editor.text).toBe(fixed);
  });

  it('are fixed where they have moved to, unless they are out of date', async () => {
    const editor = new Editor('1 = 1');
    const [diagnostic] = await lint(editor);
    editor.dispatch({ changes: { from: 0, insert: 'true and ' } });
    diagnostic?.actions?.[0]?.apply(editor.view, 11, 12);
    expect(editor.text).toBe('true and 1 == 1');
    editor.dispatch({ changes: { from: 11, to: 13, insert: '<' } });
    diagnostic?.actions?.[0]?.apply(editor.view, 11, 12);
    expect(editor.text).toBe('true and 1 < 1');
  });

  it('have fixes with short names', async () => {
    const diagnostics = await lint(new Editor('properties["a name"] < properties["another"] < properties["a third"]'));
    const names = diagnostics.flatMap(({ actions = [] }) => actions.map(({ name }) => name));
    expect(names).toEqual(['Write `(properties["a name"] < properties["another"] and propertie…`']);
  });
});
