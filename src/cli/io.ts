import type { OutputStream } from './terminal/output-stream.ts';

/**
 * Everything that commands use of the process they run in, apart from files. Tests pass one that they can read back.
 */
export interface Io {
  readonly in: InputStream;
  readonly out: OutputStream;
  readonly err: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signals: Signals;
  /** The command that starts this program in a terminal, such as `onwhere`. */
  readonly command: string;
  /** How many threads can work besides this one. */
  readonly spareThreads: number;
  /** Keeps files that are made from here on from all other users. */
  makeFilesPrivate(): void;
  /** Returns the time in milliseconds since 1970. */
  now(): number;
  /** Ends the program at once, even while something is still running. */
  exit(code: number): never;
}

/** Standard input: a terminal, a file or a pipe. */
type InputStream = NodeJS.ReadableStream & {
  readonly isTTY?: boolean;
  /** Its file descriptor, where the system has one. */
  readonly fd?: number;
  /** Only terminals have it. */
  setRawMode?(isRaw: boolean): unknown;
};

/** How the shell and the user control the program while it runs. */
export interface Signals {
  /** Resolves on the first SIGINT or SIGTERM, which no longer end the program. The second one ends it at once. */
  stopRequested(): Promise<void>;
  /** Calls a listener whenever the program continues after it was suspended. Returns how to unsubscribe. */
  onContinue(listener: () => void): () => void;
  /** Calls a listener before the program ends. Returns how to unsubscribe. */
  onExit(listener: () => void): () => void;
  /** Suspends the program and all of its process group, as Ctrl-Z does. */
  suspend(): void;
  /** Ends the program as Ctrl-C ends one that does not listen for it. */
  interrupt(): void;
}

/** Returns the time in seconds since 1970, the unit of `now` in expressions. */
export function getUnixTime({ now }: Pick<Io, 'now'>): number {
  return Math.floor(now() / 1000);
}
