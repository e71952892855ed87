import { type CheckOptions, check } from '../api/expressions.ts';
import { findRelations } from '../api/relate.ts';
import { truncate } from '../base/strings.ts';
import type { Diagnostic, Fix } from '../lang/diagnostic.ts';

/** Returns the diagnostics of an expression in an editor. An empty expression has none. */
export function findDiagnostics(
  source: string,
  options: Pick<CheckOptions, 'schema' | 'timeZone' | 'use'>,
): readonly Diagnostic[] {
  return check(source, { ...options, relations: findRelations }).diagnostics.filter(
    ({ code }) => code !== 'empty-expression',
  );
}

/** Returns the message of a diagnostic, and its help on a second line. */
export function describeDiagnostic({ message, help }: Diagnostic): string {
  return help === undefined ? message : `${message}\n${help}`;
}

const MAX_CODE_WIDTH = 60;

/** Returns the title of a fix: `` Write `==` ``. */
export function describeFix({ span, text }: Fix, source: string): string {
  if (text.trim() === '') return `Remove ${formatCode(source.slice(span.start, span.end))}`;
  return `${span.start === span.end ? 'Insert' : 'Write'} ${formatCode(text)}`;
}

function formatCode(text: string): string {
  return `\`${truncate(text.trim(), MAX_CODE_WIDTH)}\``;
}
