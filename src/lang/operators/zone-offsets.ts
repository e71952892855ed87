import type { TimeZone } from './time-zone.ts';

/** A function of a number that changes in steps: `values[i]` holds below `limits[i]`, and the last value from there on. */
export interface Steps {
  /** Ascending. */
  readonly limits: readonly number[];
  /** One more than the limits. */
  readonly values: readonly number[];
}

/** How far the clocks of a time zone are ahead of UTC, in seconds, until {@link SCAN_END}. */
interface ZoneOffsets {
  /** By Unix time. */
  readonly ofTimes: Steps;
  /** By local time in seconds, for times that the clocks skip or show twice too. */
  readonly ofLocalTimes: Steps;
  /**
   * By Unix time, for days and longer units. If clocks go back across midnight, the old offset holds until midnight comes
   * again: the day that has begun goes on, as its start is the first one.
   */
  readonly ofDays: Steps;
}

const DAY = 86_400;
const SCAN_START = Date.UTC(1800) / 1000;
/** From here on, no zone has exceptions: the rules of 28 years have been read, and they repeat like the calendar. */
export const SCAN_END = Date.UTC(2129) / 1000;
/** No zone changes its clocks twice within less. */
const SCAN_STEP = 6 * DAY;

const known = new WeakMap<TimeZone, ZoneOffsets>();

/** Returns the offsets of a time zone. Finding them for the first time takes some 25 ms. */
export function getZoneOffsets(timeZone: TimeZone): ZoneOffsets {
  const offsets = known.get(timeZone) ?? deriveOffsets(findChanges(timeZone));
  known.set(timeZone, offsets);
  return offsets;
}

function deriveOffsets(ofTimes: Steps): ZoneOffsets {
  const { limits, values } = ofTimes;
  const move = (to: (change: number, before: number, after: number) => number): Steps => {
    return { limits: limits.map((change, index) => to(change, values[index] ?? 0, values[index + 1] ?? 0)), values };
  };
  return {
    ofTimes,
    // The offset before holds for local times that are skipped, and for the first of those that come twice.
    ofLocalTimes: move((change, before, after) => change + Math.max(before, after)),
    ofDays: move((change, before, after) => {
      const midnight = Math.floor((change + before - 1) / DAY) * DAY;
      return midnight > change + after ? midnight - after : change;
    }),
  };
}

function findChanges(timeZone: TimeZone): Steps {
  let offset = timeZone.readOffset(SCAN_START);
  const [limits, values] = [[] as number[], [offset]];
  for (let time = SCAN_START; time < SCAN_END; time += SCAN_STEP) {
    const next = timeZone.readOffset(time + SCAN_STEP);
    if (next === offset) continue;
    limits.push(findChange(timeZone, time, offset));
    values.push(next);
    offset = next;
  }
  return { limits, values };
}

/** Returns the first second with another offset within a step. */
function findChange(timeZone: TimeZone, start: number, offset: number): number {
  let [before, after] = [start, start + SCAN_STEP];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (timeZone.readOffset(middle) === offset) before = middle;
    else after = middle;
  }
  return after;
}

/** Joins the values of a step function to a balanced tree of branches. */
export function foldSteps<Result>(
  { limits, values }: Steps,
  toLeaf: (value: number) => Result,
  branch: (limit: number, below: Result, fromThere: Result) => Result,
): Result {
  const fold = (from: number, to: number): Result => {
    if (from === to) return toLeaf(values[from] as number);
    const middle = (from + to) >> 1;
    return branch(limits[middle] as number, fold(from, middle), fold(middle + 1, to));
  };
  return fold(0, limits.length);
}

/** Returns the value of a step function. */
export function getStep({ limits, values }: Steps, at: number): number {
  let [from, to] = [0, limits.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((limits[middle] as number) <= at) from = middle + 1;
    else to = middle;
  }
  return values[from] as number;
}
