const DAY = 86_400;

/** A time zone remembers its offsets around as many days. */
const MAX_DAYS = 10_000;

/** A time zone of the IANA database. */
export class TimeZone {
  /** The offsets at the start of the day before each day, and at the end of the day after it. */
  private readonly days = new Map<number, readonly [before: number, after: number]>();

  constructor(private readonly format: Intl.DateTimeFormat) {}

  /** Returns how far the clocks are ahead of UTC at a time in Unix seconds, in seconds. */
  readOffset(time: number): number {
    // The text is like `6/1/2025, GMT-03:30`.
    const [, sign, ...parts] = /([+-])(..):(..):?(..)?$/.exec(this.format.format(time * 1000)) ?? [];
    return parts.reduce((sum, part) => sum * 60 + Number(part ?? 0), 0) * (sign === '-' ? -1 : 1);
  }

  /**
   * Converts a local time in seconds to Unix seconds. A time that the clocks skip is read with the offset before the
   * change, and one that comes twice is the first (language, section 4, rule 10).
   */
  toUnixSeconds(local: number): number {
    const day = Math.floor(local / DAY);
    let around = this.days.get(day);
    if (around === undefined) {
      if (this.days.size >= MAX_DAYS) this.days.clear();
      around = [this.readOffset((day - 1) * DAY), this.readOffset((day + 2) * DAY)];
      this.days.set(day, around);
    }
    // No zone changes its clocks twice within these three days.
    const [before, after] = around;
    if (before === after || this.readOffset(local - before) === before) return local - before;
    return local - (this.readOffset(local - after) === after ? after : before);
  }
}

/** `europe/PARIS` is a name too. */
const MAX_ZONES = 1_000;

const zones = new Map<string, TimeZone>();

/**
 * Returns a time zone by its name; undefined for `UTC`.
 *
 * @throws {RangeError} if there is no such time zone.
 */
export function findTimeZone(name: string): TimeZone | undefined {
  if (name === 'UTC') return undefined;
  let zone = zones.get(name);
  if (zone === undefined) {
    zone = new TimeZone(new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' }));
    if (zones.size >= MAX_ZONES) zones.clear();
    zones.set(name, zone);
  }
  return zone;
}

/** Returns whether there is a time zone of this name. */
export function isTimeZone(name: string): boolean {
  try {
    findTimeZone(name);
    return true;
  } catch {
    return false;
  }
}
