import { quoteString } from '../../../base/strings.ts';
import { diagnose } from '../../diagnostic.ts';
import type { Span } from '../../source.ts';
import * as T from '../vocabulary.ts';
import type { FindRepair, RepairCursor } from './cursor.ts';
import { cover, type SourcePiece } from './operands.ts';

/** A list without square brackets. */
interface ForeignList extends SourcePiece {
  /** The number of its tokens. */
  readonly count: number;
  /** Whether it has no names, which can be strings or properties. */
  readonly isCertain: boolean;
}

/** `in ("free", "pro")`. A name in such a list can be a string or a property, so that is only reported. */
export const parenthesizedList: FindRepair = (cursor) => {
  const isList = T.is(cursor.before(), T.In);
  const list = isList ? readForeignList(cursor, 0) : undefined;
  if (list === undefined) return undefined;
  const { count, span, text: meant } = list;
  const fix = list.isCertain ? { span, text: meant } : undefined;
  return { count, replacement: createList(span), diagnostic: diagnose('list-parentheses', span, { meant }, fix) };
};

/** Creates the tokens of an empty list. */
export function createList({ start, end }: Span): T.Token[] {
  return [T.createTokenAt(start, '', T.OpenBracket), T.createTokenAt(end, '', T.CloseBracket)];
}

/** Reads the list in parentheses, or without any, that begins `ahead` tokens after the cursor: `("free", "pro")`. */
export function readForeignList(cursor: RepairCursor, ahead: number): ForeignList | undefined {
  return readParenthesizedList(cursor, ahead) ?? readBareList(cursor, ahead);
}

function readParenthesizedList(cursor: RepairCursor, ahead: number): ForeignList | undefined {
  const first = cursor.peek(ahead);
  if (first === undefined || !T.is(first, T.OpenParenthesis)) return undefined;
  let [count, commas, names] = [1, 0, 0];
  for (let token = cursor.peek(ahead + 1); !T.is(token, T.CloseParenthesis); token = cursor.peek(ahead + ++count)) {
    if (T.is(token, T.Comma)) commas++;
    else if (T.is(token, T.Name)) names++;
    else if (!T.is(token, T.StringLiteral, T.NumberLiteral, T.BooleanWord, T.Minus)) return undefined;
  }
  if (commas === 0) return undefined;
  const span = cover(first, cursor.peek(ahead + count) as T.Token);
  const inner = cursor.source.slice(span.start + 1, span.end - 1);
  const quoted = inner.replace(/"[^"]*"|'[^']*'|(?<![\w.])[a-z_]\w*/gi, (item) =>
    /^(?:["']|true$|false$)/i.test(item) ? item : quoteString(item),
  );
  const text = `[${names === 0 ? inner : quoted}]`;
  return { count: count + 1, span, text, next: cursor.peek(ahead + count + 1), isCertain: names === 0 };
}

function readBareList(cursor: RepairCursor, ahead: number): ForeignList | undefined {
  const isItem = (at: number) => T.is(cursor.peek(at), T.StringLiteral, T.NumberLiteral);
  let last = ahead;
  while (isItem(last) && T.is(cursor.peek(last + 1), T.Comma)) last += 2;
  if (last === ahead || cursor.inside === 'list' || !isItem(last)) return undefined;
  const span = cover(cursor.peek(ahead) as T.Token, cursor.peek(last) as T.Token);
  const text = `[${cursor.source.slice(span.start, span.end)}]`;
  return { text, span, next: cursor.peek(last + 1), count: last + 1 - ahead, isCertain: true };
}
