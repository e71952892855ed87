import { assertObject, assertParts } from '../../base/guard.ts';
import * as T from '../../lang/syntax/vocabulary.ts';
import { assertOnwhereOptions, type OnwhereOptions } from '../onwhere-options.ts';
import { ModelMarkers } from './markers.ts';
import type { Disposable, Model, Monaco, Uri } from './monaco.ts';
import {
  createCompletionProvider,
  createFixProvider,
  createHoverProvider,
  FIX_KIND,
  formattingProvider,
} from './providers.ts';
import { tokensProvider } from './tokens.ts';

const ID = 'onwhere';

const BRACKETS = Array.from(T.CLOSING, ([open, close]): [string, string] => [open.LABEL, close.LABEL]);
const PAIRS = [...BRACKETS, ['"', '"'], ["'", "'"]].map(([open = '', close = '']) => ({ open, close }));

const CONFIGURATION = {
  brackets: BRACKETS,
  autoClosingPairs: PAIRS.map((pair) => ({ ...pair, notIn: ['string'] })),
  surroundingPairs: PAIRS,
};

/** Without it, Monaco disables its command "Auto Fix". */
const FIX_METADATA = { providedCodeActionKinds: [FIX_KIND] };

/**
 * Registers the language `onwhere` in Monaco: highlighting, completion, diagnostics with fixes, types and documentation
 * on hover, and formatting, for all models with this language. Call it once for a page.
 *
 * @param monaco The namespace of `monaco-editor`.
 * @param options The options of all models, or a function that returns those of the model with a URI.
 * @returns An object whose method `dispose` removes all of it. Only the id of the language stays, which Monaco keeps.
 *
 * @example
 * registerOnwhere(monaco, { use: 'where', schema });
 * monaco.editor.create(parent, { language: 'onwhere', value: 'properties["plan"] == "pro"' });
 *
 * @throws {TypeError} for an unknown option, or one of the wrong type.
 */
export function registerOnwhere(
  monaco: Monaco,
  options: OnwhereOptions | ((uri: Uri) => OnwhereOptions) = {},
): Disposable {
  assertParts(monaco, 'monaco', { editor: assertObject, languages: assertObject }, 'the namespace of `monaco-editor`');
  if (typeof options !== 'function') assertOnwhereOptions(options);
  const optionsOf = ({ uri }: Model): OnwhereOptions => {
    if (typeof options !== 'function') return options;
    const own = options(uri);
    assertOnwhereOptions(own);
    return own;
  };
  const { languages } = monaco;
  if (languages.getLanguages().every(({ id }) => id !== ID)) {
    languages.register({ id: ID, aliases: [ID], extensions: ['.onwhere'] });
  }
  const registered = [
    languages.setLanguageConfiguration(ID, CONFIGURATION),
    languages.setTokensProvider(ID, tokensProvider),
    languages.registerCompletionItemProvider(ID, createCompletionProvider(monaco, optionsOf)),
    languages.registerHoverProvider(ID, createHoverProvider(optionsOf)),
    languages.registerCodeActionProvider(ID, createFixProvider(monaco, optionsOf), FIX_METADATA),
    languages.registerDocumentFormattingEditProvider(ID, formattingProvider),
    showMarkers(monaco, optionsOf),
  ];
  return {
    dispose() {
      for (const each of registered) each.dispose();
    },
  };
}

/** Shows the markers of all models with the language, also of those that get it later. */
function showMarkers(monaco: Monaco, optionsOf: (model: Model) => OnwhereOptions): Disposable {
  const { editor } = monaco;
  const shown = new Map<Model, ModelMarkers>();
  const remove = (model: Model) => {
    shown.get(model)?.dispose();
    shown.delete(model);
  };
  const update = (model: Model) => {
    remove(model);
    if (model.getLanguageId() === ID) shown.set(model, new ModelMarkers(monaco, model, optionsOf));
  };
  const listeners = [
    editor.onDidCreateModel(update),
    editor.onDidChangeModelLanguage(({ model }) => update(model)),
    editor.onWillDisposeModel(remove),
  ];
  for (const model of editor.getModels()) update(model);
  return {
    dispose() {
      for (const listener of listeners) listener.dispose();
      for (const model of shown.keys()) remove(model);
    },
  };
}
