import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { describeDiagnostic, findDiagnostics } from '../editor/findings.ts';
import type { Diagnostic as Found } from '../language/diagnostic.ts';
import { diagnosticPage } from '../language/diagnostic-page.ts';
import { toRange } from './range-of.ts';
import type { Settings } from './settings.ts';

/** The folder of this package, as seen from the build, whose files are all in one folder below it. */
const PACKAGE = new URL('../', import.meta.url);

/** Everything to say about a document. */
export function getDiagnostics(document: TextDocument, settings: Settings): Diagnostic[] {
  return findDiagnostics(document.getText(), settings).map((found) => toDiagnostic(document, found));
}

/** A diagnostic as the protocol has it. */
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
