import { open, stat } from 'node:fs/promises';
import type { FormatOptions } from '../../data/file-format.ts';
import { InputError } from '../input/input-error.ts';

/** The kinds of files that only DuckDB reads. */
export type DatabaseKind = 'parquet' | 'duckdb';

const SIGNATURES: readonly (readonly [kind: DatabaseKind, text: string, at: number])[] = [
  // https://parquet.apache.org/docs/file-format/
  ['parquet', 'PAR1', 0],
  // https://duckdb.org/docs/stable/internals/storage
  ['duckdb', 'DUCK', 8],
];

const HEAD_BYTES = 12;

/**
 * Detects Parquet and DuckDB files by their first bytes. Returns undefined for other files, and for pipes.
 *
 * @throws {InputError} if a list within JSON is to be read, and the file has a table.
 */
export async function detectDatabase(
  file: string,
  { records }: Pick<FormatOptions, 'records'> = {},
): Promise<DatabaseKind | undefined> {
  if (!(await stat(file)).isFile()) return undefined;
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const head = buffer.toString('latin1', 0, bytesRead);
    const [kind] = SIGNATURES.find(([, text, at]) => head.startsWith(text, at)) ?? [];
    if (kind !== undefined && records !== undefined)
      throw new InputError(`${file} is a table, and --records is for lists in JSON files`);
    return kind;
  } finally {
    await handle.close();
  }
}
