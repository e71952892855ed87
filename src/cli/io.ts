import type { Properties } from '../lang/value.ts';
import type { OutputStream } from './terminal/output-stream.ts';

/**
 * The parts of the process that commands use, apart from files. Tests pass an implementation in memory.
 */
export interface Io {
  readonly in: InputStream;
  readonly out: OutputStream;
  readonly err: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signals: Signals;
  /** The events that a command reads if it names no files, instead of standard input. */
  readonly project?: ProjectEvents;
  /** The command that starts this program in a terminal, such as `onwhere`. */
  readonly command: string;
  /** The number of threads that can run in addition to this one. */
  readonly spareThreads: number;
  /** The size of CSV files, in bytes, from which loading DuckDB pays off. */
  readonly largeCsv: number;
  /** Makes files created from here on readable by this user only. */
  makeFilesPrivate(): void;
  /** Returns the time in milliseconds since 1970. */
  now(): number;
  /** Ends the program at once, even while something is still running. */
  exit(code: number): never;
}

/** The events of a project of a server or a data folder. */
export interface ProjectEvents {
  /** Their name in place of that of a file. */
  readonly name: string;
  /** Reads them as NDJSON, ordered by time. */
  readonly read: () => AsyncIterable<Buffer>;
  /** Reads the profiles of all users, by their ids. */
  readonly readProfiles: () => Promise<ReadonlyMap<string, Properties>>;
}

/** Standard input: a terminal, a file or a pipe. */
type InputStream = NodeJS.ReadableStream & {
  readonly isTTY?: boolean;
  /** The file descriptor, if there is one. */
  readonly fd?: number;
  /** Only for terminals. */
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
