import { setTimeout as pause } from 'node:timers/promises';

/** The maximum share of the time spent reading the folder. */
const REFRESH_SHARE = 0.1;

/** The maximum pause, so that no one waits for long in a large folder. */
const MAX_PAUSE_MS = 1_000;

/** Refreshes a folder for all callers, one refresh at a time and with pauses. */
export class Refreshes {
  private refreshing: Promise<void> | undefined;
  /** The next refresh, for callers that came after the current one started. */
  private next: Promise<void> | undefined;
  private mayRefreshAt = 0;

  constructor(private readonly refresh: () => Promise<void>) {}

  /** Refreshes the folder, or joins the running refresh. */
  now(): Promise<void> {
    const start = performance.now();
    this.refreshing ??= this.refresh().finally(() => {
      const end = performance.now();
      this.mayRefreshAt = end + Math.min(MAX_PAUSE_MS, (end - start) * (1 / REFRESH_SHARE - 1));
      this.refreshing = undefined;
    });
    return this.refreshing;
  }

  /** Waits for a refresh that starts after this call. */
  soon(): Promise<void> {
    this.next ??= this.runNext();
    return this.next;
  }

  /** Waits for all pending refreshes. */
  async finish(): Promise<void> {
    await this.next;
    await this.refreshing;
  }

  private async runNext(): Promise<void> {
    await this.refreshing?.catch(() => undefined);
    const wait = this.mayRefreshAt - performance.now();
    if (wait > 0) await pause(wait);
    this.next = undefined;
    await this.now();
  }
}
