/** The exit codes of the command line, as `--help` and the README document them. */
export const EXIT = {
  ok: 0,
  /** The expression is wrong, or met a type in the data that it fails on. */
  expression: 1,
  /** The command was not understood. */
  usage: 2,
  /** A file cannot be read or, with `--strict`, holds a broken line. */
  data: 3,
  /** A mistake of this program. */
  internal: 70,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

/** A command that was not understood: the message says what to write instead. */
export class UsageError extends Error {}
