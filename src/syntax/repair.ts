import type { Diagnostic } from '../language/diagnostic.ts';
import { Cursor } from './cursor.ts';
import { MISTAKES } from './mistakes.ts';
import type { Token } from './vocabulary.ts';

/**
 * Walks over the tokens, mending mistakes: what a rule recognises at the cursor is reported and replaced by what was meant,
 * so that the parser can go on behind it. What no rule recognises goes through.
 */
export function repair(source: string, tokens: readonly Token[], report: (diagnostic: Diagnostic) => void): Token[] {
  const cursor = new Cursor(source, tokens, report);
  while (cursor.peek() !== undefined) {
    if (!MISTAKES.some((mistake) => mistake(cursor))) cursor.keep();
  }
  return cursor.mended;
}
