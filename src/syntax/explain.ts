import { EOF, type ILexingError, type IToken } from 'chevrotain';
import { byPosition, type Diagnostic, diagnose } from '../language/diagnostic.ts';
import type { Span } from '../language/source.ts';
import { balance } from './balance.ts';
import { MOST_REPORTED, theParser } from './parser.ts';
import { repair } from './repair.ts';
import * as T from './tokens.ts';

/** Ends the search for mistakes. */
class Enough extends Error {}

/**
 * Why a text is no expression. Mistakes that show in the tokens alone are reported and mended there; then each operand of the
 * outermost `and`s and `or`s, which stands on its own, goes to the parser, which reports the first thing that it cannot take.
 */
export function explain(
  source: string,
  tokens: readonly IToken[],
  strays: readonly ILexingError[],
  maxDepth: number,
): readonly Diagnostic[] {
  if (tokens.length === 0 && strays.length === 0)
    return [diagnose('empty-expression', { start: 0, end: source.length })];
  const unclosed = tokens.find((token) => T.is(token, T.UnclosedText));
  // From an odd quote on, or even before it, text and not text are taken for each other: nothing else can be relied on.
  if (unclosed !== undefined) return [diagnose('unclosed-string', T.spanOf(unclosed))];
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => {
    diagnostics.push(diagnostic);
    if (diagnostics.length === MOST_REPORTED) throw new Enough();
  };
  try {
    for (const { offset, length } of strays) report(stray(source, offset, length));
    const mended = balance(repair(source, tokens, report), report);
    if (mended.length > 0) for (const part of splitAtChains(mended)) explainPart(source, part, maxDepth, report);
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  return diagnostics.sort(byPosition);
}

function stray(source: string, offset: number, length: number): Diagnostic {
  const character = String.fromCodePoint(source.codePointAt(offset) ?? 0);
  return diagnose('unexpected-character', { start: offset, end: offset + length }, { character });
}

/** The tokens of one operand and the token after them, if any. */
interface Part {
  readonly tokens: IToken[];
  readonly next: IToken | undefined;
}

/** Splits at the `and`s and `or`s outside all brackets: they bind loosest, so that what is between them cannot reach beyond. */
function splitAtChains(tokens: readonly IToken[]): Part[] {
  const parts: Part[] = [];
  let part: IToken[] = [];
  let depth = 0;
  for (const token of tokens) {
    if (T.isOpening(token)) depth++;
    if (T.isClosing(token)) depth--;
    if (depth === 0 && T.isLogical(token)) {
      parts.push({ tokens: part, next: token });
      part = [];
    } else {
      part.push(token);
    }
  }
  return [...parts, { tokens: part, next: undefined }];
}

function explainPart(
  source: string,
  { tokens, next }: Part,
  maxDepth: number,
  report: (found: Diagnostic) => void,
): void {
  const parser = theParser();
  parser.parse(tokens, maxDepth);
  parser.problems.forEach(report);
  const [error] = parser.errors;
  if (error === undefined) return;
  const atEnd = error.token.tokenType === EOF;
  const previous = tokens[atEnd ? tokens.length - 1 : tokens.indexOf(error.token) - 1];
  report(explainError(source, error.context.ruleStack.at(-1), previous, atEnd ? next : error.token));
}

/** What the parser cannot take: the token found, undefined for the end, behind the previous one, inside a rule of the grammar. */
function explainError(
  source: string,
  rule: string | undefined,
  previous: IToken | undefined,
  found: IToken | undefined,
): Diagnostic {
  const span: Span = found ? T.spanOf(found) : { start: source.length, end: source.length };
  // Only a bracket that was left open and closed at the end has no source.
  const shown = found?.image ? `\`${found.image}\`` : 'the end';
  if (rule === 'list' || rule === 'listItem') return diagnose('list-item', span, { found: shown });
  if (rule === 'call' && previous !== undefined && T.is(previous, T.FunctionWord)) {
    return diagnose('missing-parenthesis', T.spanOf(previous), { name: previous.image });
  }
  if (rule === 'property' && previous !== undefined && T.is(previous, T.Scope)) {
    return diagnose('missing-bracket', T.spanOf(previous), { scope: previous.image });
  }
  if (rule === 'property') return diagnose('property-name', span, { property: 'properties["name"]' });
  if (T.is(found, T.Comma)) return diagnose(rule === 'call' ? 'several-operands' : 'misplaced-comma', span);
  if (T.is(found, T.OpenBracket)) return diagnose('misplaced-list', span);
  return diagnose('missing-operand', span, { found: shown });
}
