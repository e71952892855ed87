import { platform } from 'node:os';
import { emitKeypressEvents, type Key } from 'node:readline';
import type { Io } from '../io.ts';

/** A key press or a paste. */
export interface Stroke {
  /** `ctrl+c`, `up`, `paste`; empty for a character without a name. */
  readonly name: string;
  /** The typed or pasted text, if any. */
  readonly text: string;
  readonly key: Key;
}

/** Bracketed paste mode: the terminal marks pasted text. */
const ENABLE_BRACKETED_PASTE = '\x1b[?2004h';
const DISABLE_BRACKETED_PASTE = '\x1b[?2004l';

/** Longer than a suspension takes. Without job control, the process is not suspended. */
const SUSPEND_WAIT_MS = 50;

/** Reads keys from a terminal. A paste counts as one stroke. */
export class Keyboard {
  private pasted: string | undefined;
  private taken = false;
  private readonly unsubscribe: readonly (() => void)[];

  /**
   * @param onStroke Receives each key and paste.
   * @param onTaken Called when the terminal is taken back after another program had it.
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

  /** Restores the terminal. */
  close(): void {
    this.release();
    for (const stop of this.unsubscribe) stop();
    this.io.in.off('keypress', this.onKey).pause();
  }

  /** Suspends the program and gives the terminal to the shell until it continues. */
  stop(): void {
    if (platform() === 'win32') return;
    this.release();
    this.io.signals.suspend();
    setTimeout(() => this.retake(), SUSPEND_WAIT_MS);
  }

  /** Ends the program at once, as Ctrl-C does by default, even during a blocked read. */
  interrupt(): void {
    this.close();
    this.io.signals.interrupt();
  }

  private readonly onKey = (text: string | undefined, key: Key): void => {
    const name = getName(key);
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
    // The other program may have left the terminal in any mode.
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
    out.write(ENABLE_BRACKETED_PASTE);
  }

  private readonly release = (): void => {
    if (!this.taken) return;
    this.taken = false;
    this.io.out.write(DISABLE_BRACKETED_PASTE);
    this.io.in.setRawMode?.(false);
  };
}

function getName({ name = '', ctrl, meta }: Key): string {
  return `${ctrl ? 'ctrl+' : ''}${meta ? 'meta+' : ''}${name}`;
}
