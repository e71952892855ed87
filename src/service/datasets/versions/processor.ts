import type { Store } from '../../store/store.ts';
import type { ReportEvent } from '../service-event.ts';
import type { DatasetVersion } from './dataset-version.ts';

/** How long records that come into a live version are gathered before they are flushed together. */
export const BATCH_DELAY_MS = 1_000;

/** The delay before a retry, which doubles with each failure in a row up to the maximum. */
const RETRY_MS = { first: 5_000, max: 60_000 };

interface Schedule {
  readonly at: number;
  readonly failures: number;
}

/** Flushes versions in the background, one at a time: each takes what memory and processors there are. */
export class Processor {
  private readonly schedules = new Map<DatasetVersion, Schedule>();
  /** When versions began to wait for a flush, in milliseconds since 1970. */
  private readonly dueSince = new Map<DatasetVersion, number>();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  /** The versions whose properties are being promoted. */
  private readonly optimizing = new Set<DatasetVersion>();
  private isClosed = false;

  constructor(
    private readonly store: Store,
    private readonly report: ReportEvent,
  ) {}

  /** How long the version that waits longest for a flush has waited, in milliseconds; 0 if none waits. */
  get lag(): number {
    const now = Date.now();
    return [...this.dueSince.values()].reduce((longest, since) => Math.max(longest, now - since), 0);
  }

  /** Schedules a version for processing. Keeps an earlier time, and the retry time after a failure. */
  add(version: DatasetVersion, delay = 0): void {
    if (!this.dueSince.has(version)) this.dueSince.set(version, Date.now());
    const known = this.schedules.get(version);
    const at = Date.now() + delay;
    if (known === undefined || (known.failures === 0 && at < known.at)) {
      this.schedules.set(version, { at, failures: 0 });
    }
    this.wake();
  }

  /** Waits for the version being processed. The others are processed when the folder is opened again. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private wake(): void {
    if (this.isClosed || this.running !== undefined) return;
    clearTimeout(this.timer);
    const [next] = [...this.schedules.entries()].sort(([, left], [, right]) => left.at - right.at);
    if (next === undefined) return;
    const [version, { at, failures }] = next;
    this.timer = setTimeout(() => this.start(version, failures), Math.max(0, at - Date.now()));
  }

  private start(version: DatasetVersion, failures: number): void {
    this.schedules.delete(version);
    this.running = this.process(version, failures).finally(() => {
      this.running = undefined;
      this.wake();
    });
  }

  private async process(version: DatasetVersion, failures: number): Promise<void> {
    const { versionId } = version.record;
    const started = performance.now();
    const begun = Date.now();
    try {
      if (!version.isDue) return;
      await version.process(this.store);
      // Records that came later wait from now on.
      this.dueSince.set(version, begun);
      this.report({ kind: 'processed', version: versionId, milliseconds: performance.now() - started });
      if (version.isDue) this.add(version, BATCH_DELAY_MS);
      void this.optimize(version);
    } catch (error) {
      // It may have been deleted, or the store closed, meanwhile.
      if (!version.isDue || this.isClosed) return;
      this.report({ kind: 'processing failed', version: versionId, error: error as Error });
      const delay = Math.min(RETRY_MS.first * 2 ** failures, RETRY_MS.max);
      this.schedules.set(version, { at: Date.now() + delay, failures: failures + 1 });
    } finally {
      if (!version.isDue) this.dueSince.delete(version);
    }
  }

  /** Makes queries of a version faster, while further flushes go on. */
  private async optimize(version: DatasetVersion): Promise<void> {
    const { record } = version;
    if (this.optimizing.has(version)) return;
    this.optimizing.add(version);
    const started = performance.now();
    try {
      let parts = 0;
      while (!this.isClosed && (await this.store.optimize?.(version.stored))) parts++;
      const { versionId } = record;
      if (parts > 0) this.report({ kind: 'optimized', version: versionId, milliseconds: performance.now() - started });
    } catch (error) {
      if (version.record.deleted || this.isClosed) return;
      this.report({ kind: 'optimization failed', version: record.versionId, error: error as Error });
    } finally {
      this.optimizing.delete(version);
    }
  }
}
