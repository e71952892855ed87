import { lowerListJson, lowerObjectJson } from './column-values.ts';
import { FileDatabase } from './engine.ts';
import { getColumnName, numberColumnsOf } from './event-table.ts';
import { explainEngineError } from './explain-engine-error.ts';
import { lowerParquetTable, readParquetColumns } from './parquet-columns.ts';

/** The records of a Parquet file as lines of NDJSON, many at a time: as `query filter` prints them, but with all elements of lists. */
export async function* readParquetLines(file: string): AsyncGenerator<string> {
  const engine = await FileDatabase.open();
  try {
    const columns = await readParquetColumns(engine, file);
    const record = lowerObjectJson(columns, getColumnName, lowerListJson);
    const table = numberColumnsOf(lowerParquetTable(file), columns.length);
    for await (const rows of engine.stream(`SELECT ${record} AS record FROM ${table}`, [])) {
      yield rows.map((row) => `${row.record}\n`).join('');
    }
  } catch (error) {
    throw explainEngineError(error, file);
  } finally {
    engine.close();
  }
}
