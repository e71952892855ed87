import type { CompletionKind } from '../completion.ts';
import { listCompletions, TRIGGERS } from '../completion-list.ts';
import { describeFix, findDiagnostics } from '../diagnostics.ts';
import { formatEdits } from '../format-edits.ts';
import { describeHover, hover } from '../hover.ts';
import type { OnwhereOptions } from '../onwhere-options.ts';
import { toMarker } from './markers.ts';
import type {
  CodeActionProvider,
  CompletionItemProvider,
  FormattingProvider,
  HoverProvider,
  Model,
  Monaco,
} from './monaco.ts';
import { toMonacoRange } from './to-range.ts';

type OptionsOf = (model: Model) => OnwhereOptions;

const KINDS = {
  value: 'Value',
  property: 'Property',
  scope: 'Variable',
  function: 'Function',
  constant: 'Constant',
  operator: 'Operator',
} as const satisfies Readonly<Record<CompletionKind, string>>;

/** The kind of the code actions that fix a diagnostic. */
export const FIX_KIND = 'quickfix';

/** Asks for the list again: an inserted function or property continues inside its brackets. */
const SUGGEST = { id: 'editor.action.triggerSuggest', title: 'Suggest' };

/** Creates the provider of completions. */
export function createCompletionProvider({ languages }: Monaco, optionsOf: OptionsOf): CompletionItemProvider {
  return {
    triggerCharacters: TRIGGERS,
    provideCompletionItems(model, position, { triggerCharacter }) {
      const { schema } = optionsOf(model);
      const { span, items } = listCompletions(model.getValue(), model.getOffsetAt(position), schema, triggerCharacter);
      const range = toMonacoRange(model, span);
      const suggestions = items.map(
        ({ label, kind, cursor, filterText, sortText, snippet, detail, documentation }) => ({
          label,
          kind: languages.CompletionItemKind[KINDS[kind]],
          range,
          insertText: snippet,
          insertTextRules: languages.CompletionItemInsertTextRule.InsertAsSnippet,
          filterText,
          sortText,
          ...(cursor !== undefined && { command: SUGGEST }),
          ...(detail !== undefined && { detail }),
          ...(documentation !== undefined && { documentation: { value: documentation } }),
        }),
      );
      return { incomplete: true, suggestions };
    },
  };
}

/** Creates the provider of hovers, with the types and the documentation of the expression at a position. */
export function createHoverProvider(optionsOf: OptionsOf): HoverProvider {
  return {
    provideHover(model, position) {
      const found = hover(model.getValue(), model.getOffsetAt(position), optionsOf(model).schema);
      return found && { range: toMonacoRange(model, found.span), contents: [{ value: describeHover(found) }] };
    },
  };
}

/** Creates the provider of quick fixes. A diagnostic only has a fix if there is only one, so each is preferred. */
export function createFixProvider(monaco: Monaco, optionsOf: OptionsOf): CodeActionProvider {
  return {
    provideCodeActions(model, range) {
      const { diagnosticUrl, ...checkOptions } = optionsOf(model);
      const source = model.getValue();
      const start = model.getOffsetAt({ lineNumber: range.startLineNumber, column: range.startColumn });
      const end = model.getOffsetAt({ lineNumber: range.endLineNumber, column: range.endColumn });
      const actions = findDiagnostics(source, checkOptions).flatMap((found) => {
        const { fix, span } = found;
        if (fix === undefined || span.start > end || span.end < start) return [];
        const textEdit = { range: toMonacoRange(model, fix.span), text: fix.text };
        return {
          title: describeFix(fix, source),
          kind: FIX_KIND,
          isPreferred: true,
          diagnostics: [toMarker(monaco, model, found, diagnosticUrl?.(found.code))],
          edit: { edits: [{ resource: model.uri, versionId: model.getVersionId(), textEdit }] },
        };
      });
      return { actions, dispose() {} };
    },
  };
}

/** Formats a model. After a syntax error, nothing changes. */
export const formattingProvider: FormattingProvider = {
  provideDocumentFormattingEdits(model) {
    const edits = formatEdits(model.getValue()) ?? [];
    return edits.map(({ span, text }) => ({ range: toMonacoRange(model, span), text }));
  },
};
