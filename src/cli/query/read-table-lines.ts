import { attachFile } from './attach-file.ts';
import { lowerListJson, lowerObjectJson } from './column-values.ts';
import type { DatabaseKind } from './detect-database.ts';
import { getColumnName, numberColumnsOf } from './event-table.ts';
import { explainEngineError, FileDatabase } from './file-database.ts';
import { lowerParquetTable, readParquetColumns } from './parquet.ts';

/**
 * Streams a Parquet file or a table of a .duckdb file as NDJSON in chunks, as `query filter` prints it but with all
 * list elements.
 *
 * @param table The table to read from a .duckdb file with several tables.
 */
export async function* readTableLines(
  file: string,
  kind: DatabaseKind,
  table: string | undefined,
): AsyncGenerator<Buffer> {
  const engine = await FileDatabase.open();
  try {
    const isParquet = kind === 'parquet';
    const relation = isParquet ? lowerParquetTable(file) : await attachFile(engine, file, table);
    const columns = isParquet ? await readParquetColumns(engine, file) : await engine.columnsOf(relation);
    const record = lowerObjectJson(columns, getColumnName, lowerListJson);
    const rows = numberColumnsOf(relation, columns.length);
    for await (const group of engine.stream(`SELECT ${record} AS record FROM ${rows}`, [])) {
      yield Buffer.from(group.map((row) => `${row.record}\n`).join(''));
    }
  } catch (error) {
    throw explainEngineError(error, file);
  } finally {
    engine.close();
  }
}
