import type { DuckDBAppender, DuckDBConnection, DuckDBInstance, DuckDBResult } from '@duckdb/node-api';
import { duckdb } from '../../../lang/engines/sql/dialects/duckdb.ts';
import type { SqlValue } from '../../../lang/engines/sql/sql.ts';
import { DatabaseBusyError, MemoryLimitError, StoreError } from '../store-error.ts';
import { joinArrays } from './join-arrays.ts';
import { type InstanceOptions, openInstance } from './open-instance.ts';

export interface DatabaseOptions extends Pick<InstanceOptions, 'memoryLimit'> {
  readonly temporaryFolder: string;
  /** The only folder in which statements can open files, apart from the temporary folder. Default: all files. */
  readonly onlyFolder?: string;
}

/**
 * DuckDB in this process. It has no tables: each version is an attached file, which shares memory and
 * threads.
 */
export class DuckDbDatabase {
  private constructor(private readonly instance: DuckDBInstance) {}

  /** @throws {MissingDuckdbError} if DuckDB is not installed. */
  static async open({ onlyFolder, ...options }: DatabaseOptions): Promise<DuckDbDatabase> {
    const only = onlyFolder === undefined ? undefined : { folders: [onlyFolder] };
    const database = new DuckDbDatabase(await translateErrors(() => openInstance({ ...options, only })));
    await database.withConnection(async (connection) => {
      for (const statement of duckdb.setup) await connection.run(statement);
    });
    return database;
  }

  /** Opens a connection, which has its own transaction and temporary tables. */
  async connect(): Promise<DuckDbConnection> {
    return new DuckDbConnection(await translateErrors(() => this.instance.connect()));
  }

  /** Runs `work` with a connection and closes it. */
  async withConnection<Result>(work: (connection: DuckDbConnection) => Promise<Result>): Promise<Result> {
    const connection = await this.connect();
    try {
      return await work(connection);
    } finally {
      await connection.close();
    }
  }

  close(): void {
    this.instance.closeSync();
  }
}

/** A connection, which runs one statement at a time. Failing statements throw a {@link StoreError}. */
export class DuckDbConnection {
  private running: Promise<unknown> | undefined;
  private hasUnfinishedStream = false;

  constructor(private readonly connection: DuckDBConnection) {}

  async run(sql: string): Promise<void> {
    await this.runAlone(() => this.connection.run(sql));
  }

  /**
   * Returns all rows of a query. Strings may lose a leading U+FEFF. If that matters, select them as JSON.
   */
  async rows(sql: string): Promise<readonly (readonly unknown[])[]> {
    const reader = await this.runAlone(() => this.connection.runAndReadAll(sql));
    return reader.getRows();
  }

  /** Streams the rows of a query with parameters, as JSON arrays of several rows. */
  async *json(sql: string, parameters: readonly SqlValue[]): AsyncGenerator<string> {
    const result = await this.runAlone(() =>
      this.connection.stream(`SELECT CAST(to_json(answer) AS VARCHAR) FROM (${sql}) AS answer`, [...parameters]),
    );
    for await (const rows of this.chunks(result)) yield* joinArrays(rows.map(([json]) => json as string));
  }

  /**
   * Moves all changes from the WAL of an attached file into the file. Returns false if that must wait for reads: those
   * that see the file as it was before a column was changed.
   */
  async checkpoint(schema: string): Promise<boolean> {
    try {
      await this.run(`CHECKPOINT ${schema}`);
      return true;
    } catch (error) {
      if (error instanceof StoreError && NOT_YET.test(error.message)) return false;
      throw error;
    }
  }

  /** Interrupts the running statement. */
  interrupt(): void {
    this.connection.interrupt();
  }

  /** Returns the result of a query with a single number. */
  async number(sql: string): Promise<number> {
    const [row] = await this.rows(sql);
    return Number(row?.[0]);
  }

  /** Streams the rows of a query in chunks. */
  async *stream(sql: string): AsyncGenerator<readonly (readonly unknown[])[]> {
    yield* this.chunks(await this.runAlone(() => this.connection.stream(sql)));
  }

  /** Returns an appender of rows to a temporary table. */
  async appender(table: string): Promise<DuckDBAppender> {
    return this.runAlone(() => this.connection.createAppender(table, 'main', 'temp'));
  }

  /** Runs `work` in a transaction. Rolls back if it fails. */
  async transaction<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.run('BEGIN');
    try {
      const result = await work();
      await this.run('COMMIT');
      return result;
    } catch (error) {
      // After a failed commit there is no transaction to roll back.
      await this.run('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  /** Makes `progress` available for later statements. */
  trackProgress(): Promise<void> {
    return this.run('SET enable_progress_bar = true; SET enable_progress_bar_print = false');
  }

  /** The progress of the running statement from 0 to 1; less than 0 if it is unknown. */
  get progress(): number {
    return this.connection.progress.percentage / 100;
  }

  /** Closes the connection, after the running statement. */
  async close(): Promise<void> {
    await this.running?.catch(() => undefined);
    // A stream that is not read to its end keeps its scan until it is garbage collected. If its file was detached
    // before, that corrupts the memory of the process. Any statement ends the scan, and this one its transaction too.
    if (this.hasUnfinishedStream) await this.connection.run('ROLLBACK').catch(() => undefined);
    this.connection.closeSync();
  }

  private async *chunks(result: DuckDBResult): AsyncGenerator<readonly (readonly unknown[])[]> {
    this.hasUnfinishedStream = true;
    const chunks = result.yieldRows();
    for (;;) {
      const { value, done } = await this.runAlone(() => chunks.next());
      if (done) break;
      yield value;
    }
    this.hasUnfinishedStream = false;
  }

  /**
   * DuckDB would let several statements run at once. If one of them failed, the connection would be closed under the
   * others, which corrupts the memory of the process.
   */
  private async runAlone<Result>(statement: () => Promise<Result>): Promise<Result> {
    if (this.running !== undefined) throw new Error('a statement is still running on this connection');
    const running = translateErrors(statement);
    this.running = running;
    try {
      return await running;
    } finally {
      this.running = undefined;
    }
  }
}

const OUT_OF_MEMORY = /^Out of Memory Error\b/;

/** DuckDB's errors for a file that is corrupt. Each block of a file has a checksum. */
const CORRUPT =
  /\bCorrupt\b|Could not read enough bytes|not a valid DuckDB database file|^(?:Serialization|INTERNAL) Error\b|Failed to deserialize/;

/** DuckDB's error for a file that another process has open. */
const LOCKED = /Conflicting lock is held/;

/** DuckDB's error for a checkpoint that must wait. */
const NOT_YET = /Cannot CHECKPOINT: there are other write transactions active/;

/** Thrown if a file is corrupt. */
export class CorruptFileError extends StoreError {}

/** Runs `work` and throws DuckDB's errors as a {@link StoreError} with their first line. The rest is the statement. */
async function translateErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    // DuckDB is not installed, or does not load.
    if (error instanceof StoreError) throw error;
    const [message = ''] = (error as Error).message.split('\n');
    throw new (chooseErrorClass(message))(`DuckDB: ${message}`, { cause: error });
  }
}

function chooseErrorClass(message: string): typeof StoreError {
  if (OUT_OF_MEMORY.test(message)) return MemoryLimitError;
  if (LOCKED.test(message)) return DatabaseBusyError;
  return CORRUPT.test(message) ? CorruptFileError : StoreError;
}
