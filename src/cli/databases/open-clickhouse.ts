import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { clickhouse } from '../../lang/engines/sql/dialects/clickhouse.ts';
import { UsageError } from '../exit.ts';
import { describeDatabaseError, type SqlConnection } from './database.ts';

/**
 * Connects to a ClickHouse server over HTTP: `https://user:password@host:8443/database`. `password` applies if the URL
 * has none.
 */
export function openClickhouse(url: string, password: string | undefined): SqlConnection {
  const client = connect(url, password);
  return {
    dialect: clickhouse,
    async run(query, parameters) {
      const query_params = Object.fromEntries(parameters.map((value, index) => [`p${index + 1}`, value]));
      try {
        return await (await client.query({ query, query_params, format: 'JSONEachRow' })).json();
      } catch (error) {
        throw describeDatabaseError(clickhouse, error);
      }
    },
    close: () => client.close(),
  };
}

function connect(url: string, password: string | undefined) {
  try {
    // The caller reports errors. The client would print them a second time.
    return createClient({ ...(password && { password }), url, log: { level: ClickHouseLogLevel.OFF } });
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}
