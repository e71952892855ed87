import { assertOptions } from '../../api/arguments.ts';
import type { CheckOptions } from '../../api/expressions.ts';
import type { DiagnosticCode } from '../../lang/diagnostic.ts';

/** What the expression is for, the properties that exist, and where diagnostics link to. */
export interface OnwhereOptions extends Pick<CheckOptions, 'schema' | 'use'> {
  /** Returns the address of the page about a code. Without this function, messages have no link. */
  readonly diagnosticUrl?: (code: DiagnosticCode) => string;
}

/**
 * Checks the options at once: CodeMirror would meet a mistake in them only while somebody types.
 *
 * @throws {TypeError} for an unknown option, or one of another type.
 */
export function assertOnwhereOptions(options: unknown): void {
  assertOptions(options, ['diagnosticUrl', 'schema', 'use']);
}
