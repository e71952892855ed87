import { diagnose } from '../../diagnostic.ts';
import * as T from '../vocabulary.ts';
import type { FindRepair } from './cursor.ts';

/** `in ("free", "pro")`. A name in such a list can be a string or a property, so that is only reported. */
export const parenthesizedList: FindRepair = (cursor) => {
  if (!T.is(cursor.before(), T.In) || !cursor.sees(T.OpenParenthesis)) return undefined;
  let [count, commas, names] = [1, 0, 0];
  for (let token = cursor.peek(1); !T.is(token, T.CloseParenthesis); token = cursor.peek(++count)) {
    if (T.is(token, T.Comma)) commas++;
    else if (T.is(token, T.Name)) names++;
    else if (!T.is(token, T.StringLiteral, T.NumberLiteral, T.BooleanWord, T.Minus)) return undefined;
  }
  if (commas === 0) return undefined;
  count++;
  const span = cursor.span(count);
  const inner = cursor.source.slice(span.start + 1, span.end - 1);
  const text = `[${inner}]`;
  const fix = names === 0 ? { span, text } : undefined;
  const meant = names === 0 ? text : '["free", "pro"]';
  const end = { start: span.end, end: span.end };
  const empty = [T.createTokenAt(span.start, '', T.OpenBracket), T.createTokenAt(end.start, '', T.CloseBracket)];
  return { count, replacement: empty, diagnostic: diagnose('list-parentheses', span, { meant }, fix) };
};
