import { highlight } from '../../editor/highlight.ts';
import type { Span } from '../../lang/source.ts';
import { EXPRESSION_STYLES } from '../terminal/colour-expression.ts';
import type { OutputStream, Style } from '../terminal/output-stream.ts';
import { COMMANDS, takesExpression } from './commands.ts';
import type { Piece } from './lay-out.ts';
import { splitInput } from './read-input.ts';

interface Styled {
  readonly span: Span;
  readonly style: Style | undefined;
}

/**
 * Colours an input from an offset on. Highlights invalid parts, except the word or string at the cursor, which is still
 * being typed.
 */
export function colourInput(out: OutputStream, input: string, from: number, cursor: number | undefined): Piece[] {
  const pieces: Piece[] = [];
  let end = from;
  for (const { span, style } of listStyles(input, cursor)) {
    if (span.end <= end) continue;
    const start = Math.max(end, span.start);
    pieces.push({ text: input.slice(end, start) });
    const paint = style && ((text: string) => out.styled(style, text));
    pieces.push({ text: input.slice(start, span.end), paint });
    end = span.end;
  }
  return [...pieces, { text: input.slice(end) }];
}

function listStyles(input: string, cursor: number | undefined): Styled[] {
  const split = splitInput(input);
  if (split === undefined) return listExpressionStyles(input, 0, cursor);
  const { name, offset } = split;
  const command = COMMANDS.find((each) => each.name === name);
  if (command === undefined) return [];
  const start = input.indexOf(name);
  const word: Styled = { span: { start, end: start + name.length }, style: 'bold' };
  return takesExpression(command) ? [word, ...listExpressionStyles(input, offset, cursor)] : [word];
}

function listExpressionStyles(input: string, from: number, cursor: number | undefined): Styled[] {
  return highlight(input.slice(from)).map(({ kind, span }) => {
    const [start, end] = [span.start + from, span.end + from];
    const typing = kind === 'invalid' && cursor !== undefined && start < cursor && cursor <= end;
    return { span: { start, end }, style: typing ? undefined : EXPRESSION_STYLES[kind] };
  });
}
