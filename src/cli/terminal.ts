import { styleText } from 'node:util';
import type { Paint } from '../language/render.ts';

type Style = Parameters<typeof styleText>[0];

/** Columns to assume where there is no terminal to ask. */
const DEFAULT_COLUMNS = 80;

/** Whether a stream is a terminal that wants colours (https://no-color.org). */
function hasColours(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
}

/** Styles a text for a stream; plain where the stream takes no colours. */
export function styled(stream: NodeJS.WriteStream, style: Style, text: string): string {
  return hasColours(stream) ? styleText(style, text, { validateStream: false }) : text;
}

/** How many columns there are to write in. */
export function columnsOf(stream: NodeJS.WriteStream): number {
  return stream.isTTY && stream.columns > 0 ? stream.columns : DEFAULT_COLUMNS;
}

/** Colours for rendered diagnostics on a stream. */
export function painter(stream: NodeJS.WriteStream): Paint {
  const styles = { error: ['bold', 'red'], warning: ['bold', 'yellow'], frame: 'blue', help: 'cyan' } as const;
  return (part, text) => styled(stream, styles[part] as Style, text);
}
