import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import type { Diagnostic } from '../../lang/diagnostic.ts';
import { type Paint, renderDiagnostics } from '../../lang/render.ts';

/** A style, or several, for `styleText`. */
export type Style = Parameters<typeof styleText>[0];

/** A stream of Node.js that may be a terminal. */
type Stream = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** Columns to assume where there is no terminal to ask. */
const DEFAULT_COLUMNS = 80;

/** Columns of a rendered diagnostic around its source: the number of the line and, where it is cut, an ellipsis on each side. */
const FRAME = 8;

/** How many characters are gathered before they are written: few writes, little memory. */
const CHUNK = 64 * 1024;

/** Standard output or standard error: a terminal, a file or a pipe. */
export class OutputStream {
  /** Whether it is a terminal that wants colours (https://no-color.org). */
  readonly hasColours: boolean;

  constructor(
    readonly stream: Stream,
    env: Readonly<Record<string, string | undefined>>,
  ) {
    this.hasColours = this.isTTY && !env.NO_COLOR && env.TERM !== 'dumb';
  }

  get isTTY(): boolean {
    return this.stream.isTTY === true;
  }

  /** How many columns there are to write in. */
  get columns(): number {
    const { isTTY, columns = 0 } = this.stream;
    return isTTY && columns > 0 ? columns : DEFAULT_COLUMNS;
  }

  /** The columns that a line should not exceed: in a file, none should be cut. */
  get room(): number {
    return this.isTTY ? this.columns : Number.POSITIVE_INFINITY;
  }

  write(text: string): void {
    this.stream.write(text);
  }

  /** Writes a text and resolves when the reader is ready for more. */
  async writeAll(text: string): Promise<void> {
    if (text !== '' && !this.stream.write(text)) await once(this.stream, 'drain');
  }

  /** Writes lines, no faster than they are read. */
  async print(lines: Iterable<string>): Promise<void> {
    let gathered = '';
    for (const line of lines) {
      gathered += `${line}\n`;
      if (gathered.length > CHUNK) {
        await this.writeAll(gathered);
        gathered = '';
      }
    }
    await this.writeAll(gathered);
  }

  /** Returns a text in a style, unchanged where the stream takes no colours. */
  styled(style: Style, text: string): string {
    return this.hasColours ? styleText(style, text, { validateStream: false }) : text;
  }

  /** Renders diagnostics for people: in colours, and no wider than the terminal. */
  rendered(source: string, diagnostics: readonly Diagnostic[]): string {
    const styles = { error: ['bold', 'red'], warning: ['bold', 'yellow'], frame: 'blue', help: 'cyan' } as const;
    const paint: Paint = (part, text) => this.styled(styles[part] as Style, text);
    return renderDiagnostics(source, diagnostics, paint, this.room - FRAME);
  }
}
