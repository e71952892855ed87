import type { TextEdit } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { format } from '../api.ts';
import { ExpressionSyntaxError } from '../language/errors.ts';
import { rangeOf } from './range-of.ts';

/** The edit that brings a document into its canonical form, with its own line breaks; none for a text that is no expression. */
export function formattingOf(document: TextDocument): TextEdit[] {
  const before = document.getText();
  const after = formatted(before);
  if (after === undefined || after === before) return [];
  const { start, end, text } = difference(before, after);
  return [{ range: rangeOf(document, { start, end }), newText: text }];
}

function formatted(source: string): string | undefined {
  try {
    const end = /[\r\n]\s*$/.test(source) ? '\n' : '';
    return (format(source) + end).replaceAll('\n', /\r\n|\r|\n/.exec(source)?.[0] ?? '\n');
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return undefined;
    throw error;
  }
}

interface Difference {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Where two texts begin and end to differ, so that a cursor before or behind stays where it is. */
function difference(before: string, after: string): Difference {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  while (parts(before, start) || parts(after, start)) start--;
  let same = 0;
  while (same < shorter - start && before.at(-1 - same) === after.at(-1 - same)) same++;
  while (parts(before, before.length - same) || parts(after, after.length - same)) same--;
  return { start, end: before.length - same, text: after.slice(start, after.length - same) };
}

/** Whether an offset parts two units that belong together: a line break or a surrogate pair. */
function parts(text: string, offset: number): boolean {
  return /^(?:\r\n|[\ud800-\udbff][\udc00-\udfff])$/.test(text.slice(Math.max(0, offset - 1), offset + 1));
}
