import { setTimeout as pause } from 'node:timers/promises';

/** A folder is read again during this part of the time at most. */
const REFRESH_SHARE = 0.1;

/** The longest pause of that: nobody waits for long in a large folder. */
const MAX_PAUSE_MS = 1_000;

/** Reads a folder again for all who ask, one time after the other, and not all the time. */
export class Refreshes {
  private refreshing: Promise<void> | undefined;
  /** The one that is yet to begin, for whoever has come since the last one began. */
  private next: Promise<void> | undefined;
  private mayRefreshAt = 0;

  constructor(private readonly refresh: () => Promise<void>) {}

  /** Reads the folder; where it is being read already, that counts. */
  now(): Promise<void> {
    const start = performance.now();
    this.refreshing ??= this.refresh().finally(() => {
      const end = performance.now();
      this.mayRefreshAt = end + Math.min(MAX_PAUSE_MS, (end - start) * (1 / REFRESH_SHARE - 1));
      this.refreshing = undefined;
    });
    return this.refreshing;
  }

  /** Reads all that was there before this was asked for. */
  soon(): Promise<void> {
    this.next ??= this.inTurn();
    return this.next;
  }

  /** Ends when nobody waits for the folder. */
  async finish(): Promise<void> {
    await this.next;
    await this.refreshing;
  }

  private async inTurn(): Promise<void> {
    await this.refreshing?.catch(() => undefined);
    const wait = this.mayRefreshAt - performance.now();
    if (wait > 0) await pause(wait);
    this.next = undefined;
    await this.now();
  }
}
