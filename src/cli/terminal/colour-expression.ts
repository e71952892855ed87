import { highlight } from '../../editor/highlight.ts';
import type { HighlightKind } from '../../lang/syntax/vocabulary.ts';
import type { OutputStream, Style } from './output-stream.ts';

/** The colours of the parts of expressions and values, for all commands. */
export const EXPRESSION_STYLES: Readonly<Partial<Record<HighlightKind, Style>>> = {
  text: 'green',
  escape: 'yellow',
  number: 'yellow',
  constant: 'yellow',
  property: 'cyan',
  function: 'blue',
  keyword: 'magenta',
  invalid: 'red',
};

/** Colours an expression that is printed. A part that is not valid, such as one that was cut, has no colour. */
export function colourExpression(out: OutputStream, source: string): string {
  if (!out.hasColours) return source;
  let text = '';
  let end = 0;
  for (const { kind, span } of highlight(source)) {
    const style = kind === 'invalid' ? undefined : EXPRESSION_STYLES[kind];
    const part = source.slice(span.start, span.end);
    text += source.slice(end, span.start) + (style === undefined ? part : out.styled(style, part));
    end = span.end;
  }
  return text + source.slice(end);
}

/** Colours a value as `showValue` prints it. */
export function colourValue(out: OutputStream, shown: string): string {
  return shown === 'undefined' ? out.styled('dim', shown) : colourExpression(out, shown);
}
