import {
  type CompletionItem,
  CompletionItemKind,
  type CompletionList,
  InsertTextFormat,
  MarkupKind,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Schema } from '../../lang/check/schema.ts';
import type { Completion, CompletionKind } from '../completion.ts';
import { listCompletions } from '../completion-list.ts';
import { toRange } from './protocol.ts';

const KINDS: Readonly<Record<CompletionKind, CompletionItemKind>> = {
  value: CompletionItemKind.Value,
  property: CompletionItemKind.Property,
  scope: CompletionItemKind.Variable,
  function: CompletionItemKind.Function,
  constant: CompletionItemKind.Constant,
  operator: CompletionItemKind.Operator,
};

export interface CompletionOptions {
  readonly schema: Schema | undefined;
  /** The character that opened the list, if one did. */
  readonly trigger?: string | undefined;
  /** Whether the client supports snippets, which can place the cursor. */
  readonly snippets: boolean;
}

/** Returns the completions at an offset of a document, best first. */
export function getCompletions(document: TextDocument, offset: number, options: CompletionOptions): CompletionList {
  const { schema, snippets, trigger } = options;
  const { span, items } = listCompletions(document.getText(), offset, schema, trigger);
  const range = toRange(document, span);
  return {
    isIncomplete: true,
    items: items.map((completion): CompletionItem => {
      const { label, kind, filterText, sortText, snippet, detail, documentation } = completion;
      return {
        label,
        kind: KINDS[kind],
        filterText,
        sortText,
        insertTextFormat: snippets ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
        textEdit: { range, newText: snippets ? snippet : cutAtCursor(completion) },
        ...(detail !== undefined && { detail }),
        ...(documentation !== undefined && { documentation: { kind: MarkupKind.Markdown, value: documentation } }),
      };
    }),
  };
}

/** Returns the inserted string up to the cursor. The user types the rest. */
function cutAtCursor({ insert, cursor }: Completion): string {
  return insert.slice(0, cursor);
}
