/** The exit codes of the command line, as `--help` and the README document them. */
export const EXIT = {
  ok: 0,
  /** The expression is invalid, or failed on a record. */
  expression: 1,
  /** The command line is invalid. */
  usage: 2,
  /** A file cannot be read, has a broken record with `--strict`, or a server does not respond. */
  data: 3,
  /** Internal error. */
  internal: 70,
  /** The server has lost its shared data folder to another one. */
  lost: 75,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

/** The command line is invalid. The message says what to write instead. */
export class UsageError extends Error {}
