import { loadPeer } from '../peers/load-peer.ts';

// The process that `duckdb-tool.ts` starts, with a query and a number of threads.

interface Connection {
  runAndReadAll(sql: string): Promise<{ getRows(): unknown[][] }>;
}

interface Module {
  readonly DuckDBInstance: {
    create(path: string, options: Record<string, string>): Promise<{ connect(): Promise<Connection> }>;
  };
}

const [sql = '', threads = ''] = process.argv.slice(2);
const { DuckDBInstance } = await loadPeer<Module>('@duckdb/node-api');
const instance = await DuckDBInstance.create(':memory:', threads === '' ? {} : { threads });
const connection = await instance.connect();
const reader = await connection.runAndReadAll(sql);
if (!sql.startsWith('COPY')) console.log(String(reader.getRows()[0]?.[0]));
