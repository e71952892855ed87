import type { FormatOptions } from '../../data/file-format.ts';
import { attachFile } from './attach-file.ts';
import { lowerListJson, lowerObjectJson } from './column-values.ts';
import type { DatabaseKind } from './detect-database.ts';
import { getColumnName, numberColumnsOf } from './event-table.ts';
import { explainEngineError, FileDatabase } from './file-database.ts';
import { lowerParquetTable, readParquetColumns } from './parquet.ts';

/**
 * Streams a Parquet file or a table of a .duckdb file as NDJSON in chunks, as `query filter` prints it but with all
 * list elements.
 * */
export async function* readTableLines(
  file: string,
  kind: DatabaseKind,
  options: FormatOptions,
): AsyncGenerator<Buffer> {
  const engine = await FileDatabase.open([file], options);
  try {
    const isParquet = kind === 'parquet';
    const relation = isParquet ? lowerParquetTable(file) : await attachFile(engine, file, options.table);
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
