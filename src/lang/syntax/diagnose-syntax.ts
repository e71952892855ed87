import { EOF, type MismatchedTokenException } from 'chevrotain';
import { compareByPosition, type Diagnostic, diagnose } from '../diagnostic.ts';
import type { Span } from '../source.ts';
import { getGrammar, MAX_REPORTED } from './grammar.ts';
import { parsePiece } from './repair/operands.ts';
import { repairTokens } from './repair/repair.ts';
import { type OperandPart, splitParts } from './split-parts.ts';
import * as T from './vocabulary.ts';

/**
 * Returns the first {@link MAX_REPORTED} mistakes in a source that is not an expression.
 *
 * @throws {DepthError} if a part of it exceeds the limit on nesting.
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
  // With an odd quote, strings can be read as code and code as strings, so other diagnostics would be unreliable.
  if (unclosed !== undefined)
    return [findUnclosedName(source, tokens) ?? diagnose('unclosed-string', T.getTokenSpan(unclosed), {})];
  const diagnostics: Diagnostic[] = [];
  for (const diagnostic of findMistakes(source, tokens, unexpected, maxDepth)) {
    diagnostics.push(diagnostic);
    if (diagnostics.length === MAX_REPORTED) break;
  }
  return diagnostics.sort(compareByPosition);
}

/** Finds a property such as `properties["plan]`, whose name takes the quotes of the strings after it for its own. */
function findUnclosedName(source: string, tokens: readonly T.Token[]): Diagnostic | undefined {
  const index = tokens.findIndex(
    (token, at) =>
      T.is(token, T.ScopeWord) && T.is(tokens[at + 1], T.OpenBracket) && tokens[at + 2]?.image.includes(']'),
  );
  const name = tokens[index + 2];
  if (index === -1 || name === undefined || T.is(tokens[index + 3], T.CloseBracket)) return undefined;
  const start = name.startOffset;
  const end = start + name.image.indexOf(']');
  const closed = `${source.slice(0, end)}${name.image[0]}${source.slice(end)}`;
  const fix = parsePiece(closed) === undefined ? undefined : { span: { start: end, end }, text: name.image.charAt(0) };
  const property = `${closed.slice((tokens[index] as T.Token).startOffset, end + 1)}]`;
  return diagnose('unclosed-string', { start, end }, { property }, fix);
}

/** Repairs the tokens, then parses each operand of the outermost `and`s and `or`s. Each parse finds one mistake. */
function* findMistakes(
  source: string,
  tokens: readonly T.Token[],
  unexpected: readonly Span[],
  maxDepth: number,
): Generator<Diagnostic> {
  yield* diagnoseCharacters(source, unexpected);
  const parts = yield* splitParts(yield* repairTokens(source, tokens));
  for (const part of parts) yield* diagnosePart(source, part, maxDepth);
}

function* diagnoseCharacters(source: string, unexpected: readonly Span[]): Generator<Diagnostic> {
  const [open, close, ...others] = unexpected;
  const end = source.trimEnd().length;
  const isBlock = source[open?.start ?? end] === '{' && source[close?.start ?? end] === '}';
  const start = source.length - source.trimStart().length;
  if (isBlock && others.length === 0 && open?.start === start && close?.end === end && open.end === start + 1) {
    const inner = source.slice(open.end, close.start).trim();
    // Pairs such as `{plan: "pro"}` are not a condition.
    const fix = parsePiece(inner) === undefined ? undefined : { span: { start, end }, text: inner };
    yield diagnose('unexpected-character', open, { character: '{' }, fix);
    return;
  }
  for (const span of unexpected) yield diagnoseCharacter(source, span);
}

function diagnoseCharacter(source: string, span: Span): Diagnostic {
  const character = String.fromCodePoint(source.codePointAt(span.start) ?? 0);
  // A statement of SQL ends with a semicolon.
  const isEnd = character === ';' && source.slice(span.start).replace(/[;\s]/g, '') === '';
  const fix = isEnd ? { span: { start: span.start, end: source.length }, text: '' } : undefined;
  return diagnose('unexpected-character', span, { character }, fix);
}

function* diagnosePart(
  source: string,
  { tokens, previous, next }: OperandPart,
  maxDepth: number,
): Generator<Diagnostic> {
  const { problems, stop } = getGrammar().parse(tokens, maxDepth);
  yield* problems;
  if (stop === undefined) return;
  const { ruleStack } = stop.context;
  const { previousToken } = stop as MismatchedTokenException;
  const found = stop.token.tokenType === EOF ? next : (stop.token as T.Token);
  const joint = tokens.length === 0 ? (previous ?? next)?.image : undefined;
  yield diagnoseStop(source, ruleStack.at(-1), previousToken as T.Token | undefined, found, joint);
}

/**
 * Returns the error for the place where the grammar stopped: inside a rule, after the previous token, at the token
 * found or at the end. `joint` is the `and` or `or` without a condition beside it.
 */
function diagnoseStop(
  source: string,
  rule: string | undefined,
  previous: T.Token | undefined,
  found: T.Token | undefined,
  joint: string | undefined,
): Diagnostic {
  // Point at the last character, not at the line break that ends a file.
  const end = source.trimEnd().length;
  const span = found ? T.getTokenSpan(found) : { start: end, end };
  const text = source.slice(span.start, span.end);
  // Only the end, and a closing bracket that was added there, has no source.
  const shown = text === '' ? 'the end' : `\`${text}\``;
  if (rule === 'list' || rule === 'listItem') return diagnose('list-item', span, { found: shown });
  if (rule === 'call' && previous !== undefined && T.is(previous, T.FunctionWord)) {
    return diagnose('missing-parenthesis', T.getTokenSpan(previous), { name: previous.image });
  }
  if (rule === 'property' && previous !== undefined && T.is(previous, T.ScopeWord)) {
    return diagnose('missing-bracket', T.getTokenSpan(previous), { scope: previous.image });
  }
  if (rule === 'property') return diagnose('property-name', span, { property: 'properties["name"]' });
  if (T.is(found, T.Comma)) return diagnose(rule === 'call' ? 'several-operands' : 'misplaced-comma', span);
  if (T.is(found, T.OpenBracket)) return diagnose('misplaced-list', span);
  return diagnose('missing-operand', span, { found: shown, joint });
}
