import { type CheckOptions, check } from '../api/expressions.ts';
import type { Diagnostic, Fix } from '../lang/diagnostic.ts';
import { truncate } from '../lang/util/strings.ts';

/** What there is to say about an expression that is being written. What is not yet begun is no mistake. */
export function findDiagnostics(source: string, options: Pick<CheckOptions, 'schema' | 'use'>): readonly Diagnostic[] {
  return check(source, options).diagnostics.filter(({ code }) => code !== 'empty-expression');
}

/** All that a diagnostic says. What to do about it stands on a line of its own. */
export function describeDiagnostic({ message, help }: Diagnostic): string {
  return help === undefined ? message : `${message}\n${help}`;
}

const MAX_TEXT_WIDTH = 60;

/** What a fix does, for whoever chooses it: `` Write `==` ``. */
export function describeFix({ span, text }: Fix, source: string): string {
  if (text.trim() === '') return `Remove ${code(source.slice(span.start, span.end))}`;
  return `${span.start === span.end ? 'Insert' : 'Write'} ${code(text)}`;
}

function code(text: string): string {
  return `\`${truncate(text.trim(), MAX_TEXT_WIDTH)}\``;
}
