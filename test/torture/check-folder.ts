import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../end-to-end/client.ts';
import type { TestFolder } from '../end-to-end/server-process.ts';
import type { ExpectedVersions } from './expected-versions.ts';
import { storedBatches } from './ledger.ts';
import type { Tally } from './tally.ts';

/** How long a version may take to be ready, on the slowest machine. */
const PATIENCE_MS = 120_000;

/** Publishes all versions, and waits until each is ready. */
export async function checkServed(client: Client, expected: ExpectedVersions, tally: Tally): Promise<void> {
  for (const { id } of expected.present) {
    await client.setState(id, { readable: true, writable: true });
    const late = new AbortController();
    const ready = client.untilReady(id).then(() => true);
    const waited = pause(PATIENCE_MS, false, { signal: late.signal }).catch(() => false);
    // Goes on until the server is stopped, where it takes too long.
    ready.catch(() => undefined);
    const isReady = await Promise.race([ready, waited]);
    late.abort();
    tally.expect(isReady, `version ${id} is not ready after ${PATIENCE_MS / 1000} s`);
  }
}

/** Compares the records of all versions, while no server has the folder open. */
export async function checkStored(folder: TestFolder, expected: ExpectedVersions, tally: Tally): Promise<void> {
  for (const { id, ledger } of expected.present) {
    try {
      ledger.check(id, await storedBatches(folder.versionFolder(id), id), tally);
    } catch (error) {
      tally.lost += ledger.acknowledgedRecords;
      tally.expect(false, `version ${id} cannot be read: ${(error as Error).message}`);
    }
  }
}

/** Nothing of what was being written is left after a server was started and stopped, but for what the next change of a version replaces. */
export function checkFolder(folder: TestFolder, tally: Tally): void {
  const left = readdirSync(folder.path, { recursive: true, encoding: 'utf8' }).filter((name) => {
    if (/\/versions\/[^/]+$/.test(name)) return !existsSync(join(folder.path, name, 'version.json'));
    return /(?<!version\.json)\.tmp$|\.new(\.wal)?$/.test(name) || /^(incoming|temporary[^/]*)\/./.test(name);
  });
  tally.expect(left.length === 0, `left behind: ${left.map((name) => join(folder.path, name)).join(', ')}`);
}
