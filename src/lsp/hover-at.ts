import { type Hover, MarkupKind } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Schema } from '../check/schema.ts';
import { hover } from '../editor/hover.ts';
import { showTypes } from '../language/types.ts';
import { toRange } from './range-of.ts';

/** What there is to say about an offset of a document: the expression there, its types, and what is known of it. */
export function getHover(document: TextDocument, offset: number, schema: Schema | undefined): Hover | null {
  const found = hover(document.getText(), offset, schema);
  if (found === undefined) return null;
  const { span, code, types, documentation } = found;
  const parts = [`\`\`\`onwhere\n${code}\n\`\`\``, showTypes(types)];
  if (documentation !== undefined) parts.push(documentation);
  return { contents: { kind: MarkupKind.Markdown, value: parts.join('\n\n') }, range: toRange(document, span) };
}
