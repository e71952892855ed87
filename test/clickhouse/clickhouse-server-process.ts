import { ClickHouseServer } from './clickhouse-server.ts';

/** Serves ClickHouse over HTTP until the process is killed. Prints the URL. */
const server = await ClickHouseServer.start();
console.log(server.url);
