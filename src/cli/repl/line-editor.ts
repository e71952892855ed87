import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import type { Io } from '../io.ts';
import type { Proposals } from './complete-input.ts';
import { type History, toLine } from './history.ts';
import type { HistorySearch } from './history-search.ts';
import { Keyboard, type Stroke } from './keyboard.ts';
import type { Piece } from './lay-out.ts';
import { LinePainter } from './line-painter.ts';
import type { Line, LineSource } from './read-input.ts';
import { renderChoices } from './render.ts';

/** Colours, completion and history for a line editor. */
export interface InputSupport {
  readonly history: History;
  /** Colours an input from an offset on. Pass no cursor when the line is complete. */
  colour(input: string, from: number, cursor?: number): readonly Piece[];
  complete(input: string, offset: number): Proposals;
}

/** The line that is being read. */
interface Reading {
  readonly prompt: string;
  /** The previous lines of the same input. */
  readonly begun: string;
  readonly resolve: (line: Line) => void;
}

/**
 * Reads lines on a terminal. Readline holds the line and handles the editing keys, but has no terminal: this class
 * paints the line and handles the other keys first.
 */
export class LineEditor implements LineSource {
  private readonly readline = createInterface({
    input: new PassThrough(),
    terminal: true,
    historySize: 0,
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  private readonly painter: LinePainter;
  private readonly keyboard: Keyboard;
  private reading: Reading | undefined;
  /** The search that Ctrl-R began. */
  private search: HistorySearch | undefined;
  /** Typed text that is not yet in the line. Batched, because readline measures the whole line on each write. */
  private typed = '';
  private isPaintDue = false;
  /** Strokes that arrived while no line was being read. */
  private readonly waiting: Stroke[] = [];

  constructor(
    private readonly io: Io,
    private readonly support: InputSupport,
  ) {
    this.painter = new LinePainter(io.out);
    this.readline.on('line', (text) => this.finish({ text }));
    io.out.stream.on('resize', this.paint);
    this.keyboard = new Keyboard(
      io,
      (stroke) => this.take(stroke),
      () => this.paintAnew(),
    );
  }

  read(prompt: string, begun: string): Promise<Line> {
    return new Promise((resolve) => {
      this.support.history.rewind();
      this.reading = { prompt, begun, resolve };
      this.paint();
      for (const stroke of this.waiting.splice(0)) this.take(stroke);
    });
  }

  remember(input: string): void {
    this.support.history.add(input);
  }

  close(): void {
    this.keyboard.close();
    this.io.out.stream.off('resize', this.paint);
    this.readline.close();
  }

  private take(stroke: Stroke): void {
    if (this.reading === undefined) {
      this.wait(stroke);
    } else if (this.search !== undefined && this.takeInSearch(this.search, stroke)) {
      this.paintSoon();
    } else if (isCharacter(stroke)) {
      this.typed += stroke.text;
      this.paintSoon();
    } else {
      this.enterTyped();
      const handle = this.handlers[stroke.name];
      if (handle === undefined) this.edit(stroke);
      else handle(stroke);
      this.paintSoon();
    }
  }

  /** Handles a key during a search. Any other key ends the search and then does what it does otherwise. */
  private takeInSearch(search: HistorySearch, stroke: Stroke): boolean {
    if (isCharacter(stroke)) search.type(stroke.text);
    else if (stroke.name === 'ctrl+r') search.goOlder();
    else if (stroke.name === 'backspace') search.erase();
    else {
      this.search = undefined;
      const isCancelled = stroke.name === 'ctrl+g' || stroke.name === 'ctrl+c';
      this.hold(isCancelled ? search.draft : search.line, isCancelled ? search.draft.length : search.cursor);
      return isCancelled;
    }
    this.hold(search.line, search.cursor);
    return true;
  }

  private enterTyped(): void {
    const text = this.typed;
    this.typed = '';
    if (text !== '') this.edit({ name: '', text, key: {} });
  }

  /** Queues a stroke. The first Ctrl-C drops the next line; a second one interrupts an input that runs too long. */
  private wait(stroke: Stroke): void {
    if (stroke.name === 'ctrl+c' && this.waiting.some(({ name }) => name === stroke.name)) this.keyboard.interrupt();
    this.waiting.push(stroke);
  }

  private edit({ text, key }: Stroke): void {
    this.readline.write(text, key);
  }

  /** The keys that readline does not handle, or not first. */
  private readonly handlers: Readonly<Record<string, (stroke: Stroke) => void>> = {
    return: (stroke) => this.enter(stroke),
    enter: (stroke) => this.enter(stroke),
    paste: ({ text, key }) => this.edit({ name: '', text: toLine(text).replaceAll('\t', ' '), key }),
    tab: () => this.complete(),
    up: () => this.recall(this.support.history.previous(this.readline.line)),
    down: () => this.recall(this.support.history.next(this.readline.line)),
    'ctrl+p': () => this.recall(this.support.history.previous(this.readline.line)),
    'ctrl+n': () => this.recall(this.support.history.next(this.readline.line)),
    'ctrl+r': () => {
      this.search = this.support.history.search(this.readline.line);
    },
    'ctrl+c': () => this.drop(),
    'ctrl+d': (stroke) => (this.readline.line === '' ? this.end() : this.edit(stroke)),
    'ctrl+l': () => this.painter.clearScreen(),
    'ctrl+z': () => {
      this.paintDone();
      this.painter.leave();
      this.keyboard.stop();
    },
  };

  private enter(stroke: Stroke): void {
    this.paintDone();
    this.edit(stroke);
  }

  private drop(): void {
    const dropped = this.readline.line;
    this.paintDone();
    this.hold('', 0);
    this.finish({ dropped });
  }

  private end(): void {
    this.paintDone();
    this.finish('end');
  }

  private finish(line: Line): void {
    this.painter.leave();
    const { reading } = this;
    this.reading = undefined;
    reading?.resolve(line);
  }

  private recall(entry: string | undefined): void {
    if (entry !== undefined) this.hold(entry, entry.length);
  }

  /** Completes the common prefix of all completions, or lists them. */
  private complete(): void {
    const { begun = '' } = this.reading ?? {};
    const { line, cursor } = this.readline;
    const { span, items } = this.support.complete(begun + line, begun.length + cursor);
    const [start, end] = [span.start - begun.length, span.end - begun.length];
    if (items.length === 0 || start < 0) return;
    const insert = findCommonPrefix(items.map((item) => item.insert));
    const typed = line.slice(start, cursor);
    if (items.length === 1 || (cursor === end && insert.length > typed.length && insert.startsWith(typed))) {
      this.hold(line.slice(0, start) + insert + line.slice(end), start + insert.length);
    } else {
      this.list(items.map(({ label }) => label));
    }
  }

  private list(labels: readonly string[]): void {
    this.paintDone();
    this.painter.leave();
    const { out } = this.io;
    out.write(`${renderChoices(labels, out.columns).join('\n')}\n`);
  }

  private hold(line: string, cursor: number): void {
    Object.assign(this.readline, { line, cursor });
  }

  private readonly paint = (): void => {
    this.enterTyped();
    this.show(this.readline.cursor);
  };

  /** Paints once for many keys that arrive together. */
  private paintSoon(): void {
    if (this.isPaintDue) return;
    this.isPaintDue = true;
    setImmediate(() => {
      this.isPaintDue = false;
      this.paint();
    });
  }

  private paintAnew(): void {
    this.painter.forget();
    this.paint();
  }

  /** Paints the line in its final form. */
  private paintDone(): void {
    this.show(undefined);
  }

  private show(cursor: number | undefined): void {
    if (this.reading === undefined) return;
    const { begun } = this.reading;
    const prompt = this.search?.prompt ?? this.reading.prompt;
    const { line } = this.readline;
    const at = cursor === undefined ? undefined : begun.length + cursor;
    const pieces = [{ text: prompt }, ...this.support.colour(begun + line, begun.length, at)];
    this.painter.paint(pieces, prompt.length + (cursor ?? line.length));
  }
}

/** Returns whether a stroke types a character. */
function isCharacter({ text, key }: Stroke): boolean {
  return !key.ctrl && !key.meta && /^\P{Cc}+$/u.test(text);
}

/** Returns the common prefix of strings. */
function findCommonPrefix(texts: readonly string[]): string {
  const [first = '', ...others] = texts;
  let length = first.length;
  for (const text of others) while (!text.startsWith(first.slice(0, length))) length--;
  return first.slice(0, length);
}
