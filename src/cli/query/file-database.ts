import { resolve } from 'node:path';
import type * as DuckDB from '@duckdb/node-api';
import { parseJson } from '../../base/parse-json.ts';
import type { FormatOptions } from '../../data/file-format.ts';
import { duckdb } from '../../lang/engines/sql/dialects/duckdb.ts';
import type { SqlValue } from '../../lang/engines/sql/sql.ts';
import { loadDuckdb } from '../../service/store/duckdb/load-duckdb.ts';
import { getParameterTypes, openInstance } from '../../service/store/duckdb/open-instance.ts';
import { InputError } from '../input/input-error.ts';
import { chooseMemoryLimit, DEFAULT_TIME_LIMIT, type FileLimits } from './file-limits.ts';

/** The parts of a DuckDB type that matter for the values of a column. */
export interface ColumnType {
  readonly name: keyof typeof DuckDB.DuckDBTypeId;
  readonly isJson: boolean;
  /** The type of the elements of a list, or of the values of a map. */
  readonly element?: ColumnType;
  /** The type of the keys of a map. */
  readonly key?: ColumnType;
  /** The fields of a struct. */
  readonly fields?: readonly FileColumn[];
}

export interface FileColumn {
  readonly name: string;
  readonly type: ColumnType;
}

export type FileRow = Readonly<Record<string, DuckDB.DuckDBValue>>;

/** A row with values parsed from JSON. */
export type JsonRow = Readonly<Record<string, unknown>>;

/** DuckDB in this process for files that may come from anyone, with the functions that the SQL of expressions calls. */
export class FileDatabase {
  private constructor(
    private readonly instance: DuckDB.DuckDBInstance,
    private readonly connection: DuckDB.DuckDBConnection,
    private readonly limits: FileLimits,
  ) {}

  /**
   * Opens DuckDB with access to these files and to no others.
   *
   * @throws {MissingDuckdbError} if DuckDB is not installed.
   */
  static async open(
    files: readonly string[],
    { timeLimit = DEFAULT_TIME_LIMIT, memoryLimit = chooseMemoryLimit() }: FormatOptions = {},
  ): Promise<FileDatabase> {
    const only = { files: files.map((file) => resolve(file)) };
    const instance = await openInstance({ memoryLimit, only });
    const engine = new FileDatabase(instance, await instance.connect(), { timeLimit, memoryLimit });
    for (const statement of duckdb.setup)
      await engine.connection.run(statement).catch((error) => Promise.reject(engine.explainLimit(error)));
    return engine;
  }

  async run(sql: string): Promise<void> {
    await this.createTimer()(() => this.connection.run(sql));
  }

  /** Runs a statement that ends the use of a file. No limit of time stops it: the error would hide that of the file. */
  async cleanUp(sql: string): Promise<void> {
    await this.connection.run(sql);
  }

  /** Returns all rows with exact values. For small results. */
  async rows(sql: string): Promise<JsonRow[]> {
    const json = `SELECT CAST(to_json(found) AS VARCHAR) FROM (${sql}) AS found`;
    const reader = await this.createTimer()(() => this.connection.runAndReadAll(json));
    return reader.getRows().map(([json]) => parseJson(String(json)) as JsonRow);
  }

  /**
   * Streams rows in the order of the table. The driver strips U+FEFF from the start of a string, so do not select
   * strings that can begin with it.
   */
  async *stream(sql: string, parameters: readonly SqlValue[]): AsyncGenerator<FileRow[]> {
    const inTime = this.createTimer();
    const result = await inTime(() => this.connection.stream(sql, [...parameters], getParameterTypes(parameters)));
    const chunks = result.yieldRowObjects();
    for (;;) {
      const { value, done } = await inTime(() => chunks.next());
      if (done) return;
      yield value;
    }
  }

  /** Returns the columns of a relation (anything that can follow `FROM`) with their names in DuckDB. */
  async columnsOf(relation: string): Promise<FileColumn[]> {
    const result = await this.createTimer()(() => this.connection.run(`SELECT * FROM ${relation} LIMIT 0`));
    const types = result.columnTypes();
    return result.columnNames().map((name, index) => ({ name, type: this.typeOf(types[index] as DuckDB.DuckDBType) }));
  }

  close(): void {
    this.connection.closeSync();
    this.instance.closeSync();
  }

  /**
   * Returns a function that runs the parts of one statement and interrupts it at the time limit. The time between them
   * does not count: the reader of a pipe may be slow.
   */
  private createTimer(): <Result>(part: () => Promise<Result>) => Promise<Result> {
    let left = this.limits.timeLimit * 1000;
    return async (part) => {
      if (left <= 0) throw this.createLimitError('time');
      const started = performance.now();
      const timer = setTimeout(() => this.connection.interrupt(), left);
      try {
        return await part();
      } catch (error) {
        throw this.explainLimit(error);
      } finally {
        clearTimeout(timer);
        left -= performance.now() - started;
      }
    };
  }

  private explainLimit(error: unknown): unknown {
    const { message } = error as Error;
    if (message.startsWith('INTERRUPT Error')) return this.createLimitError('time', error);
    return message.startsWith('Out of Memory Error') ? this.createLimitError('memory', error) : error;
  }

  private createLimitError(limit: 'time' | 'memory', cause?: unknown): FileLimitError {
    const { timeLimit, memoryLimit } = this.limits;
    const much = limit === 'time' ? `takes longer than ${timeLimit} s` : `needs more memory than ${memoryLimit}`;
    return new FileLimitError(`DuckDB ${much}. Raise the limit with --${limit}-limit`, { cause });
  }

  private typeOf(type: DuckDB.DuckDBType, depth = 1): ColumnType {
    assertDepth(depth);
    return {
      name: loadDuckdb().DuckDBTypeId[type.typeId] as ColumnType['name'],
      isJson: type.alias === 'JSON',
      ...('valueType' in type && { element: this.typeOf(type.valueType, depth + 1) }),
      ...('keyType' in type && { key: this.typeOf(type.keyType, depth + 1) }),
      ...('entryNames' in type &&
        'entryTypes' in type && {
          fields: type.entryNames.map((name, index) => ({
            name,
            type: this.typeOf(type.entryTypes[index] as DuckDB.DuckDBType, depth + 1),
          })),
        }),
    };
  }
}

/** The deepest types of columns. DuckDB needs minutes for SQL over deeper ones. */
const MAX_DEPTH = 128;

/** @throws if types of a column are nested too deep. */
export function assertDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw new Error(`its columns are nested more than ${MAX_DEPTH} levels deep`);
}

/** Errors in the SQL, which the file did not cause. */
const SQL_ERROR = /^(?:Parser|Binder|Catalog) Error/;

/** Reading a file takes more than a limit. */
export class FileLimitError extends InputError {}

/** Turns an error of DuckDB into an InputError that names the file. Returns other errors unchanged. */
export function explainEngineError(error: unknown, file: string): unknown {
  if (error instanceof FileLimitError)
    return new FileLimitError(`Cannot read ${file}: ${error.message}`, { cause: error });
  if (!(error instanceof Error) || error.constructor !== Error || SQL_ERROR.test(error.message)) return error;
  const [reason] = error.message.split('\n');
  return new InputError(`Cannot read ${file}: ${reason}`, { cause: error });
}
