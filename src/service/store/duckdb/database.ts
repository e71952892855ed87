import type { DuckDBAppender, DuckDBConnection, DuckDBInstance, DuckDBResult } from '@duckdb/node-api';
import { duckdb } from '../../../lang/engines/sql/dialects/duckdb.ts';
import type { SqlValue } from '../../../lang/engines/sql/sql.ts';
import { MemoryLimitError, StoreError } from '../store-error.ts';
import { joinArrays } from './join-arrays.ts';
import { loadDuckdb } from './load-duckdb.ts';
import { quoteSqlString } from './quote-sql.ts';

export interface DatabaseOptions {
  /**
   * How much memory queries and flushing take together, as DuckDB writes it: `"2GB"`. Default: 80 % of what there is.
   */
  readonly memoryLimit?: string;
  /** Where goes what does not fit into memory. */
  readonly temporaryFolder: string;
  /**
   * The only folder whose files statements can open, besides the temporary one; their settings are fixed too. Default:
   * all files.
   */
  readonly onlyFolder?: string;
}

/**
 * DuckDB in this process. It holds nothing itself: versions have files of their own, which share its memory and
 * threads.
 */
export class DuckDbDatabase {
  private constructor(private readonly instance: DuckDBInstance) {}

  /** @throws {MissingDuckdbError} if DuckDB is not installed. */
  static async open({ memoryLimit, temporaryFolder, onlyFolder }: DatabaseOptions): Promise<DuckDbDatabase> {
    const { DuckDBInstance } = await loadDuckdb();
    const instance = await told(() =>
      DuckDBInstance.create(':memory:', {
        // Nothing is ever fetched: JSON and Parquet are built in.
        autoinstall_known_extensions: 'false',
        autoload_known_extensions: 'false',
        temp_directory: temporaryFolder,
        // An expression has up to 256 levels, each with up to four of SQL where properties are read from JSON. By
        // default, there may be 1,000.
        max_expression_depth: '4000',
        // The longest of the answers that are the first rows of many is a page of people: for so many, the rest of a
        // row is read when they are found.
        late_materialization_max_rows: '1000',
        ...(memoryLimit !== undefined && { memory_limit: memoryLimit }),
      }),
    );
    const database = new DuckDbDatabase(instance);
    await database.connected(async (connection) => {
      for (const statement of duckdb.setup) await connection.run(statement);
      if (onlyFolder !== undefined) for (const statement of confining(onlyFolder)) await connection.run(statement);
    });
    return database;
  }

  /** A connection of its own, with a transaction and temporary tables of its own. */
  async connect(): Promise<DuckDbConnection> {
    return new DuckDbConnection(await told(() => this.instance.connect()));
  }

  /** Lends a connection. */
  async connected<Result>(work: (connection: DuckDbConnection) => Promise<Result>): Promise<Result> {
    const connection = await this.connect();
    try {
      return await work(connection);
    } finally {
      connection.close();
    }
  }

  close(): void {
    this.instance.closeSync();
  }
}

/**
 * Keeps all statements from then on to the files of a folder. A folder can only be allowed while all are, and no setting
 * can change once they are locked: https://duckdb.org/docs/stable/operations_manual/securing_duckdb/overview
 */
function confining(folder: string): readonly string[] {
  return [
    `SET GLOBAL allowed_directories = [${quoteSqlString(folder)}]`,
    'SET GLOBAL enable_external_access = false',
    'SET GLOBAL lock_configuration = true',
  ];
}

/** Statements one after the other. What fails throws a {@link StoreError}. */
export class DuckDbConnection {
  constructor(private readonly connection: DuckDBConnection) {}

  async run(sql: string): Promise<void> {
    await told(() => this.connection.run(sql));
  }

  /**
   * The rows of a query that are few. Texts may lose a leading U+FEFF: where that matters, they are asked for as JSON.
   */
  async rows(sql: string): Promise<readonly (readonly unknown[])[]> {
    const reader = await told(() => this.connection.runAndReadAll(sql));
    return reader.getRows();
  }

  /** The rows of a query with parameters as they are found: each text is a JSON array of some of them. */
  async *json(sql: string, parameters: readonly SqlValue[]): AsyncGenerator<string> {
    const result = await told(() =>
      this.connection.stream(`SELECT CAST(to_json(answer) AS VARCHAR) FROM (${sql}) AS answer`, [...parameters]),
    );
    for await (const rows of this.chunks(result)) yield* joinArrays(rows.map(([text]) => text as string));
  }

  /** Gives up the statement that runs. */
  interrupt(): void {
    this.connection.interrupt();
  }

  /** A query that answers one number. */
  async number(sql: string): Promise<number> {
    const [row] = await this.rows(sql);
    return Number(row?.[0]);
  }

  /** Rows as they are found. */
  async *stream(sql: string): AsyncGenerator<readonly (readonly unknown[])[]> {
    yield* this.chunks(await told(() => this.connection.stream(sql)));
  }

  /** Writes rows of texts to a temporary table. */
  async appender(table: string): Promise<DuckDBAppender> {
    return told(() => this.connection.createAppender(table, 'main', 'temp'));
  }

  /** All of the work or nothing. */
  async transaction(work: () => Promise<void>): Promise<void> {
    await this.run('BEGIN');
    try {
      await work();
      await this.run('COMMIT');
    } catch (error) {
      // Where it failed to commit, there is none left.
      await this.run('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  /** Has `progress` be worked out from here on. */
  trackProgress(): Promise<void> {
    return this.run('SET enable_progress_bar = true; SET enable_progress_bar_print = false');
  }

  /** From 0 to 1, how far the running statement has come; less than 0 where that is not known. */
  get progress(): number {
    return this.connection.progress.percentage / 100;
  }

  close(): void {
    this.connection.closeSync();
  }

  private async *chunks(result: DuckDBResult): AsyncGenerator<readonly (readonly unknown[])[]> {
    const chunks = result.yieldRows();
    for (;;) {
      const { value, done } = await told(() => chunks.next());
      if (done) return;
      yield value;
    }
  }
}

const OUT_OF_MEMORY = /^Out of Memory Error\b/;

/** What DuckDB says of a file that is not as it was written. Each block of a file has a checksum. */
const CORRUPT =
  /\bCorrupt\b|Could not read enough bytes|not a valid DuckDB database file|^(?:Serialization|INTERNAL) Error\b|Failed to deserialize/;

/** A file that is not as it was written. */
export class CorruptFileError extends StoreError {}

/** DuckDB says in the first line what is wrong, and then shows the statement. */
async function told<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const [said = ''] = (error as Error).message.split('\n');
    throw new (kindOf(said))(`DuckDB: ${said}`, { cause: error });
  }
}

function kindOf(said: string): typeof StoreError {
  if (OUT_OF_MEMORY.test(said)) return MemoryLimitError;
  return CORRUPT.test(said) ? CorruptFileError : StoreError;
}
