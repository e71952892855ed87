/**
 * A database that cannot do what it was asked for reasons that are none of the request. The message is for operators.
 */
export class StoreError extends Error {}

/** DuckDB, which the command needs, is not installed. The message says how to install it. */
export class MissingDuckdbError extends StoreError {}

/** A version of which the database has less than was flushed, or cannot read what it has. */
export class DamagedVersionError extends StoreError {
  constructor(
    readonly versionId: string,
    /** What is damaged, for clients: `the store has 1 of 2 events`. */
    readonly damage: string,
    /** What the database says of it, for operators. */
    readonly details = '',
  ) {
    super(`version ${versionId} is damaged: ${damage}${details && ` (${details})`}`);
  }
}

/** A statement that needs more memory than there is for it. */
export class MemoryLimitError extends StoreError {}

/** A statement that is nested more deeply, or is longer, than the database reads. */
export class DepthLimitError extends StoreError {}

/**
 * A database whose process has ended under the work, or cannot be started. Work that is asked for later finds another
 * one.
 */
export class DatabaseLostError extends StoreError {}
