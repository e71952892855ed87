import { describe, expect, it } from 'vitest';
import { Client } from './client.ts';
import { ServerProcess, TestFolder } from './server-process.ts';
import { SmallDisk } from './small-disk.ts';
import { storedEvents } from './stored-events.ts';

/** The size of the disk in MB. */
const DISK = 48;

const BATCH = 500;

const { isPossible } = SmallDisk;
if (!isPossible) console.log('Skipped: this user cannot mount a small disk.');

describe.skipIf(!isPossible)('a server on a full disk', () => {
  it('refuses imports with a reason, serves its data, and accepts imports once there is space', async () => {
    const disk = SmallDisk.mount(DISK);
    try {
      const folder = TestFolder.make(disk.path);
      const server = await ServerProcess.start(folder);
      const client = new Client(folder, server);
      const acknowledged: number[] = [];
      const { version_id: version } = await client.create();
      const send = (batch: number) => client.importVerbosely('events', version, batchOf(client, batch));

      let refused: Awaited<ReturnType<typeof send>> | undefined;
      for (let batch = 0; refused === undefined; batch++) {
        const answer = await send(batch);
        if (answer.status === 1) acknowledged.push(batch);
        else refused = answer;
      }
      expect(refused.error).toMatch(/cannot write to its disk/);
      expect(await client.list()).toHaveLength(1);
      // A full disk may prevent this change and the flush; the server retries the flush.
      await client.setState(version, { readable: true, writable: true }).catch(() => undefined);

      disk.resize(DISK * 4);
      const after = acknowledged.length + 1_000;
      expect((await send(after)).status).toBe(1);
      acknowledged.push(after);
      await client.setState(version, { readable: true, writable: true });
      await client.untilReady(version);
      expect(await server.stop()).toBe(0);
      const stored = await storedEvents(folder, version);
      expect(stored.size).toBe(acknowledged.length);
      for (const batch of acknowledged) expect([batch, stored.get(batch)]).toEqual([batch, BATCH]);
      expect(server.output).not.toMatch(/^\s+at /m);
    } finally {
      disk.unmount();
    }
  });
});

function batchOf(client: Client, batch: number): object[] {
  return Array.from({ length: BATCH }, (_, index) => {
    return client.event({ distinct_id: `user ${index}`, time: 1_700_000_000 + batch, batch, text: 'x'.repeat(100) });
  });
}
