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
import { dirname, join } from 'node:path';
import type { Io } from '../io.ts';
import { printMessage } from '../messages.ts';
import { getUserFolder } from '../user-folder.ts';

/** The number of entries to keep. The file is cut once it has twice as many. */
const MAX_ENTRIES = 1000;

/** Readable and writable by the owner only. */
const MODE = 0o600;

/** Stores the history between runs. If the file cannot be written, warns once and does nothing from then on. */
export class HistoryFile {
  private works = true;
  private path = '';

  constructor(private readonly io: Io) {}

  /** Returns the last entries, oldest first. */
  read(): string[] {
    return (
      this.attempt(() => {
        // Creates a missing file, so that a failure shows up at once.
        const descriptor = openSync(this.path, 'a+', MODE);
        try {
          if (!fstatSync(descriptor).isFile()) throw new Error(`${this.path} is not a file`);
          const entries = parseEntries(readFileSync(descriptor, 'utf8'));
          if (entries.length > 2 * MAX_ENTRIES) this.cut(entries.slice(-MAX_ENTRIES), descriptor);
          return entries.slice(-MAX_ENTRIES);
        } finally {
          closeSync(descriptor);
        }
      }) ?? []
    );
  }

  /** Appends an entry, also after those of other running processes. */
  append(entry: string): void {
    this.attempt(() => appendFileSync(this.path, `${entry}\n`, { mode: MODE }));
  }

  /** Replaces the file with a shorter one, including entries that another process appended meanwhile. */
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
      printMessage(this.io, 'warning', `the history is not saved: ${(error as Error).message}`);
      return undefined;
    }
  }
}

/** Returns the path of the history file by the conventions of the operating system. */
export function getHistoryPath(environment: Io['env'], platform: NodeJS.Platform, home: string): string {
  return join(getUserFolder('state', environment, platform, home), 'history');
}

function parseEntries(text: string): string[] {
  return text.split('\n').filter((entry) => entry !== '');
}
