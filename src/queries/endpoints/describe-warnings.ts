import { check } from '../../api/expressions.ts';
import { findRelations } from '../../api/relate.ts';

/** Describes the warnings about a valid expression, each with the part that it is about. */
export function describeWarnings(source: string, timeZone: string): string[] {
  const { diagnostics } = check(source, { timeZone, relations: findRelations });
  return diagnostics.map(({ message, span }) => `In ${source.slice(span.start, span.end)}: ${message}`);
}
