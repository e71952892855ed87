import { describe, expect, it } from 'vitest';
import { Random } from '../../src/data/random.ts';
import { DISTURBANCES } from '../torture/server-pair.ts';
import { Tally } from '../torture/tally.ts';
import { disturbServers } from '../torture/two-servers.ts';
import { HAS_CLICKHOUSE } from './open-clickhouse.ts';

describe.skipIf(!HAS_CLICKHOUSE)('two servers over one data folder', () => {
  it('lose and double nothing when the active one is killed, stopped or ended', async () => {
    const tally = new Tally();
    await disturbServers([...DISTURBANCES, 'kill'], 4_500, new Random(1), tally);
    console.log(tally.summary());
    expect(tally.failures).toEqual([]);
    expect(tally.records).toBeGreaterThan(0);
  });
});
