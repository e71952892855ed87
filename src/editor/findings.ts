import { type CheckOptions, check } from '../api.ts';
import type { Diagnostic } from '../language/diagnostic.ts';

/** What there is to say about an expression that is being written. What is not yet begun is no mistake. */
export function findDiagnostics(source: string, options: Pick<CheckOptions, 'schema' | 'use'>): readonly Diagnostic[] {
  return check(source, options).diagnostics.filter(({ code }) => code !== 'empty-expression');
}

/** All that a diagnostic says. What to do about it stands on a line of its own. */
export function describeDiagnostic({ message, help }: Diagnostic): string {
  return help === undefined ? message : `${message}\n${help}`;
}
