import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LeaseLostError } from '../../../src/service/storage/folder-hold.ts';
import { FolderLease, LEASE_TIMES } from '../../../src/service/storage/folder-lease.ts';
import { FolderInUseError } from '../../../src/service/storage/folder-lock.ts';
import { LeaseFiles } from '../../../src/service/storage/lease-files.ts';
import { eventually } from '../../eventually.ts';
import { splitRuns } from '../../runs.ts';
import { type Deed, LeaseWorld, type Plan, TIMES, WORLD_END } from './lease-world.ts';

const RUNS = Number(process.env.ONWHERE_RUNS ?? 300);

const behaviour = fc.record({
  rate: fc.double({ min: 0.85, max: 1.15, noNaN: true }),
  step: fc.record({ at: fc.nat(WORLD_END), by: fc.integer({ min: -1_000, max: 1_000 }) }),
  end: fc.integer({ min: 1, max: WORLD_END }),
  isKilled: fc.boolean(),
});

const plan: fc.Arbitrary<Plan> = fc.record({
  processes: fc.array(behaviour, { minLength: 2, maxLength: 4 }),
  pauses: fc.array(
    fc.record({ process: fc.nat(3), at: fc.nat(WORLD_END), length: fc.oneof(fc.nat(40), fc.nat(600)) }),
    { maxLength: 6 },
  ),
  delays: fc.array(fc.oneof(fc.nat(3), fc.nat(30), fc.nat(200)), { minLength: 1, maxLength: 20 }),
  staleness: fc.array(fc.oneof(fc.constant(0), fc.nat(4)), { minLength: 1, maxLength: 8 }),
});

/** Returns what goes wrong between processes: acknowledgements after a takeover, and those that it did not find. */
function findConflicts(deeds: readonly Deed[]): string[] {
  const conflicts: string[] = [];
  let holder: number | undefined;
  const acknowledged: number[] = [];
  for (const { process, kind, time, records } of deeds) {
    if (kind === 'took') {
      holder = process;
      const missing = acknowledged.filter((record) => !records.includes(record));
      if (missing.length > 0) conflicts.push(`p${process} took the lease at ${time} without ${missing}`);
    } else if (kind === 'acknowledged') {
      if (process !== holder) conflicts.push(`p${process} acknowledged ${records} at ${time}, after p${holder}`);
      acknowledged.push(...records);
    }
  }
  return conflicts;
}

describe('the protocol', () => {
  it('lets only one process acknowledge, and the next one find all of it', async () => {
    let [taken, acknowledged] = [0, 0];
    const law = fc.asyncProperty(plan, async (plan) => {
      const deeds = await new LeaseWorld(plan).run();
      taken += deeds.filter(({ kind }) => kind === 'took').length;
      acknowledged += deeds.filter(({ kind }) => kind === 'acknowledged').length;
      expect(findConflicts(deeds)).toEqual([]);
    });
    const { seeded, fresh } = splitRuns(RUNS);
    await fc.assert(law, seeded);
    // The worlds are not empty.
    expect(taken).toBeGreaterThan(seeded.numRuns);
    expect(acknowledged).toBeGreaterThan(seeded.numRuns);
    await fc.assert(law, fresh);
  });

  it('would not, if others took the lease while it is valid', async () => {
    const broken = { ...TIMES, takeover: TIMES.valid / 2 };
    const property = fc.asyncProperty(plan, async (plan) => {
      expect(findConflicts(await new LeaseWorld(plan, broken).run())).toEqual([]);
    });
    expect((await fc.check(property, { numRuns: 2_000, seed: 1, endOnFailure: true })).failed).toBe(true);
  });

  it('hands over at once when the holder stops, and after a kill once no renewal can be valid', async () => {
    const process = (end: number, isKilled: boolean) => ({ rate: 1, step: { at: 0, by: 0 }, end, isKilled });
    const world = (isKilled: boolean) =>
      new LeaseWorld({
        processes: [process(1_000, isKilled), process(WORLD_END, true)],
        pauses: [],
        delays: [1],
        staleness: [0],
      });
    const handover = async (isKilled: boolean) => {
      const [, next] = (await world(isKilled).run()).filter(({ kind }) => kind === 'took');
      return (next?.time ?? WORLD_END) - 1_000;
    };
    expect(await handover(false)).toBeLessThan(TIMES.renew * 2);
    expect(await handover(true)).toBeGreaterThan(TIMES.valid);
    expect(await handover(true)).toBeLessThan(TIMES.takeover + TIMES.renew * 2);
  });

  it('has times that clocks of different speed cannot mix up', () => {
    expect(LEASE_TIMES.takeover).toBeGreaterThanOrEqual(LEASE_TIMES.valid * 1.5);
    expect(LEASE_TIMES.valid).toBeGreaterThanOrEqual(LEASE_TIMES.renew * 4);
  });
});

describe('on a disk', () => {
  let folder: string;
  const times = { renew: 40, valid: 60_000, takeover: 60_000 };
  /** For processes that take others for dead. */
  const hasty = { ...times, takeover: 100 };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'onwhere-lease-'));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  const open = async (name: string, owner: string, own = times) =>
    new FolderLease(await LeaseFiles.open(join(folder, name)), own, undefined, owner);

  it('is one file, of which only one process gets the name', async () => {
    const leases = await Promise.all(Array.from({ length: 20 }, (_, index) => open('one', `p${index}`)));
    const taken = await Promise.all(leases.map((lease) => lease.tryTake()));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(leases.filter(({ isHeld }) => isHeld)).toHaveLength(1);
    const holder = leases.find(({ isHeld }) => isHeld);
    await holder?.renew();
    expect(await readdir(join(folder, 'one', 'lease'))).toEqual([`1-1-p${taken.indexOf(true)}`]);
    await holder?.release();
    expect(await readdir(join(folder, 'one', 'lease'))).toEqual(['1-free']);
    expect(() => holder?.assertHeld()).toThrow(LeaseLostError);
  });

  it('is renewed until it is released, and refused to others meanwhile', async () => {
    const [holder, other] = [await open('two', 'holder'), await open('two', 'other')];
    expect(await holder.tryTake()).toBe(true);
    holder.keep(() => undefined);
    await expect(other.takeIdle(join(folder, 'two'))).rejects.toThrow(FolderInUseError);
    expect(other.holder).toBe('holder');
    await holder.release();
    await other.takeIdle(join(folder, 'two'));
    expect(other.isHeld).toBe(true);
  });

  it('is lost by a holder that others took for dead', async () => {
    const [stopped, next] = [await open('three', 'stopped'), await open('three', 'next', hasty)];
    expect(await stopped.tryTake()).toBe(true);
    await next.takeIdle(join(folder, 'three'));
    await expect(stopped.renew()).rejects.toThrow(LeaseLostError);
    expect(() => stopped.assertHeld()).toThrow(LeaseLostError);
    next.assertHeld();
  });

  it('tells the holder that it is lost', async () => {
    const [stopped, next] = [await open('four', 'stopped'), await open('four', 'next', hasty)];
    await stopped.tryTake();
    await next.takeIdle(join(folder, 'four'));
    const errors: Error[] = [];
    stopped.keep((error) => errors.push(error));
    await eventually(() => expect(errors).toEqual([expect.any(LeaseLostError)]));
  });

  it('is refused if the folder has been tampered with', async () => {
    const lease = await open('five', 'p');
    await writeFile(join(folder, 'five', 'lease', 'copy'), '');
    await expect(lease.tryTake()).rejects.toThrow('must have exactly one file, not 2');
  });
});
