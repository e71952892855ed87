import { EditorState, type TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { describe, expect, it } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { repair } from '../../src/api/repair.ts';
import { translate } from '../../src/api/translate.ts';
import { createLintSource } from '../../src/editor/codemirror/lint-source.ts';
import { getCodeActions } from '../../src/editor/lsp/code-actions.ts';

const settings = { use: 'where' } as const;

/** Sources with what all of their fixes make of them: a fix would guess, but for those that have one. */
const SOURCES: readonly (readonly [source: string, fixed: readonly string[]])[] = [
  ['properties["a"] // 2 == 3', []],
  ['!properties["a"] == true', []],
  ['properties["a"] in (pro, team)', []],
  ['properties["a"].length > 3', []],
  ['properties.name.length > 3', []],
  ['properties["a"] += 1', []],
  ['properties["a"] =~ "pro.*"', []],
  ['typeof properties["a"] == "string"', []],
  ['event.name == "purchase"', []],
  ['event == "purchase"', []],
  ['properties["a"] > now()and true', ['properties["a"] > now and true']],
  ['where properties["a"] == 1', ['properties["a"] == 1']],
];

describe('fixes that would change the meaning are not offered', () => {
  it.each(SOURCES)('by the language server for %s', (source, fixed) => {
    const document = TextDocument.create('file:///a', 'onwhere', 1, source);
    const range = { start: document.positionAt(0), end: document.positionAt(source.length) };
    const actions = getCodeActions(document, { range, context: { diagnostics: [] } }, { ...settings, timeZone: 'UTC' });
    const edits = actions.map(({ edit }) => edit?.changes?.['file:///a'] ?? []);
    expect(edits.map((one) => TextDocument.applyEdits(document, one))).toEqual(fixed);
  });

  it.each(SOURCES)('in CodeMirror for %s', async (source, fixed) => {
    const texts: string[] = [];
    const state = EditorState.create({ doc: source });
    const view = {
      state,
      dispatch: (spec: TransactionSpec) => texts.push(state.update(spec).state.doc.toString()),
    } as unknown as EditorView;
    for (const { actions = [], from, to } of await createLintSource(settings)(view))
      for (const action of actions) action.apply(view, from, to);
    expect(texts).toEqual(fixed);
  });

  it.each(SOURCES)('by `repair` for %s, with and without other languages', (source, fixed) => {
    for (const options of [settings, { ...settings, translate }])
      expect(repair(source, options).source).toBe(fixed[0] ?? source);
  });
});
