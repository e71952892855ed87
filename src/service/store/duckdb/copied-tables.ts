import { RECORD_KINDS, type RecordKind } from '../store.ts';
import type { DuckDbConnection } from './database.ts';

/** The columns of the records of copies, besides `copy`, the number of each. */
export const COPIED_COLUMNS: Readonly<Record<RecordKind, Readonly<Record<string, string>>>> = {
  events: { '"event"': 'VARCHAR', '"time"': 'BIGINT', distinct_id: 'VARCHAR', properties: 'JSON' },
  people: { distinct_id: 'VARCHAR', properties: 'JSON' },
};

/** Returns the table in memory that all copies share. */
export function getCopiedTable(kind: RecordKind): string {
  return `memory.main.copied_${kind}`;
}

/** Creates empty tables for copies. */
export async function createCopiedTables(
  connection: DuckDbConnection,
  getTable: (kind: RecordKind) => string,
  compression = '',
): Promise<void> {
  for (const kind of RECORD_KINDS) {
    const columns = Object.entries({ copy: 'INTEGER', ...COPIED_COLUMNS[kind] }).map((column) => column.join(' '));
    await connection.run(`CREATE TABLE ${getTable(kind)} (${columns.join(', ')} ${compression})`);
  }
}
