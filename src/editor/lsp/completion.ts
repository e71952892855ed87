import {
  type CompletionItem,
  CompletionItemKind,
  type CompletionList,
  InsertTextFormat,
  MarkupKind,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Schema } from '../../lang/check/schema.ts';
import { complete } from '../complete.ts';
import type { Completion, CompletionKind } from '../completion.ts';
import { toRange } from './protocol.ts';

/** The characters that open the list of completions. */
export const TRIGGERS = ['"', "'", '[', '(', ' '];

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
  const { span, items } = complete(document.getText(), offset, options.schema);
  const range = toRange(document, span);
  const typed = document.getText().slice(span.start, offset);
  // After an operand and a space, the next key may be Enter: a list that opens by itself would take it.
  const isUnwanted = options.trigger === ' ' && items.every(({ kind }) => kind === 'operator');
  return {
    isIncomplete: true,
    items: (isUnwanted ? [] : items).map((completion, index): CompletionItem => {
      const { label, kind, detail, documentation } = completion;
      return {
        label,
        kind: KINDS[kind],
        // The items are already filtered, so the filter text starts with the typed string. While the user types on, the
        // client filters by label until the next list arrives.
        filterText: typed + label,
        sortText: String(index).padStart(6, '0'),
        insertTextFormat: options.snippets ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
        textEdit: { range, newText: options.snippets ? formatSnippet(completion) : cutAtCursor(completion) },
        ...(detail !== undefined && { detail }),
        ...(documentation !== undefined && { documentation: { kind: MarkupKind.Markdown, value: documentation } }),
      };
    }),
  };
}

/** Formats a completion as a snippet of the protocol, with the cursor at `$0`. */
function formatSnippet({ insert, cursor = insert.length }: Completion): string {
  const escapeSnippet = (text: string) => text.replace(/[\\$}]/g, '\\$&');
  return `${escapeSnippet(insert.slice(0, cursor))}$0${escapeSnippet(insert.slice(cursor))}`;
}

/** Returns the inserted string up to the cursor. The user types the rest. */
function cutAtCursor({ insert, cursor }: Completion): string {
  return insert.slice(0, cursor);
}
