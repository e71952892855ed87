import { check } from '../../api/expressions.ts';
import type { Use } from '../../lang/check/check.ts';
import type { Schema } from '../../lang/check/schema.ts';
import { ExpressionCheckError, type ExpressionError } from '../../lang/errors.ts';
import { QueryError } from './errors.ts';

/** Where in a query an expression stands. */
export type ExpressionKind = 'selector' | 'action';

/**
 * Throws what is wrong with an expression before it is asked of any record: that it is none, or fails on every record.
 *
 * @throws {QueryError}
 */
export function checkExpression(expression: string, kind: ExpressionKind, use: Use, seen: Schema): void {
  const { ok, diagnostics } = check(expression, { use });
  if (!ok) throw toQueryError(kind, new ExpressionCheckError(expression, diagnostics), use, seen);
}

/** What is wrong with an expression, where, and what to do, with the properties that look like those that it names in vain. */
export function toQueryError(kind: ExpressionKind, error: ExpressionError, use: Use, seen: Schema): QueryError {
  const { source, message, diagnostics } = error;
  const help = diagnostics.find(({ severity }) => severity === 'error')?.help;
  const misnamed = check(source, { use, schema: seen }).diagnostics.filter(
    (found) => found.code === 'unknown-property' && found.help !== undefined,
  );
  const hints = [help, ...misnamed.map((found) => `${found.message} ${found.help}`)];
  return new QueryError(kind, [message, ...hints].filter(Boolean).join(' '));
}
