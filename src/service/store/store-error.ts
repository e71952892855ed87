/** Thrown if the database fails for a reason that is not the request. The message is for operators. */
export class StoreError extends Error {}

/** Thrown if DuckDB is needed but not installed. The message says how to install it. */
export class MissingDuckdbError extends StoreError {}

/** Thrown if the database has lost flushed records of a version or cannot read them. */
export class DamagedVersionError extends StoreError {
  constructor(
    readonly versionId: string,
    /** The damage, for clients: `the store has 1 of 2 events`. */
    readonly damage: string,
    /** The message of the database, for operators. */
    readonly details = '',
  ) {
    super(`version ${versionId} is damaged: ${damage}${details && ` (${details})`}`);
  }
}

/** Thrown if a newer release wrote the file of a version, which must stay unchanged. */
export class NewerVersionError extends DamagedVersionError {}

/** Thrown if a statement needs more memory than the limit. */
export class MemoryLimitError extends StoreError {}

/** Thrown if a statement is longer or more deeply nested than the database accepts. */
export class DepthLimitError extends StoreError {}

/** Thrown if another process has a file of the database open. */
export class DatabaseBusyError extends StoreError {}

/**
 * Thrown if the process of the database ended during the work or cannot be started. Later calls start a new process.
 */
export class DatabaseLostError extends StoreError {}
