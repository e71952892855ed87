import type { Logical, Membership } from '../ast.ts';
import type { Fix } from '../diagnostic.ts';
import type { Span } from '../source.ts';

/** Returns an edit that removes an operand of `and` or `or`, with the operator beside it and the parentheses around it. */
export function removeOperand({ operands }: Logical, index: number, source: string): Fix {
  const spans = operands.map(({ span }) => span);
  const operand = spans[index] as Span;
  const [before, after] = [spans[index - 1], spans[index + 1]];
  // Between two operands, only parentheses and the operator are written.
  if (before !== undefined) {
    const gap = readGap(before, operand, source);
    return remove({ start: gap.firstEnds, end: skip(source, operand.end, ')', gap.opened) }, source);
  }
  const gap = readGap(operand, after as Span, source);
  let start = operand.start;
  for (let left = gap.closed; left > 0; left--) start = source.lastIndexOf('(', start - 1);
  return remove({ start, end: gap.nextStarts }, source);
}

/** Returns an edit that removes a span, and keeps the words around it apart. */
function remove(span: Span, source: string): Fix {
  const isJoined = /\w/.test(source.charAt(span.start - 1)) && /\w/.test(source.charAt(span.end));
  return { span, text: isJoined ? ' ' : '' };
}

interface Gap {
  /** The parentheses that end the first operand, and those that begin the next one. */
  readonly closed: number;
  readonly opened: number;
  /** The end of the first operand and the start of the next one, with their parentheses. */
  readonly firstEnds: number;
  readonly nextStarts: number;
}

function readGap({ end }: Span, { start }: Span, source: string): Gap {
  const [, before = '', operator = '', after = ''] = /^(.*?)([a-z]+)(.*)$/is.exec(source.slice(end, start)) ?? [];
  const parentheses = after.indexOf('(');
  return {
    closed: before.split(')').length - 1,
    opened: after.split('(').length - 1,
    firstEnds: end + before.trimEnd().length,
    nextStarts: parentheses < 0 ? start : end + before.length + operator.length + parentheses,
  };
}

/** Returns the position after as many characters of one kind. */
function skip(source: string, from: number, character: string, count: number): number {
  let end = from;
  for (let left = count; left > 0; left--) end = source.indexOf(character, end) + 1;
  return end;
}

/** Returns an edit that removes an item of a list, which is not the first. */
export function removeItem({ items }: Membership, index: number): Fix {
  const [before, item] = [items[index - 1]?.span as Span, items[index]?.span as Span];
  return { span: { start: before.end, end: item.end }, text: '' };
}
