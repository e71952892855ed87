import type { Row } from './reading.ts';

/** All rows of a short answer. */
export async function rowsOf(chunks: AsyncIterable<readonly Row[]>): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const some of chunks) rows.push(...some);
  return rows;
}
