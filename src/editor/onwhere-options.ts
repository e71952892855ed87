import { assertOptions } from '../api/arguments.ts';
import type { CheckOptions } from '../api/expressions.ts';
import type { DiagnosticCode } from '../lang/diagnostic.ts';

/**
 * The use of the expression, the schema of its properties, the time zone of its dates, and the pages that diagnostics
 * link to.
 */
export interface OnwhereOptions extends Pick<CheckOptions, 'schema' | 'timeZone' | 'use'> {
  /** Returns the URL of the page about a diagnostic code. Without this function, messages have no link. */
  readonly diagnosticUrl?: (code: DiagnosticCode) => string;
}

/**
 * Checks the options early: an editor would only fail while someone types.
 *
 * @throws {TypeError} for an unknown option, or one of the wrong type.
 */
export function assertOnwhereOptions(options: unknown): void {
  assertOptions(options, ['diagnosticUrl', 'schema', 'timeZone', 'use']);
}
