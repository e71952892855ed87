import { type Diagnostic, type DiagnosticCode, diagnose, type Fix } from '../lang/diagnostic.ts';
import type { ForeignTranslation } from '../lang/foreign/translate.ts';
import { assertSourceAndOptions } from './arguments.ts';
import { type CheckOptions, check, format } from './expressions.ts';

export interface RepairOptions extends CheckOptions {
  /** Reads filters of other languages: `translate` from `onwhere/translate`. Default: none are read. */
  readonly translate?: (source: string) => ForeignTranslation | undefined;
}

/** A fix that was applied, and the code of the diagnostic that it corrects. */
export interface AppliedFix extends Fix {
  readonly code: DiagnosticCode;
  /** The source that it replaced. */
  readonly written: string;
}

export interface Repaired {
  /** The source after all fixes, or its translation if that is certain. */
  readonly source: string;
  /** The fixes, in the order in which they were applied: each span is one of the source after the fixes before it. */
  readonly fixes: readonly AppliedFix[];
  /** The errors and warnings that are left, about the repaired source. */
  readonly diagnostics: readonly Diagnostic[];
  /**
   * The meaning of the source in another language, if the fixes do not certainly say the same. Without `notes`, its
   * expression is the repaired source. Else the author has to decide.
   */
  readonly translation?: ForeignTranslation;
}

type Fixable = Diagnostic & { readonly fix: Fix };

/** A fix can uncover a mistake that another one hid, such as an operator next to a name. */
const MAX_PASSES = 20;

/**
 * Applies the fixes of all diagnostics, again and again, until none has one. A fix is only offered where it certainly
 * says what was meant, so a source without errors and warnings stays as it is, and the rest is left to the author.
 *
 * With `translate`, a source with errors that is a filter of another language means what it means there, and is translated
 * as a whole. If the translation is not certain, the source stays as it is.
 *
 * @throws {TypeError} if an argument has the wrong type.
 *
 * @example
 * repair('plan not in ("free", "trial")').source; // 'not properties["plan"] in ["free", "trial"]'
 */
export function repair(source: string, options: RepairOptions = {}): Repaired {
  assertSourceAndOptions(source, options, ['limits', 'relations', 'schema', 'translate', 'use']);
  const { translate, ...checkOptions } = options;
  const checked = check(source, checkOptions);
  const translation = checked.ok ? undefined : translate?.(source);
  const repaired = applyFixes(source, checked.diagnostics, checkOptions);
  if (translation === undefined) return repaired;
  if ('expression' in translation) {
    const { expression, notes } = translation;
    // Where the fixes say the same, they keep more of the source.
    if (isSame(repaired, expression)) return notes.length === 0 ? repaired : { ...repaired, translation };
    if (notes.length === 0)
      return { source: expression, fixes: [], diagnostics: check(expression, checkOptions).diagnostics, translation };
  }
  return { source, fixes: [], diagnostics: [describeTranslation(source, translation)], translation };
}

function isSame({ source, diagnostics }: Repaired, expression: string): boolean {
  return countErrors(diagnostics) === 0 && format(source) === format(expression);
}

function describeTranslation(source: string, translation: ForeignTranslation): Diagnostic {
  if ('reason' in translation) return diagnose('untranslatable', translation.span, translation);
  return diagnose('untranslatable', { start: 0, end: source.length }, { reason: translation.notes.join(' ') });
}

function applyFixes(source: string, found: readonly Diagnostic[], options: CheckOptions): Repaired {
  const fixes: AppliedFix[] = [];
  let repaired = source;
  let diagnostics = found;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const disjoint = findDisjoint(diagnostics);
    if (disjoint.length === 0) break;
    const fixed = applyAll(repaired, disjoint);
    const after = check(fixed.source, options).diagnostics;
    // In a text with little of an expression in it, a fix can uncover more mistakes than it corrects.
    if (countErrors(after) > countErrors(diagnostics)) break;
    fixes.push(...fixed.fixes);
    repaired = fixed.source;
    diagnostics = after;
  }
  return { source: repaired, fixes, diagnostics };
}

function applyAll(source: string, disjoint: readonly Fixable[]): Pick<Repaired, 'source' | 'fixes'> {
  let fixed = source;
  // From the end, so that the spans of the others stay right.
  const fixes = disjoint.toReversed().map(({ code, fix }): AppliedFix => {
    const { start, end } = fix.span;
    const written = fixed.slice(start, end);
    fixed = fixed.slice(0, start) + fix.text + fixed.slice(end);
    return { ...fix, code, written };
  });
  return { source: fixed, fixes };
}

function countErrors(diagnostics: readonly Diagnostic[]): number {
  return diagnostics.filter(({ severity }) => severity === 'error').length;
}

/** Returns the fixable diagnostics whose fixes do not touch each other, in the order of their fixes. */
function findDisjoint(diagnostics: readonly Diagnostic[]): readonly Fixable[] {
  const fixable = diagnostics.filter((found): found is Fixable => found.fix !== undefined);
  fixable.sort((left, right) => left.fix.span.start - right.fix.span.start || left.fix.span.end - right.fix.span.end);
  const disjoint: Fixable[] = [];
  for (const found of fixable) {
    const last = disjoint.at(-1)?.fix.span;
    if (last === undefined || found.fix.span.start > last.end) disjoint.push(found);
  }
  return disjoint;
}
