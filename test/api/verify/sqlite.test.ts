import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProbes } from '../../../src/api/verify/probes.ts';
import { verifyProbes } from '../../../src/api/verify/verify-dialect.ts';
import type { Database } from '../../lang/engines/sql/database.ts';
import { SQLITE_DATABASES } from '../../lang/engines/sql/sqlite-databases.ts';

/** The other subjects are in the corpus of the dialect too, and take long. */
const SUBJECTS = ['types', 'names of properties', 'users', 'dates as filters', 'characters as values'];

describe.each(SQLITE_DATABASES)('$name', ({ open }) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database?.close());

  it('is exact in every layout', async () => {
    const probes = createProbes().filter(({ about }) => SUBJECTS.includes(about));
    expect(probes).toHaveLength(SUBJECTS.length);
    const { layouts, ...verification } = await verifyProbes(database.query, database.dialect, probes);
    expect(layouts.flatMap(({ differences }) => differences)).toEqual([]);
    expect(verification).toMatchObject({ dialect: 'SQLite', isExact: true, hints: [] });
    expect(layouts.map(({ layout }) => layout)).toEqual(['JSON column', 'typed columns']);
  });

  it('has a hint for a database whose strings are UTF-16', async () => {
    const inUtf16 = async (sql: string) =>
      sql.includes('pragma_encoding')
        ? [{ value: 'UTF-16le' }]
        : sql.includes('sqlite_version')
          ? [{ version: '3' }]
          : [];
    const probes = createProbes().filter(({ about }) => about === 'users');
    expect((await verifyProbes(inUtf16, database.dialect, probes)).hints).toEqual([
      "The setting encoding is 'UTF-16le'. Set it to 'UTF-8'.",
    ]);
  });
});
