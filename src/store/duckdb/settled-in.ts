import { RECORD_KINDS, type Settled } from '../store.ts';
import type { Connection } from './database.ts';
import { quoteText } from './quote-sql.ts';
import { RecordTable } from './record-table.ts';

/** What is settled in the file of a version. */
export async function settledIn(connection: Connection, schema: string): Promise<Settled> {
  const kinds = RECORD_KINDS.map(async (kind) => {
    const records = await new RecordTable(connection, schema, kind).count();
    const names = `SELECT max(name) FROM ${schema}.segments WHERE kind = ${quoteText(kind)}`;
    const [[segment] = []] = await connection.rows(names);
    return [kind, { records, segment: String(segment ?? '') }];
  });
  return Object.fromEntries(await Promise.all(kinds));
}
