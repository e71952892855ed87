import {
  type Diagnostic,
  DiagnosticSeverity,
  type Hover,
  MarkupKind,
  type SemanticTokens,
  SemanticTokensBuilder,
  SemanticTokenTypes,
  type TextEdit,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Schema } from '../../lang/check/schema.ts';
import type { Diagnostic as Found } from '../../lang/diagnostic.ts';
import { diagnosticPage } from '../../lang/diagnostic-page.ts';
import type { HighlightKind } from '../../lang/syntax/vocabulary.ts';
import { describeDiagnostic, findDiagnostics } from '../diagnostics.ts';
import { formatEdits } from '../format-edits.ts';
import { highlight } from '../highlight.ts';
import { describeHover, hover } from '../hover.ts';
import { toRange } from './protocol.ts';
import type { Settings } from './settings.ts';

/** The token type of each kind in the protocol. Other kinds look like plain text. */
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

/** The token types, whose index the protocol sends, and no modifiers. */
export const LEGEND = { tokenTypes: [...TYPES.values()], tokenModifiers: [] };

/** Returns the semantic tokens of a document, which editors colour. */
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

/** The root folder of this package. The built files of the command line are in `dist/cli`. */
const PACKAGE = new URL('../../', import.meta.url);

/** Returns the diagnostics of a document. */
export function getDiagnostics(document: TextDocument, settings: Settings): Diagnostic[] {
  return findDiagnostics(document.getText(), settings).map((found) => toDiagnostic(document, found));
}

/** Converts a diagnostic to that of the protocol. */
export function toDiagnostic(document: TextDocument, found: Found): Diagnostic {
  const { span, severity, code } = found;
  return {
    range: toRange(document, span),
    severity: severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    code,
    codeDescription: { href: new URL(diagnosticPage(code), PACKAGE).href },
    source: 'onwhere',
    message: describeDiagnostic(found),
  };
}

/** Returns the edits that format a document. They keep its line breaks. A syntax error means no edits. */
export function getFormattingEdits(document: TextDocument): TextEdit[] {
  const source = document.getText();
  const lineBreak = /\r\n|\r|\n/.exec(source)?.[0] ?? '\n';
  return (formatEdits(source) ?? []).flatMap(({ span, text }) => {
    const before = source.slice(span.start, span.end);
    // A file keeps the line break at its end.
    const canonical = span.end === source.length && /[\r\n]\s*$/.test(before) ? '\n' : text;
    const newText = canonical.replaceAll('\n', lineBreak);
    return newText === before ? [] : [{ range: toRange(document, span), newText }];
  });
}

/** Returns the hover at an offset of a document: the expression, its types and its documentation. */
export function getHover(document: TextDocument, offset: number, schema: Schema | undefined): Hover | null {
  const found = hover(document.getText(), offset, schema);
  if (found === undefined) return null;
  return {
    contents: { kind: MarkupKind.Markdown, value: describeHover(found) },
    range: toRange(document, found.span),
  };
}
