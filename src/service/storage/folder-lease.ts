import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { type FolderHold, LeaseLostError } from './folder-hold.ts';
import { FolderInUseError } from './folder-lock.ts';
import type { LeaseNames } from './lease-files.ts';

/** The times of a lease in milliseconds. All processes that share a folder must have the same. */
export interface LeaseTimes {
  /** How often the holder renews it. */
  readonly renew: number;
  /** How long a renewal lets the holder go on. */
  readonly valid: number;
  /** How long others must have seen no renewal before they take it: longer than `valid` on the slowest clock. */
  readonly takeover: number;
}

export const LEASE_TIMES: LeaseTimes = { renew: 2_000, valid: 10_000, takeover: 15_000 };

/** The clocks of a process, in milliseconds. */
interface LeaseClock {
  /** Never goes back, but may stop while the machine sleeps. */
  monotonic(): number;
  /** The time of day, which also jumps when someone sets it. */
  wall(): number;
}

const CLOCK: LeaseClock = { monotonic: () => performance.now(), wall: () => Date.now() };

interface Held {
  readonly term: number;
  readonly renewals: number;
  readonly name: string;
  /** When the last successful renewal began. */
  readonly since: { readonly monotonic: number; readonly wall: number };
}

const FREE = /^(\d+)-free$/;
const TAKEN = /^(\d+)-\d+-(.+)$/;

/** Returns the process that has the lease with this name, as host and process ID; undefined if it is free. */
export function getLeaseHolder(name: string): string | undefined {
  return TAKEN.exec(name)?.[2];
}

/**
 * Lets one process at a time change a folder, also among machines that share a disk. No clocks are compared.
 *
 * The name of the lease says who has had it since when: `7-free`, then `8-0-host-4711`, after the first renewal
 * `8-1-host-4711`, and so on. No name comes twice. Each change names the state that it replaces and fails if there is
 * another, so that only one of several processes succeeds.
 *
 * - The holder renews it. For `valid` milliseconds after the start of a renewal, nobody can take it.
 * - Others take it once they have seen the same name for `takeover` milliseconds on their own clock. The last renewal
 *   began before they first saw the name, so it is no longer valid then.
 * - The holder syncs what it writes, then asserts that it has the lease, then acknowledges it. So the process that takes
 *   the lease next finds everything that was acknowledged.
 */
export class FolderLease implements FolderHold {
  private held: Held | undefined;
  private seen: { readonly name: string; readonly since: number } | undefined;
  private timer: NodeJS.Timeout | undefined;
  private renewal: Promise<void> | undefined;

  constructor(
    private readonly names: LeaseNames,
    private readonly times = LEASE_TIMES,
    private readonly clock = CLOCK,
    private readonly owner = `${hostname().replace(/[^\w.-]/g, '_')}-${process.pid}`,
  ) {}

  /** Whether no other process can have it. */
  get isHeld(): boolean {
    return this.age < this.times.valid;
  }

  assertHeld(): void {
    if (!this.isHeld) throw new LeaseLostError(this.owner);
  }

  /** The process that had it when this one last looked; undefined if none had. */
  get holder(): string | undefined {
    return getLeaseHolder(this.seen?.name ?? '');
  }

  /** Takes the lease if it is free, or if its holder has not renewed it for long enough. Returns whether it did. */
  async tryTake(): Promise<boolean> {
    const name = await this.names.read();
    const term = Number((FREE.exec(name) ?? TAKEN.exec(name))?.[1]);
    if (Number.isNaN(term)) throw new Error(`${name} is not the name of a lease`);
    const now = this.clock.monotonic();
    if (this.seen?.name !== name) this.seen = { name, since: now };
    const isIdle = FREE.test(name) || now - this.seen.since >= this.times.takeover;
    // The process may have been stopped for so long that others have taken it again.
    return isIdle && (await this.moveTo(name, term + 1, 0)) && this.isHeld;
  }

  /** Waits until it can take the lease. Errors of the disk are passed to `report`, and it tries again. */
  async take(signal: AbortSignal, report: (error: Error) => void): Promise<void> {
    while (!(await this.tryTake().catch(report))) await pause(this.times.renew / 2, undefined, { signal });
  }

  /**
   * Takes the lease unless its holder renews it.
   *
   * @throws {FolderInUseError} if it does
   */
  async takeIdle(folder: string): Promise<void> {
    let first: string | undefined;
    while (!(await this.tryTake())) {
      first ??= this.seen?.name;
      if (this.seen?.name !== first) throw new FolderInUseError(folder, this.holder ?? 'another process');
      await pause(this.times.renew / 2);
    }
  }

  /**
   * Renews the lease.
   *
   * @throws {LeaseLostError} if another process has it
   */
  async renew(): Promise<void> {
    const { held } = this;
    if (held === undefined || !(await this.moveTo(held.name, held.term, held.renewals + 1))) {
      this.held = undefined;
      throw new LeaseLostError(this.owner);
    }
  }

  /** Renews the lease until it is released. Calls `onLost` once if that fails for too long. */
  keep(onLost: (error: LeaseLostError) => void): void {
    const lose = () => {
      clearInterval(this.timer);
      this.held = undefined;
      onLost(new LeaseLostError(this.owner));
    };
    this.timer = setInterval(() => {
      if (!this.isHeld) return lose();
      if (this.age < this.times.renew || this.renewal !== undefined) return;
      // After an error of the disk, the next interval tries again, as long as the lease is valid.
      this.renewal = this.renew()
        .catch(() => undefined)
        .finally(() => {
          this.renewal = undefined;
        });
    }, this.times.renew / 4);
    this.timer.unref();
  }

  /** Lets others take the lease at once. The holder must have finished all changes. */
  async release(): Promise<void> {
    clearInterval(this.timer);
    await this.renewal;
    const { held } = this;
    this.held = undefined;
    if (held !== undefined) await this.names.move(held.name, `${held.term}-free`);
  }

  /** How long ago the last successful renewal began, on the clock that says more: each can miss a pause. */
  private get age(): number {
    const { held, clock } = this;
    if (held === undefined) return Number.POSITIVE_INFINITY;
    return Math.max(clock.monotonic() - held.since.monotonic, clock.wall() - held.since.wall);
  }

  private async moveTo(from: string, term: number, renewals: number): Promise<boolean> {
    const since = { monotonic: this.clock.monotonic(), wall: this.clock.wall() };
    const name = `${term}-${renewals}-${this.owner}`;
    if (!(await this.names.move(from, name))) return false;
    this.held = { term, renewals, name, since };
    return true;
  }
}
