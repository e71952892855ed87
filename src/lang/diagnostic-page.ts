import type { DiagnosticCode } from './diagnostic.ts';

/** Returns the path of the page that explains a diagnostic code, relative to the root of this package. */
export function diagnosticPage(code: DiagnosticCode): string {
  return `docs/diagnostics/${code}.md`;
}
