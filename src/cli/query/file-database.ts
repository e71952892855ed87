import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as DuckDB from '@duckdb/node-api';
import { duckdb } from '../../lang/engines/sql/dialects/duckdb.ts';
import type { SqlValue } from '../../lang/engines/sql/sql.ts';
import { loadDuckdb } from '../../service/store/duckdb/load-duckdb.ts';
import { InputError } from '../input/input-error.ts';

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

/** Queries never download or load extensions: Parquet and JSON are built in. */
const CONFIGURATION = {
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  // As in the store: deep expressions over JSON become even deeper SQL.
  max_expression_depth: '4000',
};

/** DuckDB in this process, with the functions that the SQL of expressions calls. */
export class FileDatabase {
  private constructor(
    private readonly api: typeof DuckDB,
    private readonly instance: DuckDB.DuckDBInstance,
    private readonly connection: DuckDB.DuckDBConnection,
  ) {}

  /** @throws {MissingDuckdbError} if DuckDB is not installed. */
  static async open(): Promise<FileDatabase> {
    const api = loadDuckdb();
    // DuckDB spills to temporary files, which two instances must not share.
    const temp_directory = join(tmpdir(), `onwhere-${randomUUID()}`);
    const instance = await api.DuckDBInstance.create(':memory:', { ...CONFIGURATION, temp_directory });
    const engine = new FileDatabase(api, instance, await instance.connect());
    for (const statement of duckdb.setup) await engine.run(statement);
    return engine;
  }

  async run(sql: string): Promise<void> {
    await this.connection.run(sql);
  }

  /** Returns all rows with exact values. For small results. */
  async rows(sql: string): Promise<JsonRow[]> {
    const reader = await this.connection.runAndReadAll(`SELECT CAST(to_json(found) AS VARCHAR) FROM (${sql}) AS found`);
    return reader.getRows().map(([json]) => JSON.parse(String(json)));
  }

  /**
   * Streams rows in the order of the table. The driver strips U+FEFF from the start of a string, so do not select
   * strings that can begin with it.
   */
  async *stream(sql: string, parameters: readonly SqlValue[]): AsyncGenerator<FileRow[]> {
    const result = await this.connection.stream(sql, [...parameters], this.typesOf(parameters));
    yield* result.yieldRowObjects();
  }

  /** Returns the columns of a relation (anything that can follow `FROM`) with their names in DuckDB. */
  async columnsOf(relation: string): Promise<FileColumn[]> {
    const result = await this.connection.run(`SELECT * FROM ${relation} LIMIT 0`);
    const types = result.columnTypes();
    return result.columnNames().map((name, index) => ({ name, type: this.typeOf(types[index] as DuckDB.DuckDBType) }));
  }

  close(): void {
    this.connection.closeSync();
    this.instance.closeSync();
  }

  /** Returns the types of parameters. All numbers are doubles, also whole ones. */
  private typesOf(parameters: readonly SqlValue[]): DuckDB.DuckDBType[] {
    const { BOOLEAN, DOUBLE, VARCHAR } = this.api;
    const types = { boolean: BOOLEAN, number: DOUBLE, string: VARCHAR };
    return parameters.map((value) => types[typeof value as keyof typeof types]);
  }

  private typeOf(type: DuckDB.DuckDBType): ColumnType {
    return {
      name: this.api.DuckDBTypeId[type.typeId] as ColumnType['name'],
      isJson: type.alias === 'JSON',
      ...('valueType' in type && { element: this.typeOf(type.valueType) }),
      ...('keyType' in type && { key: this.typeOf(type.keyType) }),
      ...('entryNames' in type &&
        'entryTypes' in type && {
          fields: type.entryNames.map((name, index) => ({
            name,
            type: this.typeOf(type.entryTypes[index] as DuckDB.DuckDBType),
          })),
        }),
    };
  }
}

/** Errors in the SQL, which the file did not cause. */
const SQL_ERROR = /^(?:Parser|Binder|Catalog|INTERNAL) Error/;

/** Turns an error of DuckDB into an InputError that names the file. Returns other errors unchanged. */
export function explainEngineError(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || error.constructor !== Error || SQL_ERROR.test(error.message)) return error;
  const [reason] = error.message.split('\n');
  return new InputError(`Cannot read ${file}: ${reason}`, { cause: error });
}
