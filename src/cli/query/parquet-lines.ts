import { Engine } from './engine.ts';
import { QueryDatabase } from './query-database.ts';

/** The records of a Parquet file as lines of NDJSON, as `query filter` prints them, many at a time. */
export async function* parquetLines(file: string): AsyncGenerator<string> {
  const engine = await Engine.open();
  try {
    const answers = await new QueryDatabase(engine, undefined, true).answers({ kind: 'lines', now: 0 }, file);
    if (answers === undefined) return;
    for await (const { part } of answers) yield part;
  } finally {
    engine.close();
  }
}
