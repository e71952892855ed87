import type { Diagnostic, DiagnosticCode } from '../lang/diagnostic.ts';
import { isUnfinished } from '../lang/syntax/is-unfinished.ts';

/** How long nothing is typed until a mistake at the cursor is shown. In milliseconds. */
export const SETTLING_TIME = 700;

/** Mistakes that the rest of the text corrects, if it is still to come. */
const OPEN_CODES: ReadonlySet<DiagnosticCode> = new Set(['unclosed-string', 'unclosed-bracket']);

/**
 * Returns the diagnostics to show while someone types: none of the word at the cursor or right before it, which may not be
 * complete, and no errors if the whole source is not.
 *
 * @param cursor The offset of the cursor in the source.
 */
export function selectSettled(
  source: string,
  diagnostics: readonly Diagnostic[],
  cursor: number,
): readonly Diagnostic[] {
  const left = diagnostics.filter(({ code, span }) => {
    const isBefore = span.end < cursor && source.slice(span.end, cursor).trim() !== '';
    return !OPEN_CODES.has(code) && (cursor < span.start || isBefore);
  });
  return left.length > 0 && isUnfinished(source) ? left.filter(({ severity }) => severity === 'warning') : left;
}
