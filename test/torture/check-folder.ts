import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../end-to-end/client.ts';
import type { TestFolder } from '../end-to-end/server-process.ts';
import type { ExpectedVersions } from './expected-versions.ts';
import { readStoredBatches } from './ledger.ts';
import type { Tally } from './tally.ts';

/** The longest time in which a version becomes ready, on the slowest machine. */
const PATIENCE_MS = 120_000;

/** Publishes all versions and waits until each is ready. */
export async function checkServed(client: Client, expected: ExpectedVersions, tally: Tally): Promise<void> {
  for (const { id } of expected.present) {
    await client.setState(id, { readable: true, writable: true });
    const timeout = new AbortController();
    const ready = client.untilReady(id).then(() => true);
    const timedOut = pause(PATIENCE_MS, false, { signal: timeout.signal }).catch(() => false);
    // After a timeout, this goes on until the server stops, and then fails.
    ready.catch(() => undefined);
    const isReady = await Promise.race([ready, timedOut]);
    timeout.abort();
    tally.expect(isReady, `version ${id} is not ready after ${PATIENCE_MS / 1000} s`);
  }
}

/** Compares the stored records of all versions with the acknowledged ones. No server may have the folder open. */
export async function checkStored(folder: TestFolder, expected: ExpectedVersions, tally: Tally): Promise<void> {
  for (const { id, ledger } of expected.present) {
    try {
      ledger.check(id, await readStoredBatches(folder.versionFolder(id), id), tally);
    } catch (error) {
      tally.lost += ledger.acknowledgedRecords;
      tally.expect(false, `version ${id} cannot be read: ${(error as Error).message}`);
    }
  }
}

/**
 * Checks that no temporary files are left after a server was started and stopped. Only `version.json.tmp` may be there,
 * which the next change of the version replaces.
 */
export function checkFolder(folder: TestFolder, tally: Tally): void {
  const left = readdirSync(folder.path, { recursive: true, encoding: 'utf8' }).filter((name) => {
    if (/\/versions\/[^/]+$/.test(name)) return !existsSync(join(folder.path, name, 'version.json'));
    return /(?<!version\.json)\.tmp$|\.new(\.wal)?$/.test(name) || /^(incoming|temporary[^/]*)\/./.test(name);
  });
  tally.expect(left.length === 0, `left behind: ${left.map((name) => join(folder.path, name)).join(', ')}`);
}
