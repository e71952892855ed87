import type { TextEdit } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { formatEdits } from '../editor/format-edits.ts';
import { toRange } from './range-of.ts';

/** The edits that bring a document into its canonical form, with its own line breaks; none for a text that is no expression. */
export function getFormattingEdits(document: TextDocument): TextEdit[] {
  const source = document.getText();
  const lineBreak = /\r\n|\r|\n/.exec(source)?.[0] ?? '\n';
  return (formatEdits(source) ?? []).flatMap(({ span, text }) => {
    const before = source.slice(span.start, span.end);
    // An expression has no line break at its end, but a file does.
    const canonical = span.end === source.length && /[\r\n]\s*$/.test(before) ? '\n' : text;
    const newText = canonical.replaceAll('\n', lineBreak);
    return newText === before ? [] : [{ range: toRange(document, span), newText }];
  });
}
