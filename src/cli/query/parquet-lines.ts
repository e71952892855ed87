import { objectText, wholeListText } from './column-values.ts';
import { Engine } from './engine.ts';
import { columnAt, numberedColumns } from './event-table.ts';
import { explainEngineError } from './explain-engine-error.ts';
import { parquetColumns, parquetTable } from './parquet-columns.ts';

/** The records of a Parquet file as lines of NDJSON, many at a time: as `query filter` prints them, but with all elements of lists. */
export async function* parquetLines(file: string): AsyncGenerator<string> {
  const engine = await Engine.open();
  try {
    const columns = await parquetColumns(engine, file);
    const record = objectText(columns, columnAt, wholeListText);
    const table = numberedColumns(parquetTable(file), columns.length);
    for await (const rows of engine.stream(`SELECT ${record} AS record FROM ${table}`, [])) {
      yield rows.map((row) => `${row.record}\n`).join('');
    }
  } catch (error) {
    throw explainEngineError(error, file);
  } finally {
    engine.close();
  }
}
