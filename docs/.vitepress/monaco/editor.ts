import * as monaco from 'monaco-editor/editor';
import 'monaco-editor/editor/contrib/bracketMatching/browser/bracketMatching';
import 'monaco-editor/editor/contrib/codeAction/browser/codeActionContributions';
import 'monaco-editor/editor/contrib/format/browser/formatActions';
import 'monaco-editor/editor/contrib/hover/browser/hoverContribution';
import 'monaco-editor/editor/contrib/suggest/browser/suggestController';
import { registerOnwhere } from '../../../src/editor/monaco/index.ts';

const schema = {
  properties: { plan: { types: ['string'], values: ['free', 'pro'] }, amount: { types: ['number'] } },
} as const;

/** Creates an editor for a filter, and returns a function that removes it. */
export function createMonaco(parent: HTMLElement, value: string, pageOf: (code: string) => string): () => void {
  const worker = new URL('worker.js', import.meta.url);
  globalThis.MonacoEnvironment = { getWorker: () => new Worker(worker, { type: 'module' }) };
  const registered = registerOnwhere(monaco, { use: 'where', schema, diagnosticUrl: pageOf });
  const editor = monaco.editor.create(parent, {
    language: 'onwhere',
    value,
    ariaLabel: 'Filter in Monaco',
    automaticLayout: true,
    fixedOverflowWidgets: true,
    minimap: { enabled: false },
    scrollBeyondLastLine: false,
    wordBasedSuggestions: 'off',
  });
  return () => {
    editor.getModel()?.dispose();
    editor.dispose();
    registered.dispose();
  };
}

/** Follows the color scheme of the page. */
export function setMonacoDark(isDark: boolean): void {
  monaco.editor.setTheme(isDark ? 'vs-dark' : 'vs');
}
