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

/** What, when it is typed, asks for completions. */
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
  /** The character whose typing asks, if one does. */
  readonly trigger?: string | undefined;
  /** Whether the client can put the cursor into what it inserts. */
  readonly snippets: boolean;
}

/** What could stand at an offset of a document, in the order of the service. */
export function getCompletions(document: TextDocument, offset: number, options: CompletionOptions): CompletionList {
  const { span, items } = complete(document.getText(), offset, options.schema);
  const range = toRange(document, span);
  const typed = document.getText().slice(span.start, offset);
  // Behind an operand a space may be followed by the end of the line: a list that opens by itself would take the Enter.
  const unasked = options.trigger === ' ' && items.every(({ kind }) => kind === 'operator');
  return {
    isIncomplete: true,
    items: (unasked ? [] : items).map((completion, index): CompletionItem => {
      const { label, kind, detail, documentation } = completion;
      return {
        label,
        kind: KINDS[kind],
        // What has been typed keeps every item: the service has chosen. Typing on narrows them by their labels until its next choice is here.
        filterText: typed + label,
        sortText: String(index).padStart(6, '0'),
        insertTextFormat: options.snippets ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
        textEdit: { range, newText: options.snippets ? snippetOf(completion) : upToCursor(completion) },
        ...(detail !== undefined && { detail }),
        ...(documentation !== undefined && { documentation: { kind: MarkupKind.Markdown, value: documentation } }),
      };
    }),
  };
}

/** The inserted text, with the place to go on typing in the words of the protocol. */
function snippetOf({ insert, cursor = insert.length }: Completion): string {
  const escaped = (text: string) => text.replace(/[\\$}]/g, '\\$&');
  return `${escaped(insert.slice(0, cursor))}$0${escaped(insert.slice(cursor))}`;
}

/** What is inserted up to where to go on typing. Typing goes on with the rest. */
function upToCursor({ insert, cursor }: Completion): string {
  return insert.slice(0, cursor);
}
