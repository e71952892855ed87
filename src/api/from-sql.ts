import { diagnose } from '../lang/diagnostic.ts';
import { TranslationError, traceFrom } from '../lang/errors.ts';
import { type Translated, translateSql } from '../lang/foreign/translate.ts';
import { assertSource } from '../lang/syntax/parse.ts';

/**
 * Translates the condition of SQL to an expression that selects the same records. Columns are properties of the event,
 * `user.name` is a property of its user, and a missing property is NULL. Takes a condition, with or without `WHERE`, or
 * a `SELECT` from one table.
 *
 * A column has one type, that of the values it is compared with; what `->>` reads can have any. Strings equal exactly the
 * same strings, as in DuckDB, ClickHouse and PostgreSQL. `notes` says what else the translation assumes.
 *
 * @throws {TranslationError} with the place and the reason if a part has no exact translation.
 * @throws {TypeError} if the source is not a string.
 *
 * @example
 * fromSql("WHERE plan = 'pro' AND amount > 10").expression;
 * // 'properties["plan"] == "pro" and properties["amount"] > 10'
 */
export function fromSql(source: string): Translated {
  assertSource(source, 'source');
  const translation = translateSql(source);
  if ('expression' in translation) return translation;
  const { span, reason } = translation;
  throw traceFrom(fromSql, new TranslationError(source, [diagnose('untranslatable', span, { reason })]));
}
