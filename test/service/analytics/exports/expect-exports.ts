import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect } from 'vitest';
import { QueryError } from '../../../../src/queries/errors.ts';
import type { ExportRequest } from '../../../../src/queries/export-span.ts';
import { EventExports } from '../../../../src/service/analytics/exports/event-exports.ts';
import type { StoreSnapshot } from '../../../../src/service/store/store-snapshot.ts';
import { normalizeLines } from '../../../normalize-lines.ts';
import { EVENTS, FILTERS, type World } from '../arbitraries.ts';
import { exportLines } from '../reference/export.ts';
import type { Reference } from '../reference.ts';

/** The number of queries that read all events of a world. Each takes long on a cluster. */
const PARTS = fc.integer({ min: 1, max: 6 });

/** Draws limits of a query: at least two events, since a query for the rest of a second reads the last one again. */
function createLimits({ versions }: World) {
  const all = versions.flatMap(({ events }) => events);
  const { length: bytes } = JSON.stringify(all);
  const divide = (total: number) => PARTS.map((parts) => Math.max(2, Math.ceil(total / parts)));
  return fc.record({ events: divide(all.length), bytes: divide(bytes) });
}

function createRequests({ day, versions }: World) {
  const times = versions.flatMap(({ events }) => events.map(({ properties }) => properties.time as number));
  const days = fc.constantFrom(day, '0001-01-01', '9999-12-31', undefined);
  return fc.record(
    {
      from: days,
      to: days,
      fromTime: fc.constantFrom(0, ...times, ...times.map((time) => time + 1)),
      events: fc.uniqueArray(EVENTS, { minLength: 1, maxLength: 3 }),
      where: FILTERS,
    },
    { requiredKeys: [] },
  );
}

/** Expects exports of a snapshot to match the reference, however many events each query reads. */
export async function expectExports(
  snapshot: StoreSnapshot,
  world: World,
  reference: Reference,
  runs: number,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'onwhere-exports-'));
  const { timeZone, now } = world;
  const target = {
    project: 'shop',
    timeZone,
    state: async () => '',
    versions: async () => '',
    read: <Result>(work: (snapshot: StoreSnapshot) => Promise<Result>) => work(snapshot),
  };
  const turns = {
    take: <Result>(_: string, work: (signal: AbortSignal) => Promise<Result>, signal: AbortSignal) => work(signal),
  };
  const run = async (lines: () => Promise<string> | string) => {
    try {
      return await lines();
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      return error.kind;
    }
  };
  const property = fc.asyncProperty(
    createLimits(world),
    createRequests(world),
    async (limits, request: ExportRequest) => {
      const exports = new EventExports(turns, folder, () => now, limits);
      const got = await run(async () => {
        const { stream } = await exports.open(target, request, new AbortController().signal);
        return normalizeLines(await text(stream));
      });
      const expected = await run(() => exportLines(reference, request).join(''));
      expect(got, JSON.stringify(world)).toBe(expected);
    },
  );
  try {
    await fc.assert(property, { numRuns: runs });
    expect(await readdir(folder)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
}
