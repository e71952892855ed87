import type { Expression } from '../../ast.ts';
import { diagnose, type Fix } from '../../diagnostic.ts';
import { POWER } from '../../operators/row.ts';
import { getPower } from '../../operators/table.ts';
import * as T from '../vocabulary.ts';
import type { FindRepair, Repair, RepairCursor } from './cursor.ts';
import { cover, createFix, parsePiece, type Rewrite } from './operands.ts';

const MAX_TOKENS = 600;

/** Rewrites a choice between two conditions. Other values cannot be chosen: the language has no conditional. */
export function conditional(test: string, then: string, otherwise: string): Rewrite | undefined {
  const trees = [test, then, otherwise].map(parsePiece);
  if (!trees.every((tree) => tree !== undefined && isCondition(tree))) return undefined;
  const [chosen, other] = trees.slice(1).map((tree) => (tree?.kind === 'literal' ? tree.value : undefined));
  if (chosen === true && other === false) return { text: test, joint: 'or' };
  return { text: `((${test}) and (${then}) or not (${test}) and (${otherwise}))`, joint: 'comparison' };
}

/** Returns whether a value is true, false or undefined on every record. */
function isCondition(tree: Expression): boolean {
  if (tree.kind === 'literal') return typeof tree.value === 'boolean';
  if (tree.kind === 'call') return tree.operator === 'boolean' || tree.operator === 'defined';
  if (tree.kind === 'prefix') return tree.operator === 'not' && isCondition(tree.operand);
  if (tree.kind === 'logical') return tree.operands.every(isCondition);
  return getPower(tree) === POWER.comparison;
}

/** `a ? b : c` */
export const ternary: FindRepair = (cursor) => {
  if (!cursor.sees(T.ForeignSymbol) || cursor.image !== '?' || !cursor.afterOperand) return undefined;
  const colon = countUntil(cursor, 1, (token) => T.is(token, T.ForeignSymbol) && token.image === ':');
  const count = colon === undefined ? undefined : countUntil(cursor, colon + 1, () => false);
  const first = findStart(cursor.repaired);
  const fix = colon !== undefined && count !== undefined ? fixTernary(cursor, first, colon, count) : undefined;
  const span = cursor.span();
  const diagnostic = diagnose('conditional', span, { meant: fix?.text.trim() }, fix);
  return count === undefined ? cursor.readAsWord(1, 'and', diagnostic) : cursor.remove(count, diagnostic);
};

/** A conditional binds loosest, so its test begins after an opening bracket, a comma, or at the start. */
function findStart(repaired: readonly T.Token[]): number {
  let index = repaired.length;
  for (let depth = 0; index > 0 && repaired.length - index < MAX_TOKENS; index--) {
    const token = repaired[index - 1] as T.Token;
    if (T.isClosing(token)) depth++;
    else if (T.isOpening(token) && --depth < 0) break;
    else if (depth === 0 && T.is(token, T.Comma)) break;
  }
  return index;
}

function fixTernary(cursor: RepairCursor, first: number, colon: number, count: number): Fix | undefined {
  const [start, last] = [cursor.repaired[first], cursor.repaired.at(-1)];
  if (start === undefined || last === undefined) return undefined;
  const test = cover(start, last);
  const rewrite = conditional(
    cursor.source.slice(test.start, test.end),
    slice(cursor, 1, colon),
    slice(cursor, colon + 1, count),
  );
  const span = { start: test.start, end: cursor.span(count).end };
  return rewrite && createFix(cursor.source, span, rewrite.text);
}

/** Counts the tokens until one that `ends` finds or, if there is none, until the bracket around them closes. */
function countUntil(cursor: RepairCursor, from: number, ends: (token: T.Token) => boolean): number | undefined {
  let [count, depth] = [from, 0];
  for (let token = cursor.peek(count); token !== undefined; token = cursor.peek(count)) {
    if (count > MAX_TOKENS) return undefined;
    if (depth === 0 && ends(token)) return count;
    if (T.isOpening(token)) depth++;
    else if (T.isClosing(token) && --depth < 0) return ends.length === 0 ? count : undefined;
    else if (depth === 0 && ends.length === 0 && T.is(token, T.ForeignSymbol)) return undefined;
    count++;
  }
  return ends.length === 0 ? count : undefined;
}

function slice(cursor: RepairCursor, from: number, to: number): string {
  if (to <= from) return '';
  const { start, end } = cover(cursor.peek(from) as T.Token, cursor.peek(to - 1) as T.Token);
  return cursor.source.slice(start, end);
}

const isWordAt = (token: T.Token | undefined, word: string) => token?.image.toLowerCase() === word;

/** `case when a then b else c end` */
export const caseExpression: FindRepair = (cursor): Repair | undefined => {
  if (!cursor.sees(T.Name) || !isWordAt(cursor.peek(), 'case') || !isWordAt(cursor.peek(1), 'when')) return undefined;
  const marks: { readonly word: string; readonly at: number }[] = [];
  let [count, nested] = [1, 0];
  for (let token = cursor.peek(1); token !== undefined && count < MAX_TOKENS; token = cursor.peek(++count)) {
    const word = T.is(token, T.Name) ? token.image.toLowerCase() : '';
    if (word === 'case') nested++;
    if (nested === 0 && ['when', 'then', 'else', 'end'].includes(word)) marks.push({ word, at: count });
    if (word === 'end' && nested-- === 0) break;
  }
  const isWhole = marks.at(-1)?.word === 'end';
  const length = isWhole ? count + 1 : countRest(cursor);
  const rewrite = isWhole ? rewriteCase(cursor, marks) : undefined;
  const span = cursor.span(length);
  const text = rewrite && (rewrite.joint === 'or' ? `(${rewrite.text})` : rewrite.text);
  const fix = text === undefined ? undefined : createFix(cursor.source, span, text);
  return cursor.readAsOperand(length, diagnose('conditional', cursor.span(2), { meant: fix?.text.trim() }, fix));
};

function countRest(cursor: RepairCursor): number {
  let count = 1;
  while (cursor.peek(count) !== undefined) count++;
  return count;
}

function rewriteCase(cursor: RepairCursor, marks: readonly { word: string; at: number }[]): Rewrite | undefined {
  const words = marks.map(({ word }) => word).join(' ');
  if (!/^(?:when then )+(?:else )?end$/.test(words)) return undefined;
  const pieces = marks.slice(0, -1).map(({ at }, index) => slice(cursor, at + 1, marks[index + 1]?.at ?? at));
  // Without `else`, the value is null, which no filter selects.
  let rest: Rewrite | undefined = {
    text: marks.at(-2)?.word === 'else' ? (pieces.pop() as string) : 'false',
    joint: 'comparison',
  };
  while (pieces.length > 0 && rest !== undefined) {
    const [test, then] = pieces.splice(-2) as [string, string];
    rest = conditional(test, then, rest.text);
  }
  return rest;
}
