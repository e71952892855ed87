import { expect } from 'vitest';
import type { RecordKind, Store, StoredVersion } from '../../../src/service/store/store.ts';

/** Returns the names of promoted properties after comparing their columns with the JSON of every record. */
export async function readExactColumns(store: Store, version: StoredVersion, kind: RecordKind): Promise<string[]> {
  return store.read([version], async ({ dialect, versions, rows }) => {
    const [{ [kind]: source } = { [kind]: undefined }] = versions;
    if (source === undefined) return [];
    const columns = Object.entries(source.properties.columns ?? {});
    const table = [source.table].flat().map((name) => dialect.quoteName(name));
    for (const [name, channels] of columns) {
      const types = Object.entries(channels) as [string, string][];
      const selected = types.map(([type, column]) => `${column} AS is_${type}`);
      const found = await rows(`SELECT ${['properties', ...selected].join(', ')} FROM ${table.join('.')}`, []);
      const differing = found.filter((row) => {
        const { [name]: value } = row.properties as Record<string, unknown>;
        return types.some(([type]) => !isColumnOf(type, value, row[`is_${type}`])) || !hasColumn(types, value);
      });
      expect(differing.slice(0, 3), name).toEqual([]);
    }
    return columns.map(([name]) => name).sort();
  });
}

/** Returns whether a column holds a value if that is of its type, and nothing if not. */
function isColumnOf(type: string, value: unknown, held: unknown): boolean {
  if (getType(value) !== type) return held === null;
  return type === 'null' ? held === true : JSON.stringify(held) === JSON.stringify(value);
}

function hasColumn(types: readonly (readonly [string, string])[], value: unknown): boolean {
  const own = getType(value);
  return own === undefined || types.some(([type]) => type === own);
}

/** Returns the type of the column of a value; undefined if it has none. */
function getType(value: unknown): string | undefined {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return typeof value === 'object' || value === undefined ? undefined : typeof value;
}
