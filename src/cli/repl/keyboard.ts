import { platform } from 'node:os';
import { emitKeypressEvents, type Key } from 'node:readline';
import type { Io } from '../io.ts';

/** What a key or a paste brings. */
export interface Stroke {
  /** `ctrl+c`, `up`, `paste`; empty for a character without a name. */
  readonly name: string;
  /** What it writes, if anything. */
  readonly text: string;
  readonly key: Key;
}

/** A terminal marks what is pasted, so that it can be told from what is typed. */
const MARK_PASTES = '\x1b[?2004h';
const MARK_PASTES_NO_MORE = '\x1b[?2004l';

/** Longer than it takes to be stopped. Where nobody controls jobs, nothing stops. */
const STOPPED_WITHIN_MS = 50;

/** The keys of a terminal, as they are pressed, and its pastes, each as one. */
export class Keyboard {
  private pasted: string | undefined;
  private taken = false;
  private readonly unsubscribe: readonly (() => void)[];

  /**
   * @param onStroke Hears of each key.
   * @param onTaken Hears when the terminal is taken back after another program had it.
   */
  constructor(
    private readonly io: Io,
    private readonly onStroke: (stroke: Stroke) => void,
    private readonly onTaken: () => void,
  ) {
    const { in: input, signals } = io;
    emitKeypressEvents(input);
    input.on('keypress', this.onKey);
    this.unsubscribe = [signals.onContinue(this.onContinue), signals.onExit(this.release)];
    this.take();
  }

  /** Lets the terminal be what it was. */
  close(): void {
    this.release();
    for (const stop of this.unsubscribe) stop();
    this.io.in.off('keypress', this.onKey).pause();
  }

  /** Gives the terminal to whoever started this program, until it is continued. */
  stop(): void {
    if (platform() === 'win32') return;
    this.release();
    this.io.signals.suspend();
    setTimeout(() => this.retake(), STOPPED_WITHIN_MS);
  }

  /** Ends the program as Ctrl-C ends any other: at once, even while a file does not answer. */
  interrupt(): void {
    this.close();
    this.io.signals.interrupt();
  }

  private readonly onKey = (text: string | undefined, key: Key): void => {
    const name = nameOf(key);
    if (name === 'paste-start') {
      this.pasted = '';
    } else if (this.pasted === undefined) {
      this.onStroke({ name, text: text ?? '', key });
    } else if (name === 'paste-end') {
      const pasted = this.pasted;
      this.pasted = undefined;
      this.onStroke({ name: 'paste', text: pasted, key: {} });
    } else {
      this.pasted += text ?? key.sequence ?? '';
    }
  };

  private readonly onContinue = (): void => {
    // Whoever had the terminal may have left it in any mode.
    this.release();
    this.retake();
  };

  private retake(): void {
    if (this.taken) return;
    this.take();
    this.onTaken();
  }

  private take(): void {
    this.taken = true;
    const { in: input, out } = this.io;
    input.setRawMode?.(true);
    input.resume();
    out.write(MARK_PASTES);
  }

  private readonly release = (): void => {
    if (!this.taken) return;
    this.taken = false;
    this.io.out.write(MARK_PASTES_NO_MORE);
    this.io.in.setRawMode?.(false);
  };
}

function nameOf({ name = '', ctrl, meta }: Key): string {
  return `${ctrl ? 'ctrl+' : ''}${meta ? 'meta+' : ''}${name}`;
}
