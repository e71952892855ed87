import { PassThrough } from 'node:stream';
import xterm from '@xterm/headless';
import { runCli } from '../../src/cli/run-cli.ts';
import { OutputStream } from '../../src/cli/terminal/output-stream.ts';
import { PATIENCE_MS } from '../eventually.ts';
import { testIo, Written } from './test-io.ts';

export const KEY = {
  enter: '\r',
  tab: '\t',
  up: '\x1b[A',
  down: '\x1b[B',
  left: '\x1b[D',
  backspace: '\x7f',
  ctrl: (letter: string) => String.fromCharCode(letter.charCodeAt(0) & 0x1f),
  paste: (text: string) => `\x1b[200~${text}\x1b[201~`,
};

export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** A program that runs on a terminal, as the terminal has it. */
export interface Attached {
  write(keys: string): void;
  resize(columns: number, rows: number): void;
  kill(): void;
}

/** The output of a program to its terminal. */
interface Listener {
  onData(data: string): void;
  /** Hears the exit code as shells count: 128 and the number of the signal, where one ended it. */
  onExit(code: number): void;
}

/** Starts a program on a terminal of so many columns and rows. */
export type Start = (size: { readonly columns: number; readonly rows: number }, listener: Listener) => Attached;

/** A terminal with a program on it, as a person has it before them: with keys to press and a screen to look at. */
export class Terminal {
  private readonly screen: InstanceType<typeof xterm.Terminal>;
  private readonly program: Attached;
  private readonly watchers = new Set<() => void>();
  private exit: number | undefined;
  /** Everything that was written, as it was written. */
  written = '';

  constructor(start: Start, { columns = 80, rows = 24 }: TerminalOptions = {}) {
    this.screen = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
    this.program = start(
      { columns, rows },
      {
        onData: (data) => {
          this.written += data;
          this.screen.write(data, () => this.changed());
        },
        onExit: (code) => {
          // Behind all that is still to be shown.
          this.screen.write('', () => {
            this.exit = code;
            this.changed();
          });
        },
      },
    );
  }

  type(...texts: string[]): void {
    for (const text of texts) this.program.write(text);
  }

  resize(columns: number, rows: number): void {
    this.screen.resize(columns, rows);
    this.program.resize(columns, rows);
  }

  /** The rows that are in use, without what is blank at their ends, from the first line that was ever written on. */
  get lines(): string[] {
    const { buffer } = this.screen;
    const lines = Array.from({ length: buffer.active.length }, (_, index) => this.row(index));
    return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
  }

  get text(): string {
    return this.lines.join('\n');
  }

  /** Where the cursor stands: the row among the lines. */
  get cursor(): { row: number; column: number } {
    const { baseY, cursorY, cursorX } = this.screen.buffer.active;
    return { row: baseY + cursorY, column: cursorX };
  }

  /** The number of the colour in which each character of a text stands in the last line that has it; -1 is no colour. */
  colours(text: string): number[] {
    const row = this.lines.findLastIndex((line) => line.includes(text));
    const column = this.lines[row]?.lastIndexOf(text) ?? 0;
    const line = this.screen.buffer.active.getLine(row);
    return Array.from(text, (_, index) => {
      const cell = line?.getCell(column + index);
      return cell?.isFgDefault() ? -1 : (cell?.getFgColor() ?? -1);
    });
  }

  /** Waits until the screen is as it should be. */
  async until(test: (terminal: this) => boolean, what = String(test)): Promise<void> {
    const end = Date.now() + PATIENCE_MS;
    while (!test(this)) {
      if (Date.now() > end) throw new Error(`It never came to ${what}:\n${this.text}`);
      await this.change();
    }
  }

  /** Waits for a text on the screen. */
  shows(text: string): Promise<void> {
    return this.until(() => this.text.includes(text), JSON.stringify(text));
  }

  /** Waits for an empty prompt below everything else. */
  async prompt(): Promise<void> {
    await this.until(({ lines }) => lines.at(-1) === 'onwhere>' && this.cursor.row === lines.length - 1, 'a prompt');
  }

  /** Enters a line and answers the lines that come for it. */
  async enter(line: string): Promise<string[]> {
    await this.prompt();
    const before = this.lines.length;
    this.type(line, KEY.enter);
    await this.until(({ lines }) => lines.length > before && lines.at(-1) === 'onwhere>', `an answer to ${line}`);
    return this.lines.slice(before, -1);
  }

  /** Waits for the end and answers the exit code. */
  async ended(): Promise<number | undefined> {
    await this.until(() => this.exit !== undefined, 'an end');
    return this.exit;
  }

  kill(): void {
    if (this.exit === undefined) this.program.kill();
  }

  private row(index: number): string {
    return this.screen.buffer.active.getLine(index)?.translateToString().trimEnd() ?? '';
  }

  private changed(): void {
    for (const watcher of this.watchers) watcher();
  }

  /** The next change, or a moment later: a test may look at more than the screen. */
  private change(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.watchers.delete(done);
        resolve();
      };
      const timer = setTimeout(done, 100);
      this.watchers.add(done);
    });
  }
}

/** Standard output on a terminal. */
class Screen extends Written {
  readonly isTTY = true;

  constructor(
    public columns: number,
    public rows: number,
    private readonly onData: (data: string) => void,
  ) {
    super();
  }

  override _write(chunk: string | Buffer, encoding: BufferEncoding, done: () => void): void {
    super._write(chunk, encoding, done);
    // As a terminal of the system does it in raw mode.
    this.onData(String(chunk).replace(/\r?\n/g, '\r\n'));
  }
}

/** Runs the command line on a terminal, in this process and on the sources. */
function startHere(args: readonly string[], own: Readonly<Record<string, string>>): Start {
  return ({ columns, rows }, { onData, onExit }) => {
    const env = { TERM: 'xterm-256color', ...own };
    const keys = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
    const screen = new Screen(columns, rows, onData);
    const out = new OutputStream(screen, env);
    void runCli(args, testIo({ in: keys, out, err: out, env })).then(onExit);
    return {
      write: (text) => keys.write(text),
      resize(columns, rows) {
        Object.assign(screen, { columns, rows });
        screen.emit('resize');
      },
      kill: () => keys.write(KEY.ctrl('c') + KEY.ctrl('d')),
    };
  };
}

/** The REPL, asking for its first input; its history is in the folder `state`. */
export async function startRepl(
  args: readonly string[],
  state: string,
  options: TerminalOptions = {},
): Promise<Terminal> {
  const terminal = new Terminal(startHere(['repl', ...args], { XDG_STATE_HOME: state, ...options.env }), options);
  await terminal.prompt().catch((error) => {
    terminal.kill();
    throw error;
  });
  return terminal;
}
