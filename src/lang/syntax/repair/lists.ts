import { diagnose } from '../../diagnostic.ts';
import type { Span } from '../../source.ts';
import * as T from '../vocabulary.ts';
import type { FindRepair, RepairCursor } from './cursor.ts';
import { cover, type SourcePiece } from './operands.ts';

/** A list in parentheses. */
interface ParenthesizedList {
  /** The number of its tokens. */
  readonly count: number;
  /** The list in square brackets. Undefined if it has names, which can be strings or properties. */
  readonly text: string | undefined;
}

/** `in ("free", "pro")`. A name in such a list can be a string or a property, so that is only reported. */
export const parenthesizedList: FindRepair = (cursor) => {
  const isList = T.is(cursor.before(), T.In);
  const list = isList ? (readParenthesizedList(cursor, 0) ?? readBareList(cursor, 0)) : undefined;
  if (list === undefined) return undefined;
  const { count, text } = list;
  const span = cursor.span(count);
  const fix = text === undefined ? undefined : { span, text };
  const meant = text ?? '["free", "pro"]';
  return { count, replacement: createList(span), diagnostic: diagnose('list-parentheses', span, { meant }, fix) };
};

/** Creates the tokens of an empty list. */
export function createList({ start, end }: Span): T.Token[] {
  return [T.createTokenAt(start, '', T.OpenBracket), T.createTokenAt(end, '', T.CloseBracket)];
}

/** Reads the list in parentheses that begins `ahead` tokens after the cursor. */
export function readParenthesizedList(cursor: RepairCursor, ahead: number): ParenthesizedList | undefined {
  const first = cursor.peek(ahead);
  if (first === undefined || !T.is(first, T.OpenParenthesis)) return undefined;
  let [count, commas, names] = [1, 0, 0];
  for (let token = cursor.peek(ahead + 1); !T.is(token, T.CloseParenthesis); token = cursor.peek(ahead + ++count)) {
    if (T.is(token, T.Comma)) commas++;
    else if (T.is(token, T.Name)) names++;
    else if (!T.is(token, T.StringLiteral, T.NumberLiteral, T.BooleanWord, T.Minus)) return undefined;
  }
  if (commas === 0) return undefined;
  const inner = cursor.source.slice(first.startOffset + 1, cursor.peek(ahead + count)?.startOffset);
  return { count: count + 1, text: names === 0 ? `[${inner}]` : undefined };
}

/** Reads the literals without brackets that begin `ahead` tokens after the cursor: `"free", "pro"`. */
export function readBareList(
  cursor: RepairCursor,
  ahead: number,
): (SourcePiece & { readonly count: number }) | undefined {
  const isItem = (at: number) => T.is(cursor.peek(at), T.StringLiteral, T.NumberLiteral);
  let last = ahead;
  while (isItem(last) && T.is(cursor.peek(last + 1), T.Comma)) last += 2;
  if (last === ahead || cursor.inside === 'list' || !isItem(last)) return undefined;
  const span = cover(cursor.peek(ahead) as T.Token, cursor.peek(last) as T.Token);
  const text = `[${cursor.source.slice(span.start, span.end)}]`;
  return { text, span, next: cursor.peek(last + 1), count: last + 1 - ahead };
}
