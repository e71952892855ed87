import { ExpressionTypeError } from '../language/errors.ts';
import type { Span } from '../language/source.ts';
import { typeName, type Value } from '../language/value.ts';

/**
 * Judges a value as an operand of `and` or `or`, or as a filter (language, section 4, rule 6, and section 5): undefined is false.
 *
 * @throws {ExpressionTypeError} for a value that is neither a boolean nor undefined.
 */
export function condition(value: Value, operator: 'and' | 'or' | 'where', span: Span, source: string): boolean {
  if (typeof value === 'boolean') return value;
  if (value === undefined) return false;
  throw new ExpressionTypeError(source, operator, typeName(value), span);
}
