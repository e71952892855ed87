import { type CheckOptions, check } from '../../../api/expressions.ts';
import { type Repaired, repair } from '../../../api/repair.ts';
import { translate } from '../../../api/translate.ts';
import type { DiagnosticCode } from '../../../lang/diagnostic.ts';
import type { GuessRule } from './guess-rule.ts';
import { MARK, maskStrings, unmaskStrings } from './masked-source.ts';
import { SCHEMA_RULES } from './schema-rules.ts';
import { SPELLING_RULES } from './spelling-rules.ts';
import { OBJECT_RULES, STRUCTURE_RULES } from './structure-rules.ts';
import { UNWRAP_RULES } from './unwrap-rules.ts';

/** A possible meaning of a filter. */
export interface Guess {
  readonly source: string;
  /** Sentences for the author to confirm. */
  readonly assumptions: readonly string[];
}

/** Rules for the filter as it is written. In this order: what is around a filter hides what is in it. */
const WRITTEN_RULES: readonly GuessRule[] = [...UNWRAP_RULES, ...OBJECT_RULES, ...SPELLING_RULES];

/** Rules for the filter after its certain repairs. */
const REPAIRED_RULES: readonly GuessRule[] = [...SCHEMA_RULES, ...STRUCTURE_RULES];

/** Says that a filter of another language was read word by word. */
const READ_AS_EXPRESSION =
  'Read as an expression with mistakes: missing values may count differently in other languages.';

/** Longer filters are not guessed: patterns would take long. */
const MAX_LENGTH = 4_000;

/** Warnings of filters that surely do not say what was meant. */
const WRONG: ReadonlySet<DiagnosticCode> = new Set([
  'unknown-property',
  'unknown-value',
  'text-order',
  'date-arithmetic',
  'never-equal',
  'always-undefined',
  'no-value',
  'never-true',
  'always-true',
]);

/**
 * Guesses what a filter means that has no certain repair, and says what it assumes. Returns undefined if the result would
 * still be wrong.
 */
export function guessFilter(source: string, options: CheckOptions): Guess | undefined {
  if (source.length > MAX_LENGTH || source.includes(MARK)) return undefined;
  const assumptions: string[] = [];
  let current = source;
  const findMeaning = (): Guess | undefined => {
    const meant = readMeaning(repair(current, { ...options, translate }));
    if (!isLikelyRight(meant.source, options)) return undefined;
    return { source: meant.source, assumptions: [...assumptions, ...meant.assumptions] };
  };
  let found = findMeaning();
  for (const rule of WRITTEN_RULES) {
    if (found !== undefined) return found;
    if (apply(rule)) found = findMeaning();
  }
  if (found !== undefined) return found;
  // What is left is not a filter of another language, or one without a translation.
  current = repair(current, options).source;
  if (isLikelyRight(current, options)) return { source: current, assumptions: [...assumptions, READ_AS_EXPRESSION] };
  for (const rule of REPAIRED_RULES) {
    if (!apply(rule)) continue;
    found = findMeaning();
    if (found !== undefined) return found;
    current = repair(current, options).source;
  }
  return undefined;

  function apply(rule: GuessRule): boolean {
    const written = applyRule(rule, current, options);
    if (written === current) return false;
    current = written;
    assumptions.push(rule.assumption);
    return true;
  }
}

/** Returns the repaired source or, if that is a filter of another language, its translation with notes. */
function readMeaning({ source, translation }: Repaired): Guess {
  if (translation === undefined || !('expression' in translation)) return { source, assumptions: [] };
  return { source: translation.expression, assumptions: translation.notes };
}

/** Returns whether an expression is valid and has no warning that it does not say what was meant. */
export function isLikelyRight(source: string, options: CheckOptions): boolean {
  const { ok, diagnostics } = check(source, options);
  return ok && !diagnostics.some(({ code }) => WRONG.has(code));
}

function applyRule({ rewrite, rewriteCode }: GuessRule, source: string, { schema }: CheckOptions): string {
  if (rewrite !== undefined) return rewrite(source, schema);
  const { code, strings } = maskStrings(source);
  return unmaskStrings({ code: rewriteCode?.(code, strings, schema) ?? code, strings });
}
