import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClickHouseStore } from '../../src/service/store/clickhouse/click-house-store.ts';
import { describeStore } from '../service/store/store-contract.ts';
import { ClickHouseServer } from './clickhouse-server.ts';
import { HAS_CLICKHOUSE } from './open-clickhouse.ts';

describe.skipIf(!HAS_CLICKHOUSE)('over HTTP', () => {
  let server: ClickHouseServer;

  beforeAll(async () => {
    server = await ClickHouseServer.start();
  });

  afterAll(() => server?.stop());

  const connect = () => createClient({ url: server.url, log: { level: ClickHouseLogLevel.OFF } });

  describeStore('ClickHouse', async () => ClickHouseStore.open(connect()), 4);

  it('passes parameters, settings and errors', async () => {
    const client = connect();
    const text = 'a\tb\n\'c\'\\ "d" \\N \u00e9';
    const rows = await client.query({
      query: 'SELECT {text:String} AS text, {list:Array(String)} AS list, {none:Nullable(String)} AS none',
      query_params: { text, list: [text, ''], none: null },
      format: 'JSONEachRow',
    });
    expect(await rows.json()).toEqual([{ text, list: [text, ''], none: null }]);
    const long = 'x'.repeat(100_000);
    const length = await client.query({
      query: 'SELECT length({long:String}) AS length, getSetting({name:String}) AS value',
      query_params: { long, name: 'max_threads' },
      clickhouse_settings: { max_threads: 3, output_format_json_quote_64bit_integers: 0 },
      format: 'JSONEachRow',
    });
    expect(await length.json()).toEqual([{ length: 100_000, value: 3 }]);
    await expect(client.command({ query: 'SELECT * FROM missing' })).rejects.toMatchObject({
      code: '60',
      type: 'UNKNOWN_TABLE',
    });
    await client.close();
  });
});
