import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { check } from '../api.ts';
import type { Diagnostic as Found } from '../language/diagnostic.ts';
import { rangeOf } from './range-of.ts';
import type { Settings } from './settings.ts';

/** Everything to say about a document. */
export function diagnosticsOf(document: TextDocument, settings: Settings): Diagnostic[] {
  return findingsIn(document, settings).map((found) => toDiagnostic(document, found));
}

/** The diagnostics of a document by their offsets; none for one that nothing has been written in yet. */
export function findingsIn(document: TextDocument, settings: Settings): readonly Found[] {
  return check(document.getText(), settings).diagnostics.filter(({ code }) => code !== 'empty-expression');
}

/** A diagnostic as the protocol has it. What to do about it stands on a line of its own. */
export function toDiagnostic(document: TextDocument, { span, severity, code, message, help }: Found): Diagnostic {
  return {
    range: rangeOf(document, span),
    severity: severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    code,
    source: 'onwhere',
    message: help === undefined ? message : `${message}\n${help}`,
  };
}
