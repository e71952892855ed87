/**
 * Translates filters of other languages: Mixpanel, SQL, CEL, JavaScript, JSON Logic, MongoDB and Excel.
 *
 * @module onwhere/translate
 */

import { type ForeignTranslation, translateForeign } from '../lang/foreign/translate.ts';
import { assertSource } from '../lang/syntax/parse.ts';

export type { ForeignTranslation, Translated, Untranslated } from '../lang/foreign/translate.ts';
export type { Span } from '../lang/source.ts';

/**
 * Translates a filter of another language to an expression that selects the same records, and says which language it
 * was read as. Its names are properties of the event, `user.name` is a property of the user. `notes` says what the
 * translation assumes: without notes it is certain, also for properties that are missing, null or of several types. If a
 * part has no exact translation, `reason` says why, and `span` where.
 *
 * Returns undefined for a source that is an expression, or not recognised. {@link repair} takes this function as an
 * option.
 *
 * @throws {TypeError} if the source is not a string.
 *
 * @example
 * translate('{"plan": {"$exists": true}, "amount": {"$gt": 100}}')?.language; // 'MongoDB'
 */
export function translate(source: string): ForeignTranslation | undefined {
  assertSource(source, 'source');
  return translateForeign(source);
}
