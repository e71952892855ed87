import type { Diagnostic } from '../../lang/diagnostic.ts';
import { diagnosticPage } from '../../lang/diagnostic-page.ts';
import { type Position, positionAt } from '../../lang/source.ts';

/** A diagnostic with its line and column, and the page that explains its code. */
interface JsonDiagnostic extends Diagnostic, Position {
  readonly page: string;
}

/** Adds to each diagnostic its line and column and the page that explains its code. */
export function toJsonDiagnostics(source: string, diagnostics: readonly Diagnostic[]): readonly JsonDiagnostic[] {
  return diagnostics.map((diagnostic) => ({
    ...diagnostic,
    ...positionAt(source, diagnostic.span.start),
    page: diagnosticPage(diagnostic.code),
  }));
}
