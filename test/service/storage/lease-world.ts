import { FolderLease, type LeaseTimes } from '../../../src/service/storage/folder-lease.ts';
import type { LeaseNames } from '../../../src/service/storage/lease-files.ts';

/** A time in which a process does nothing, as after SIGSTOP. */
interface Pause {
  readonly process: number;
  readonly at: number;
  readonly length: number;
}

/** A process whose clock runs at another speed than the real time. */
interface Behaviour {
  readonly rate: number;
  /** The clock of the time of day is set by this much at some time. */
  readonly step: { readonly at: number; readonly by: number };
  /** When it is killed, or stops properly. */
  readonly end: number;
  readonly isKilled: boolean;
}

export interface Plan {
  readonly processes: readonly Behaviour[];
  readonly pauses: readonly Pause[];
  /** The delays before and after the effect of each operation of the disk, in turn. */
  readonly delays: readonly number[];
  /** Which listings are out of date, in turn, by how many names. */
  readonly staleness: readonly number[];
}

export const TIMES: LeaseTimes = { renew: 20, valid: 100, takeover: 150 };

/** The real time until which the world runs. */
export const WORLD_END = 3_000;

/** Something that a process did at a real time. */
export interface Deed {
  readonly process: number;
  readonly time: number;
  readonly kind: 'took' | 'acknowledged' | 'ended';
  /** The records on disk for a process that takes the lease, and the acknowledged ones. */
  readonly records: readonly number[];
}

interface Waiting {
  readonly time: number;
  readonly process: number;
  readonly wake: () => void;
}

/** Processes that share a lease and a log, in simulated time. */
export class LeaseWorld {
  readonly deeds: Deed[] = [];
  private readonly names = ['0-free'];
  private readonly disk: number[] = [];
  private readonly waiting: Waiting[] = [];
  private now = 0;
  private operations = 0;
  private listings = 0;
  private records = 0;

  constructor(
    private readonly plan: Plan,
    private readonly times = TIMES,
  ) {}

  /** Runs all processes to the end. */
  async run(): Promise<readonly Deed[]> {
    for (const process of this.plan.processes.keys()) void this.live(process);
    while (await this.step());
    return this.deeds;
  }

  private async live(process: number): Promise<void> {
    const lease = new FolderLease(this.namesFor(process), this.times, this.clockOf(process), `p${process}`);
    const { end, isKilled } = this.plan.processes[process] as Behaviour;
    while (this.now < end) {
      if (await lease.tryTake()) {
        this.note(process, 'took', [...this.disk]);
        await this.hold(process, lease, end);
        if (this.now >= end && !isKilled) await lease.release();
        this.note(process, 'ended', []);
      }
      await this.sleep(process, this.times.renew / 2);
    }
  }

  /** Acknowledges records while the lease allows it, as a server does: written, synced, then checked. */
  private async hold(process: number, lease: FolderLease, end: number): Promise<void> {
    let renewed = this.now;
    while (this.now < end) {
      if (this.now - renewed >= this.times.renew) {
        renewed = this.now;
        const isLost = await lease.renew().then(
          () => false,
          () => true,
        );
        if (isLost) return;
      }
      const record = ++this.records;
      await this.operate(process, () => this.disk.push(record));
      try {
        lease.assertHeld();
      } catch {
        return;
      }
      this.note(process, 'acknowledged', [record]);
      await this.sleep(process, 5);
    }
  }

  private namesFor(process: number): LeaseNames {
    return {
      read: () =>
        this.operate(process, () => {
          const { staleness } = this.plan;
          const behind = staleness[this.listings++ % staleness.length] ?? 0;
          return this.names[Math.max(0, this.names.length - 1 - behind)] as string;
        }),
      move: (from, to) =>
        this.operate(process, () => {
          if (this.names.at(-1) !== from) return false;
          this.names.push(to);
          return true;
        }),
    };
  }

  private clockOf(process: number) {
    const { rate, step } = this.plan.processes[process] as Behaviour;
    const monotonic = () => this.now * rate;
    return { monotonic, wall: () => monotonic() + (this.now >= step.at ? step.by : 0) };
  }

  /** An operation of the disk takes effect at one moment, some time after it began and before its result arrives. */
  private async operate<Result>(process: number, effect: () => Result): Promise<Result> {
    await this.sleep(process, this.nextDelay());
    const result = effect();
    await this.sleep(process, this.nextDelay());
    return result;
  }

  private nextDelay(): number {
    return this.plan.delays[this.operations++ % this.plan.delays.length] ?? 0;
  }

  private sleep(process: number, length: number): Promise<void> {
    return new Promise((wake) => this.waiting.push({ time: this.now + length, process, wake }));
  }

  /** Goes to the next moment at which a process goes on. A process that was killed never does. */
  private async step(): Promise<boolean> {
    const next = this.waiting
      .map((waiting) => ({ waiting, time: this.afterPauses(waiting) }))
      .filter(({ time, waiting }) => time < WORLD_END && !this.isDead(waiting.process, time))
      .sort((left, right) => left.time - right.time)[0];
    if (next === undefined) return false;
    this.now = Math.max(this.now, next.time);
    this.waiting.splice(this.waiting.indexOf(next.waiting), 1);
    next.waiting.wake();
    await new Promise((resolve) => setImmediate(resolve));
    return true;
  }

  private isDead(process: number, time: number): boolean {
    const { end, isKilled } = this.plan.processes[process] as Behaviour;
    return isKilled && time >= end;
  }

  private afterPauses({ process, time }: Waiting): number {
    const own = this.plan.pauses.filter((pause) => pause.process === process).sort((one, other) => one.at - other.at);
    return own.reduce((until, { at, length }) => (until >= at && until < at + length ? at + length : until), time);
  }

  private note(process: number, kind: Deed['kind'], records: readonly number[]): void {
    this.deeds.push({ process, time: this.now, kind, records });
  }
}
