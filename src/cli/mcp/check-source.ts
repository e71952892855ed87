import { type CheckResult, check, format } from '../../api/expressions.ts';
import { findRelations } from '../../api/relate.ts';
import type { Use } from '../../lang/check/check.ts';
import type { Schema } from '../../lang/check/schema.ts';
import { toJsonDiagnostics } from '../answers/diagnostics-json.ts';
import { ToolRefusal } from './tool-refusal.ts';

/** The use of an expression, and the properties and the time zone of its data. */
export interface CheckContext {
  readonly use: Use;
  readonly schema?: Schema | undefined;
  readonly timeZone?: string;
}

/** More diagnostics of one expression are not listed. */
const MAX_DIAGNOSTICS = 20;

/** Checks an expression, with warnings about conditions that make no difference. */
export function checkSource(source: string, { use, schema, timeZone = 'UTC' }: CheckContext): CheckResult {
  return check(source, { use, timeZone, relations: findRelations, ...(schema !== undefined && { schema }) });
}

/** Returns the diagnostics of an expression as JSON, the first ones if there are many. */
export function listDiagnostics(source: string, { diagnostics }: Pick<CheckResult, 'diagnostics'>): readonly object[] {
  return toJsonDiagnostics(source, diagnostics.slice(0, MAX_DIAGNOSTICS));
}

/**
 * Returns the canonical text of an expression, which is what runs.
 *
 * @param name The argument that it is, for messages.
 * @throws {ToolRefusal} with its diagnostics, if it is wrong
 */
export function readCanonical(name: string, source: string, context: CheckContext): string {
  const result = checkSource(source, context);
  if (result.ok) return format(source);
  throw new ToolRefusal(
    `"${name}" is not a valid expression, so nothing was run. Correct it as the diagnostics say, or call repair_filter.`,
    { argument: name, diagnostics: listDiagnostics(source, result) },
  );
}
