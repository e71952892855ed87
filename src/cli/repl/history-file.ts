import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { homedir, platform } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { Io } from '../io.ts';
import { printMessage } from '../messages.ts';

/** Entries that are kept. The file may have twice as many before the oldest go. */
const MAX_ENTRIES = 1000;

/** Only its owner reads it. */
const MODE = 0o600;

/** The file in which entries outlive a run. Where it cannot be written this is told once, and everything else works. */
export class HistoryFile {
  private works = true;
  private path = '';

  constructor(private readonly io: Io) {}

  /** The last entries, oldest first. */
  read(): string[] {
    return (
      this.attempt(() => {
        // Made where there is none, so that it is known at once whether it can be.
        const descriptor = openSync(this.path, 'a+', MODE);
        try {
          if (!fstatSync(descriptor).isFile()) throw new Error(`${this.path} is no file`);
          const entries = entriesOf(readFileSync(descriptor, 'utf8'));
          if (entries.length > 2 * MAX_ENTRIES) this.cut(entries.slice(-MAX_ENTRIES), descriptor);
          return entries.slice(-MAX_ENTRIES);
        } finally {
          closeSync(descriptor);
        }
      }) ?? []
    );
  }

  /** Adds an entry behind all others, of other runs too. */
  append(entry: string): void {
    this.attempt(() => appendFileSync(this.path, `${entry}\n`, { mode: MODE }));
  }

  /** Puts a shorter file in place, with what another run appended meanwhile. */
  private cut(entries: readonly string[], descriptor: number): void {
    const shorter = `${this.path}.${randomUUID()}`;
    writeFileSync(shorter, entries.map((entry) => `${entry}\n`).join(''), { mode: MODE });
    renameSync(shorter, this.path);
    appendFileSync(this.path, readFileSync(descriptor));
  }

  private attempt<Answer>(action: () => Answer): Answer | undefined {
    if (!this.works) return undefined;
    try {
      this.path ||= getHistoryPath(this.io.env, platform(), homedir());
      mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
      return action();
    } catch (error) {
      this.works = false;
      printMessage(this.io, 'warning', `the history is not kept: ${(error as Error).message}`);
      return undefined;
    }
  }
}

/** Where the history is kept: with what programs remember, by the custom of the system. */
export function getHistoryPath(environment: Io['env'], platform: NodeJS.Platform, home: string): string {
  const { XDG_STATE_HOME: state = '', LOCALAPPDATA: local = '' } = environment;
  const folder =
    platform === 'win32'
      ? local || join(home, 'AppData', 'Local')
      : isAbsolute(state)
        ? state
        : join(home, '.local', 'state');
  return join(folder, 'onwhere', 'history');
}

function entriesOf(text: string): string[] {
  return text.split('\n').filter((entry) => entry !== '');
}
