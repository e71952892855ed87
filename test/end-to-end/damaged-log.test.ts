import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Client } from './client.ts';
import { ServerProcess, TestFolder } from './server-process.ts';
import { storedEvents } from './stored-events.ts';

const BATCHES = 6;
const BATCH = 100;

let folder: TestFolder;
let version: string;

beforeEach(async () => {
  folder = TestFolder.make();
  const server = await ServerProcess.start(folder);
  const client = new Client(folder, server);
  ({ version_id: version } = await client.create());
  for (let batch = 0; batch < BATCHES; batch++) {
    const records = Array.from({ length: BATCH }, () => client.event({ distinct_id: 'a', time: 1, batch }));
    expect(await client.import('events', version, records)).toBe(true);
  }
  await server.kill();
});

afterEach(() => folder.remove());

/** Returns the path of the last file. */
function findLastLogFile(): string {
  const log = join(folder.versionFolder(version), 'events');
  return join(
    log,
    readdirSync(log)
      .filter((name) => name.endsWith('.ndjson'))
      .sort()
      .at(-1) as string,
  );
}

/** Starts the server, imports another batch and returns the stored batches and the log lines about damage. */
async function restart(): Promise<{ batches: number[]; damage: string[] }> {
  const server = await ServerProcess.start(folder);
  const client = new Client(folder, server);
  const after = Array.from({ length: BATCH }, () => client.event({ distinct_id: 'a', time: 2, batch: 99 }));
  expect(await client.import('events', version, after)).toBe(true);
  await client.setState(version, { readable: true, writable: true });
  await client.untilReady(version);
  expect(await server.stop()).toBe(0);
  const stored = await storedEvents(folder, version);
  for (const [batch, events] of stored) expect([batch, events]).toEqual([batch, BATCH]);
  const damage = server.output.split('\n').filter((line) => line.includes('log damaged'));
  return { batches: [...stored.keys()].sort((left, right) => left - right), damage };
}

const ALL = [0, 1, 2, 3, 4, 5, 99];

describe('a log', () => {
  it('keeps all its batches if zeros or other bytes follow them', async () => {
    for (const tail of [Buffer.alloc(5_000), Buffer.from('{"event":"x","ti'), Buffer.from([0xff, 0x0a, 0x00])]) {
      appendFileSync(findLastLogFile(), tail);
      const server = await ServerProcess.start(folder);
      await server.kill();
      expect(server.output).toContain('log damaged');
    }
    expect((await restart()).batches).toEqual(ALL);
  });
});
