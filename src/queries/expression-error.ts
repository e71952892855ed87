import { check } from '../api/expressions.ts';
import type { Checked, Use } from '../lang/check/check.ts';
import type { Schema } from '../lang/check/schema.ts';
import { ExpressionCheckError, type ExpressionError } from '../lang/errors.ts';
import type { CheckedExpressions } from './checked-expressions.ts';
import { QueryError } from './errors.ts';

/** The role of an expression in a query. */
export type ExpressionKind = 'selector' | 'action';

/**
 * Returns the checked tree of an expression that is valid and does not fail on every record.
 *
 * @throws {QueryError} for an invalid expression
 */
export function checkExpression(
  expressions: CheckedExpressions,
  expression: string,
  kind: ExpressionKind,
  use: Use,
  seen: Schema,
): Checked {
  try {
    return expressions.check(expression, use);
  } catch (error) {
    if (error instanceof ExpressionCheckError) throw toQueryError(kind, error, use, seen);
    throw error;
  }
}

/**
 * Converts an error to a {@link QueryError} that says where and what to do, and suggests names for unknown properties.
 */
export function toQueryError(kind: ExpressionKind, error: ExpressionError, use: Use, seen: Schema): QueryError {
  const { source, message, diagnostics } = error;
  const help = diagnostics.find(({ severity }) => severity === 'error')?.help;
  const misnamed = check(source, { use, schema: seen }).diagnostics.filter(
    (found) => found.code === 'unknown-property' && found.help !== undefined,
  );
  const hints = [help, ...misnamed.map((found) => `${found.message} ${found.help}`)];
  return new QueryError(kind, [message, ...hints].filter(Boolean).join(' '));
}
