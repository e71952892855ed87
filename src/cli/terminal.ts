import { styleText } from 'node:util';
import type { Diagnostic } from '../language/diagnostic.ts';
import { type Paint, renderDiagnostics } from '../language/render.ts';

/** What `styleText` takes. */
export type Style = Parameters<typeof styleText>[0];

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

/** The columns that a line should not exceed: in a file, none should be cut. */
export function roomOn(stream: NodeJS.WriteStream): number {
  return stream.isTTY ? columnsOf(stream) : Number.POSITIVE_INFINITY;
}

/** Columns of a rendered diagnostic around its source: the number of the line and, where it is cut, an ellipsis on each side. */
const FRAME = 8;

/** Diagnostics for people on a stream: in colours, and no wider than its terminal. */
export function rendered(stream: NodeJS.WriteStream, source: string, diagnostics: readonly Diagnostic[]): string {
  const styles = { error: ['bold', 'red'], warning: ['bold', 'yellow'], frame: 'blue', help: 'cyan' } as const;
  const paint: Paint = (part, text) => styled(stream, styles[part] as Style, text);
  return renderDiagnostics(source, diagnostics, paint, roomOn(stream) - FRAME);
}
