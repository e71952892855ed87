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

/** A program on a terminal, from the side of the terminal. */
export interface Attached {
  write(keys: string): void;
  resize(columns: number, rows: number): void;
  kill(): void;
}

/** The output of a program to its terminal. */
interface Listener {
  onData(data: string): void;
  /** Receives the exit code as shells report it: 128 plus the number of the signal if one ended the program. */
  onExit(code: number): void;
}

/** Starts a program on a terminal of the given size. */
export type Start = (size: { readonly columns: number; readonly rows: number }, listener: Listener) => Attached;

/** A terminal with a running program: sends keys and reads the screen, as a person does. */
export class Terminal {
  private readonly screen: InstanceType<typeof xterm.Terminal>;
  private readonly program: Attached;
  private readonly watchers = new Set<() => void>();
  private exit: number | undefined;
  /** The raw output of the program. */
  written = '';

  constructor(start: Start, { columns = 80, rows = 24 }: TerminalOptions = {}) {
    this.screen = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
    this.program = start(
      { columns, rows },
      {
        onData: (data) => {
          this.written += data;
          this.screen.write(data, () => this.notifyWatchers());
        },
        onExit: (code) => {
          // Runs after everything that was written before is on the screen.
          this.screen.write('', () => {
            this.exit = code;
            this.notifyWatchers();
          });
        },
      },
    );
  }

  type(...keys: string[]): void {
    for (const key of keys) this.program.write(key);
  }

  resize(columns: number, rows: number): void {
    this.screen.resize(columns, rows);
    this.program.resize(columns, rows);
  }

  /** The rows in use, from the first one in the scrollback, without trailing blanks. */
  get lines(): string[] {
    const { buffer } = this.screen;
    const lines = Array.from({ length: buffer.active.length }, (_, index) => this.row(index));
    return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
  }

  get text(): string {
    return this.lines.join('\n');
  }

  /** The position of the cursor; `row` is an index into `lines`. */
  get cursor(): { row: number; column: number } {
    const { baseY, cursorY, cursorX } = this.screen.buffer.active;
    return { row: baseY + cursorY, column: cursorX };
  }

  /** Returns the colour number of each character of `text` in the last line that contains it; -1 is no colour. */
  colours(text: string): number[] {
    const row = this.lines.findLastIndex((line) => line.includes(text));
    const column = this.lines[row]?.lastIndexOf(text) ?? 0;
    const line = this.screen.buffer.active.getLine(row);
    return Array.from(text, (_, index) => {
      const cell = line?.getCell(column + index);
      return cell?.isFgDefault() ? -1 : (cell?.getFgColor() ?? -1);
    });
  }

  /** Waits until `test` returns true. */
  async until(test: (terminal: this) => boolean, what = String(test)): Promise<void> {
    const end = Date.now() + PATIENCE_MS;
    while (!test(this)) {
      if (Date.now() > end) throw new Error(`Timed out waiting for ${what}:\n${this.text}`);
      await this.nextChange();
    }
  }

  /** Waits until the screen shows `text`. */
  shows(text: string): Promise<void> {
    return this.until(() => this.text.includes(text), JSON.stringify(text));
  }

  /** Waits for an empty prompt below everything else. */
  async prompt(): Promise<void> {
    await this.until(({ lines }) => lines.at(-1) === 'onwhere>' && this.cursor.row === lines.length - 1, 'a prompt');
  }

  /** Enters a line and returns the lines printed for it. */
  async enter(line: string): Promise<string[]> {
    await this.prompt();
    const before = this.lines.length;
    this.type(line, KEY.enter);
    await this.until(({ lines }) => lines.length > before && lines.at(-1) === 'onwhere>', `the output of ${line}`);
    return this.lines.slice(before, -1);
  }

  /** Waits for the end of the program and returns its exit code. */
  async ended(): Promise<number | undefined> {
    await this.until(() => this.exit !== undefined, 'the end of the program');
    return this.exit;
  }

  kill(): void {
    if (this.exit === undefined) this.program.kill();
  }

  private row(index: number): string {
    return this.screen.buffer.active.getLine(index)?.translateToString().trimEnd() ?? '';
  }

  private notifyWatchers(): void {
    for (const watcher of this.watchers) watcher();
  }

  /** Resolves at the next change of the screen, or after 100 ms because a test may depend on more than the screen. */
  private nextChange(): Promise<void> {
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
    // A system terminal does the same in raw mode.
    this.onData(String(chunk).replace(/\r?\n/g, '\r\n'));
  }
}

/** Runs the command line on a terminal, in this process and on the sources. */
function startInProcess(args: readonly string[], extraEnv: Readonly<Record<string, string>>): Start {
  return ({ columns, rows }, { onData, onExit }) => {
    const env = { TERM: 'xterm-256color', ...extraEnv };
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

/** Starts the REPL and waits for its first prompt. Its history is in the folder `state`. */
export async function startRepl(
  args: readonly string[],
  state: string,
  options: TerminalOptions = {},
): Promise<Terminal> {
  const terminal = new Terminal(startInProcess(['repl', ...args], { XDG_STATE_HOME: state, ...options.env }), options);
  await terminal.prompt().catch((error) => {
    terminal.kill();
    throw error;
  });
  return terminal;
}
