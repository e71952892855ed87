import { EOF, type MismatchedTokenException } from 'chevrotain';
import { byPosition, type Diagnostic, diagnose } from '../language/diagnostic.ts';
import type { Span } from '../language/source.ts';
import { balance } from './balance.ts';
import { getGrammar, MAX_REPORTED } from './grammar.ts';
import { repair } from './repair.ts';
import * as T from './vocabulary.ts';

/** Ends the search for mistakes. */
class Enough extends Error {}

/**
 * Why a text is no expression. Mistakes that show in the tokens alone are reported and mended there; then each operand of the
 * outermost `and`s and `or`s, which stands on its own, goes to the parser, which reports the first thing that it cannot take.
 */
export function diagnoseSyntax(
  source: string,
  tokens: readonly T.Token[],
  unexpected: readonly Span[],
  maxDepth: number,
): readonly Diagnostic[] {
  if (tokens.length === 0 && unexpected.length === 0)
    return [diagnose('empty-expression', { start: 0, end: source.length })];
  const unclosed = tokens.find((token) => T.is(token, T.UnclosedString));
  // From an odd quote on, or even before it, text and not text are taken for each other: nothing else can be relied on.
  if (unclosed !== undefined) return [diagnose('unclosed-string', T.spanOf(unclosed))];
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => {
    diagnostics.push(diagnostic);
    if (diagnostics.length === MAX_REPORTED) throw new Enough();
  };
  try {
    for (const span of unexpected) report(unexpectedCharacter(source, span));
    const mended = balance(repair(source, tokens, report), report);
    if (mended.length > 0) for (const part of splitAtChains(mended)) diagnosePart(source, part, maxDepth, report);
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  return diagnostics.sort(byPosition);
}

function unexpectedCharacter(source: string, span: Span): Diagnostic {
  const character = String.fromCodePoint(source.codePointAt(span.start) ?? 0);
  return diagnose('unexpected-character', span, { character });
}

/** The tokens of one operand and the token after them, if any. */
interface Part {
  readonly tokens: T.Token[];
  readonly next: T.Token | undefined;
}

/** Splits at the `and`s and `or`s outside all brackets: they bind loosest, so that what is between them cannot reach beyond. */
function splitAtChains(tokens: readonly T.Token[]): Part[] {
  const parts: Part[] = [];
  let part: T.Token[] = [];
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

function diagnosePart(
  source: string,
  { tokens, next }: Part,
  maxDepth: number,
  report: (found: Diagnostic) => void,
): void {
  const grammar = getGrammar();
  grammar.parse(tokens, maxDepth);
  grammar.problems.forEach(report);
  const [error] = grammar.errors;
  if (error === undefined) return;
  const found = error.token.tokenType === EOF ? next : (error.token as T.Token);
  report(
    diagnoseStop(
      source,
      error.context.ruleStack.at(-1),
      (error as MismatchedTokenException).previousToken as T.Token | undefined,
      found,
    ),
  );
}

/** What the grammar cannot take: the token found, undefined for the end, after the previous one, inside a rule. */
function diagnoseStop(
  source: string,
  rule: string | undefined,
  previous: T.Token | undefined,
  found: T.Token | undefined,
): Diagnostic {
  // A line break that ends a file is no place to point at.
  const end = source.trimEnd().length;
  const span = found ? T.spanOf(found) : { start: end, end };
  const text = source.slice(span.start, span.end);
  // Only the end, and a bracket that was left open and closed there, has no source.
  const shown = text === '' ? 'the end' : `\`${text}\``;
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
