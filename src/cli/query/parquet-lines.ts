import { resolve } from 'node:path';
import { duckdb } from '../../engines/sql/dialects/duckdb.ts';
import { quoteFile } from '../../store/duckdb/quote-sql.ts';
import { objectText, wholeListText } from './column-values.ts';
import { Engine } from './engine.ts';
import { explainEngineError } from './explain-engine-error.ts';

/** What stands behind `FROM` for a Parquet file. */
export function parquetTable(file: string): string {
  return `read_parquet(${quoteFile(resolve(file))}, hive_partitioning = false)`;
}

/** The records of a Parquet file as lines of NDJSON, many at a time: as `query filter` prints them, but with all elements of lists. */
export async function* parquetLines(file: string): AsyncGenerator<string> {
  const engine = await Engine.open();
  try {
    const table = parquetTable(file);
    const record = objectText(await engine.columnsOf(table), ({ name }) => duckdb.quoteName(name), wholeListText);
    for await (const rows of engine.stream(`SELECT ${record} AS record FROM ${table}`, [])) {
      yield rows.map((row) => `${row.record}\n`).join('');
    }
  } catch (error) {
    throw explainEngineError(error, file);
  } finally {
    engine.close();
  }
}
