import type { JsonSqlRow } from './reading.ts';

/** All rows of a short answer. */
export async function collectRows(chunks: AsyncIterable<readonly JsonSqlRow[]>): Promise<readonly JsonSqlRow[]> {
  const rows: JsonSqlRow[] = [];
  for await (const some of chunks) rows.push(...some);
  return rows;
}
