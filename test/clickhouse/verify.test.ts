import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clickhouse, type RunSql, verifyDialect } from '../../src/api/sql.ts';
import { createProbes } from '../../src/api/verify/probes.ts';
import { verifyProbes } from '../../src/api/verify/verify-dialect.ts';
import { HAS_CLICKHOUSE, openClient } from './open-clickhouse.ts';

describe.skipIf(!HAS_CLICKHOUSE)('ClickHouse in this process', () => {
  let client: ClickHouseClient;
  beforeAll(async () => {
    client = openClient();
    for (const query of clickhouse.setup) await client.command({ query });
  });
  afterAll(() => client?.close());

  function run(clickhouse_settings: ClickHouseSettings): RunSql {
    return async (query, parameters) => {
      const query_params = Object.fromEntries(parameters.map((value, index) => [`p${index + 1}`, value]));
      return (await client.query({ query, query_params, clickhouse_settings, format: 'JSONEachRow' })).json();
    };
  }

  it('is exact in every layout', async () => {
    const { layouts, ...verification } = await verifyDialect(run({}), clickhouse);
    expect(layouts.flatMap(({ differences }) => differences)).toEqual([]);
    expect(verification).toMatchObject({ dialect: 'ClickHouse', isExact: true, hints: [] });
    expect(layouts.map(({ layout }) => layout)).toEqual([
      'JSON column',
      'typed columns',
      'map of JSON',
      'map of strings',
    ]);
  });

  it('is not exact with precise_float_parsing = 0, and the hint names the setting', async () => {
    const { isExact, layouts, hints } = await verifyProbes(
      run({ precise_float_parsing: 0 }),
      clickhouse,
      createProbes().filter(({ about }) => about === 'numbers as values'),
    );
    expect(isExact).toBe(false);
    expect(layouts.flatMap(({ differences }) => differences)).toContainEqual(
      expect.objectContaining({
        about: 'numbers as values',
        expression: 'number(properties["x"])',
        actual: expect.stringContaining('onwhere needs the setting precise_float_parsing = 1'),
      }),
    );
    expect(hints).toEqual(["The setting precise_float_parsing is 'false'. Set it to 'true'."]);
  });
});
