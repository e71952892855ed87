import * as monaco from 'monaco-editor/editor';
import 'monaco-editor/features/bracketMatching/register';
import 'monaco-editor/features/codeAction/register';
import 'monaco-editor/features/format/register';
import 'monaco-editor/features/hover/register';
import 'monaco-editor/editor/contrib/suggest/browser/suggestController';
import { type OnwhereOptions, registerOnwhere } from '../../../src/editor/monaco/index.ts';

// Only word-based suggestions and links would use a worker.
globalThis.MonacoEnvironment = { getWorker: () => new Worker('data:text/javascript,') };

const schema: OnwhereOptions['schema'] = {
  properties: {
    plan: { types: ['string'], values: ['free', 'pro'], description: 'What is paid for, `free` if nothing.' },
    amount: { types: ['number'] },
  },
};

const registered = registerOnwhere(monaco, (uri) => ({
  use: 'where',
  schema: uri.path === '/other' ? { properties: { country: { types: ['string'] } } } : schema,
  diagnosticUrl: (code) => `/help/${code}`,
}));

const parent = document.createElement('main');
parent.style.height = '300px';
document.body.append(parent);

/** Replaces the only editor of the page, with the cursor at the end. */
function mount(value: string, path: string): void {
  for (const editor of monaco.editor.getEditors()) editor.dispose();
  for (const model of monaco.editor.getModels()) model.dispose();
  const model = monaco.editor.createModel(value, 'onwhere', monaco.Uri.parse(`test://test${path}`));
  const editor = monaco.editor.create(parent, { model, wordBasedSuggestions: 'off', hover: { delay: 0 } });
  editor.setPosition(model.getFullModelRange().getEndPosition());
  editor.focus();
  Object.assign(globalThis, { editor });
}

Object.assign(globalThis, { monaco, mount, registered });
