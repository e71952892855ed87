import { type SemanticTokens, SemanticTokensBuilder, SemanticTokenTypes } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { highlight } from '../editor/highlight.ts';
import type { HighlightKind } from '../syntax/vocabulary.ts';

/** What each kind is called in the protocol; what is not here takes the colour of plain text. */
const TYPES: ReadonlyMap<HighlightKind, SemanticTokenTypes> = new Map([
  ['text', SemanticTokenTypes.string],
  ['escape', SemanticTokenTypes.regexp],
  ['number', SemanticTokenTypes.number],
  ['constant', SemanticTokenTypes.enumMember],
  ['scope', SemanticTokenTypes.variable],
  ['property', SemanticTokenTypes.property],
  ['function', SemanticTokenTypes.function],
  ['keyword', SemanticTokenTypes.keyword],
  ['operator', SemanticTokenTypes.operator],
]);

/** The types by number, and no modifiers. */
export const LEGEND = { tokenTypes: [...TYPES.values()], tokenModifiers: [] };

/** The colours of a document, as the lexer sees it. */
export function getSemanticTokens(document: TextDocument): SemanticTokens {
  const builder = new SemanticTokensBuilder();
  for (const { kind, span } of highlight(document.getText())) {
    const type = TYPES.get(kind);
    if (type === undefined) continue;
    const { line, character } = document.positionAt(span.start);
    builder.push(line, character, span.end - span.start, LEGEND.tokenTypes.indexOf(type), 0);
  }
  return builder.build();
}
