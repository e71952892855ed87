import { loadPeer } from '../peers/load-peer.ts';
import type { ColumnOf, Row } from './query-case.ts';

interface Connection {
  runAndReadAll(sql: string): Promise<{ getRows(): Row[] }>;
  closeSync(): void;
}

interface Module {
  readonly DuckDBInstance: {
    create(
      path: string,
      options: Readonly<Record<string, string>>,
    ): Promise<{ connect(): Promise<Connection>; closeSync(): void }>;
  };
}

/** Opens the file of a version in this process, for SQL by hand. */
export class HandDatabase {
  private constructor(
    private readonly connection: Connection,
    private readonly numbers: ReadonlyMap<unknown, unknown>,
    /** Closes the file. */
    readonly close: () => void,
  ) {}

  static async open(file: string, memoryLimit?: string): Promise<HandDatabase> {
    const { DuckDBInstance } = await loadPeer<Module>('@duckdb/node-api');
    const instance = await DuckDBInstance.create(file, memoryLimit === undefined ? {} : { memory_limit: memoryLimit });
    const connection = await instance.connect();
    const promoted = await connection.runAndReadAll("SELECT property, number FROM promoted WHERE kind = 'events'");
    return new HandDatabase(connection, new Map(promoted.getRows().map(([name, number]) => [name, number])), () => {
      connection.closeSync();
      instance.closeSync();
    });
  }

  readonly column: ColumnOf = (property, type) => `p${this.numbers.get(property)}_${type}`;

  async rows(sql: string): Promise<readonly Row[]> {
    return (await this.connection.runAndReadAll(sql)).getRows();
  }
}
