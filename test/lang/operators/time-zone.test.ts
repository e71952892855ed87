import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../../../src/api/expressions.ts';
import { findTimeZone, isTimeZone } from '../../../src/lang/operators/time-zone.ts';
import { getStep, getZoneOffsets } from '../../../src/lang/operators/zone-offsets.ts';
import { IN_FULL } from '../../runs.ts';

const NAMES = Intl.supportedValuesOf('timeZone').filter((name) => findTimeZone(name) !== undefined);
/** Local times of each time zone. Building the rules of all of them takes seconds. */
const TIMES = 100;
const ZONES = IN_FULL ? NAMES : NAMES.filter((_, index) => index % 40 === 0);

const YEARS = [1850, 9999].map((year) => Date.UTC(year) / 1000) as [number, number];
const DAY = 86_400;

/** Reads the offset of a zone at a time from the clock that the runtime shows. */
function createOffsetReader(timeZone: string): (time: number) => number {
  const fields = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
  const format = new Intl.DateTimeFormat('en-US', { timeZone, ...fields, second: 'numeric', hourCycle: 'h23' });
  return (time) => {
    const parts = new Map(format.formatToParts(time * 1000).map(({ type, value }) => [type as string, Number(value)]));
    const get = (name: string) => parts.get(name) ?? 0;
    const date = Date.UTC(get('year'), get('month') - 1, get('day'), get('hour'), get('minute'), get('second'));
    return date / 1000 - time;
  };
}

/** Converts a local time by its definition: the first time that the clock shows, else with the offset before. */
function convertByClock(readOffset: (time: number) => number, local: number): number {
  const offsets = [readOffset(local - 2 * DAY), readOffset(local + 2 * DAY)];
  const shown = offsets.map((offset) => local - offset).filter((time) => readOffset(time) === local - time);
  return shown.length > 0 ? Math.min(...shown) : local - (offsets[0] ?? 0);
}

describe('local times', () => {
  it(`are read as the clocks of ${ZONES.length} zones show them`, () => {
    for (const name of ZONES) {
      const [zone, readOffset] = [findTimeZone(name) ?? expect.unreachable(), createOffsetReader(name)];
      const { limits } = getZoneOffsets(zone).ofLocalTimes;
      const changes = limits.length === 0 ? [0] : limits;
      const nearChange = fc.tuple(fc.constantFrom(...changes), fc.integer({ min: -7300, max: 7300 }));
      const locals = fc.oneof(
        fc.integer({ min: YEARS[0], max: YEARS[1] }),
        nearChange.map(([change, by]) => Math.max(change + by, YEARS[0])),
      );
      fc.assert(
        fc.property(locals, (local) => zone.toUnixSeconds(local) === convertByClock(readOffset, local)),
        { numRuns: TIMES },
      );
    }
  }, 600_000);

  it('have the same offset in the tables that SQL gets', () => {
    for (const name of ZONES) {
      const zone = findTimeZone(name) ?? expect.unreachable();
      const { ofLocalTimes } = getZoneOffsets(zone);
      const locals = ofLocalTimes.limits.flatMap((limit) =>
        [-3600, -1800, -1, 0, 1, 1800, 3600].map((by) => limit + by),
      );
      const differing = locals.filter((local) => local - getStep(ofLocalTimes, local) !== zone.toUnixSeconds(local));
      expect(differing, name).toEqual([]);
    }
  });

  it.each([
    ['2025-06-01', '2025-05-31T22:00:00Z'],
    ['2025-01-01T12:00:00', '2025-01-01T11:00:00Z'],
    // The clocks skip this hour, and show that one twice.
    ['2025-03-30T02:30:00', '2025-03-30T01:30:00Z'],
    ['2025-10-26T02:30:00', '2025-10-26T00:30:00Z'],
    ['2025-06-01T00:00:00Z', '2025-06-01T00:00:00Z'],
    ['2025-06-01T00:00:00+05:00', '2025-05-31T19:00:00Z'],
    ['1890-01-01', '1889-12-31T23:06:32Z'],
    ['9999-07-01', '9999-06-30T22:00:00Z'],
  ])('read %s in Berlin as %s', (a, expected) => {
    const seconds = compile('datetime(properties["a"])', { timeZone: 'Europe/Berlin' })({ a });
    expect(new Date(Number(seconds) * 1000).toISOString()).toBe(expected.replace('Z', '.000Z'));
    expect(compile(`datetime("${a}")`, { timeZone: 'Europe/Berlin' })({})).toBe(seconds);
  });

  it('knows the names of the runtime, in any case, and no other', () => {
    expect([...NAMES, 'UTC', 'europe/berlin', 'Etc/GMT+1'].every(isTimeZone)).toBe(true);
    expect(['', 'Mars/Olympus', 'Berlin', 'CEST?'].some(isTimeZone)).toBe(false);
    expect(findTimeZone('UTC')).toBe(undefined);
    expect(() => compile('1', { timeZone: 'Mars/Olympus' })).toThrow(
      '`options.timeZone` must be a name like "Europe/Berlin", not "Mars/Olympus"',
    );
  });
});
