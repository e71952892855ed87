import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { styleText } from 'node:util';
import type { Diagnostic } from '../../lang/diagnostic.ts';
import { type Paint, type RenderPart, renderDiagnostics } from '../../lang/render.ts';
import { COLOUR, escapeControls } from './escape-controls.ts';
import { hasColours } from './has-colours.ts';

/** One or more styles for `styleText`. */
export type Style = Parameters<typeof styleText>[0];

/** A stream of Node.js that may be a terminal. */
type Stream = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** The styles of the parts of messages. */
const STYLES: Readonly<Record<RenderPart | 'note', Style>> = {
  error: ['bold', 'red'],
  warning: ['bold', 'yellow'],
  frame: 'blue',
  help: 'cyan',
  note: 'cyan',
};

/** The width to assume without a terminal. */
const DEFAULT_COLUMNS = 80;

/** The columns around the source of a rendered diagnostic: the line number and an ellipsis on each side. */
const FRAME = 8;

/** The number of characters to buffer before a write. */
const CHUNK = 64 * 1024;

/** Standard output or standard error: a terminal, a file or a pipe. */
export class OutputStream {
  /** Whether to write colours. */
  readonly hasColours: boolean;
  /** Keeps a character whose bytes are not complete. */
  private readonly decoder = new StringDecoder('utf8');

  constructor(
    readonly stream: Stream,
    env: Readonly<Record<string, string | undefined>>,
  ) {
    this.hasColours = hasColours(this.isTTY, env);
  }

  get isTTY(): boolean {
    return this.stream.isTTY === true;
  }

  /** The width of the terminal, or the default. */
  get columns(): number {
    const { isTTY, columns = 0 } = this.stream;
    return isTTY && columns > 0 ? columns : DEFAULT_COLUMNS;
  }

  /** The maximum width of a line. Unlimited for files and pipes. */
  get room(): number {
    return this.isTTY ? this.columns : Number.POSITIVE_INFINITY;
  }

  write(text: string): void {
    this.stream.write(text);
  }

  /**
   * Writes data, in parts of whole characters or bytes, and resolves when the reader is ready for more. A terminal gets
   * no characters that control it.
   */
  writeAll(data: string | Uint8Array): Promise<void> {
    if (!this.isTTY) return this.writeRaw(data);
    const text = typeof data === 'string' ? data : this.decoder.write(data);
    return this.writeRaw(escapeControls(text));
  }

  /** Writes data unchanged and resolves when the reader is ready for more. */
  async writeRaw(data: string | Uint8Array): Promise<void> {
    if (data.length > 0 && !this.stream.write(data)) await once(this.stream, 'drain');
  }

  /** Writes lines in any colours, waiting for the reader. A terminal gets no other characters that control it. */
  print(lines: Iterable<string>): Promise<void> {
    return this.printLines(lines, this.hasColours ? COLOUR : undefined);
  }

  /** Writes lines of data, waiting for the reader. A terminal gets no characters that control it. */
  printData(lines: Iterable<string>): Promise<void> {
    return this.printLines(lines, undefined);
  }

  private async printLines(lines: Iterable<string>, kept: RegExp | undefined): Promise<void> {
    let buffered = '';
    const flush = () => {
      const text = this.isTTY ? escapeControls(buffered, kept) : buffered;
      buffered = '';
      return this.writeRaw(text);
    };
    for (const line of lines) {
      buffered += `${line}\n`;
      if (buffered.length > CHUNK) await flush();
    }
    await flush();
  }

  /** Returns a string in a style, or unchanged if the stream has no colours. */
  styled(style: Style, text: string): string {
    return this.hasColours ? styleText(style, text, { validateStream: false }) : text;
  }

  /** Returns the word that a message begins with, in its colour. */
  label(kind: 'note' | 'warning' | 'error'): string {
    return this.styled(STYLES[kind], `${kind}:`);
  }

  /** Renders diagnostics in colours and no wider than the terminal. */
  rendered(source: string, diagnostics: readonly Diagnostic[]): string {
    const paint: Paint = (part, text) => this.styled(STYLES[part], text);
    return renderDiagnostics(source, diagnostics, paint, this.room - FRAME);
  }
}
