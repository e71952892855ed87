import { resolve } from 'node:path';
import { describeRepeatedName } from '../../data/problems.ts';
import { quoteFile } from '../../service/store/duckdb/quote-sql.ts';
import { InputError } from '../input/input-error.ts';
import { numberColumnsOf } from './event-table.ts';
import { assertDepth, type ColumnType, type FileColumn, type FileDatabase, type JsonRow } from './file-database.ts';

/** Returns the SQL behind `FROM` for a Parquet file. */
export function lowerParquetTable(file: string): string {
  return `read_parquet(${quoteFile(resolve(file))}, hive_partitioning = false)`;
}

/** A node of the schema of a Parquet file: https://parquet.apache.org/docs/file-format/nestedencoding */
interface SchemaNode {
  readonly name: string;
  readonly isRepeated: boolean;
  /** Whether it is marked as a list or a map. */
  readonly isCollection: boolean;
  readonly children: readonly SchemaNode[];
}

/**
 * Returns the columns of a Parquet file with their names in the file. DuckDB renames columns with empty names and names
 * that differ only in case.
 *
 * @throws {InputError} if several columns have the same name.
 */
export async function readParquetColumns(engine: FileDatabase, file: string): Promise<FileColumn[]> {
  const rows = await engine.rows(
    `SELECT name, coalesce(num_children, 0) AS children, repetition_type IS NOT DISTINCT FROM 'REPEATED' AS "isRepeated",
      coalesce(converted_type IN ('LIST', 'MAP', 'MAP_KEY_VALUE'), false)
        OR coalesce(logical_type IN ('ListType()', 'MapType()'), false) AS "isCollection"
    FROM parquet_schema(${quoteFile(resolve(file))})`,
  );
  const { children } = readNode(rows.values());
  const columns = await engine.columnsOf(numberColumnsOf(lowerParquetTable(file), children.length));
  return new ParquetNames(file).renameColumns(columns, children, 'columns');
}

/** Reads the next row as a node, and the following rows as its children. */
function readNode(rows: Iterator<JsonRow>, depth = 0): SchemaNode {
  assertDepth(depth);
  const { name, children, isRepeated, isCollection } = rows.next().value;
  const nodes = Array.from({ length: Number(children) }, () => readNode(rows, depth + 1));
  return { name: String(name), isRepeated: Boolean(isRepeated), isCollection: Boolean(isCollection), children: nodes };
}

/** Gives the types of DuckDB the field names of the file. Both have the same order. */
class ParquetNames {
  constructor(private readonly file: string) {}

  /** Renames the columns of a table or the fields of a struct. */
  renameColumns(columns: readonly FileColumn[], nodes: readonly SchemaNode[], kind: string): FileColumn[] {
    const repeated = describeRepeatedName(
      nodes.map(({ name }) => name),
      kind,
    );
    if (repeated !== undefined) throw new InputError(`${this.file} ${repeated}`);
    if (columns.length !== nodes.length) throw new InputError(`Cannot read ${this.file}: its schema is not supported`);
    return columns.map(({ type }, index) => {
      const node = nodes[index] as SchemaNode;
      return { name: node.name, type: this.renameType(type, node) };
    });
  }

  private renameType(type: ColumnType, node: SchemaNode): ColumnType {
    const { element } = type;
    if (type.name === 'LIST' && element !== undefined && node.isRepeated) {
      return { ...type, element: this.renameValue(element, node) };
    }
    return this.renameValue(type, node);
  }

  /** Renames the type of one value. Lists and maps consist of groups; a group with one child is that child. */
  private renameValue(type: ColumnType, node: SchemaNode): ColumnType {
    const { element, fields } = type;
    const [first, second] = node.children;
    if (first !== undefined && second === undefined && (node.isCollection || node.isRepeated)) {
      return this.renameType(type, first);
    }
    if (type.name === 'MAP' && element !== undefined && second !== undefined) {
      return { ...type, element: this.renameType(element, second) };
    }
    if (fields === undefined) return type;
    return { ...type, fields: this.renameColumns(fields, node.children, `fields of ${JSON.stringify(node.name)}`) };
  }
}
