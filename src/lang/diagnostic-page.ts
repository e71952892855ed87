import type { DiagnosticCode } from './diagnostic.ts';

/**
 * Returns where the documentation explains a code: the path of its page in this package. Once the documentation is
 * published, this is the one place that says where.
 */
export function diagnosticPage(code: DiagnosticCode): string {
  return `docs/diagnostics/${code}.md`;
}
