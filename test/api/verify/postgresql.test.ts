import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyDialect } from '../../../src/api/sql.ts';
import { createProbes } from '../../../src/api/verify/probes.ts';
import { verifyProbes } from '../../../src/api/verify/verify-dialect.ts';
import { POSTGRESQL_DATABASES, type PostgresqlDatabase } from '../../lang/engines/sql/postgresql-databases.ts';

describe.each(POSTGRESQL_DATABASES)('$name', ({ name, open }) => {
  let database: PostgresqlDatabase;
  beforeAll(async () => {
    database = await open();
    await database.query('SET default_transaction_read_only = on', []);
  });
  afterAll(() => database?.close());

  // The test of `onwhere sql --verify` runs all probes on a server, which takes seconds.
  it.skipIf(name === 'a PostgreSQL server')('is exact in every layout in a read-only transaction', async () => {
    const { layouts, ...verification } = await verifyDialect(database.query, database.dialect);
    expect(layouts.flatMap(({ differences }) => differences)).toEqual([]);
    expect(verification).toMatchObject({ dialect: 'PostgreSQL', isExact: true, hints: [] });
    expect(layouts.map(({ layout }) => layout)).toEqual(['JSON column', 'typed columns']);
  });

  it('differs with a setting that rounds numbers, and a hint names it', async () => {
    await database.query('SET extra_float_digits = 0', []);
    const probes = createProbes().filter(({ about }) => about === 'numbers as values');
    const { layouts, hints } = await verifyProbes(database.query, database.dialect, probes);
    const [, columns] = layouts;
    expect(columns?.differences).toContainEqual({
      about: 'numbers as values',
      expression: 'number(properties["x"])',
      use: 'value',
      properties: { x: 0.1 + 0.2, list: [0.1 + 0.2], text: '0.30000000000000004' },
      expected: '0.30000000000000004',
      actual: '0.3',
    });
    expect(hints).toEqual(["The setting extra_float_digits is '0'. Set it to '1'."]);
  });
});
