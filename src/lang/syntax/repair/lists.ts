import { diagnose } from '../../diagnostic.ts';
import * as T from '../vocabulary.ts';
import type { FindRepair, RepairCursor } from './cursor.ts';

/** A list in parentheses. */
interface ParenthesizedList {
  /** The number of its tokens. */
  readonly count: number;
  /** The list in square brackets. Undefined if it has names, which can be strings or properties. */
  readonly text: string | undefined;
}

/** `in ("free", "pro")`. A name in such a list can be a string or a property, so that is only reported. */
export const parenthesizedList: FindRepair = (cursor) => {
  const list = T.is(cursor.before(), T.In) ? readParenthesizedList(cursor, 0) : undefined;
  if (list === undefined) return undefined;
  const { count, text } = list;
  const span = cursor.span(count);
  const fix = text === undefined ? undefined : { span, text };
  const meant = text ?? '["free", "pro"]';
  const end = { start: span.end, end: span.end };
  const empty = [T.createTokenAt(span.start, '', T.OpenBracket), T.createTokenAt(end.start, '', T.CloseBracket)];
  return { count, replacement: empty, diagnostic: diagnose('list-parentheses', span, { meant }, fix) };
};

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
