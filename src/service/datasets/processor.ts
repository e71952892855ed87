import type { Store } from '../store/store.ts';
import type { DatasetVersion } from './dataset-version.ts';
import type { ReportEvent } from './service-event.ts';

/** How long records that come into a live version are gathered before they are settled together. */
export const BATCH_DELAY_MS = 1_000;

/** How long after a failure a version is tried again, doubled with each failure in a row up to the second of these. */
const RETRY_MS = { first: 5_000, most: 60_000 };

interface Appointment {
  readonly at: number;
  readonly failures: number;
}

/** Settles versions in the background, one at a time: each takes what memory and processors there are. */
export class Processor {
  private readonly appointments = new Map<DatasetVersion, Appointment>();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isClosed = false;

  constructor(
    private readonly store: Store,
    private readonly report: ReportEvent,
  ) {}

  /** Has a version processed; not before an appointment that it has after a failure, and none that comes sooner is put off. */
  add(version: DatasetVersion, delay = 0): void {
    const known = this.appointments.get(version);
    const at = Date.now() + delay;
    if (known === undefined || (known.failures === 0 && at < known.at)) {
      this.appointments.set(version, { at, failures: 0 });
    }
    this.wake();
  }

  /** Ends when what is being processed is done; what is not goes on when the service is opened again. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private wake(): void {
    if (this.isClosed || this.running !== undefined) return;
    clearTimeout(this.timer);
    const [next] = [...this.appointments.entries()].sort(([, left], [, right]) => left.at - right.at);
    if (next === undefined) return;
    const [version, { at, failures }] = next;
    this.timer = setTimeout(() => this.start(version, failures), Math.max(0, at - Date.now()));
  }

  private start(version: DatasetVersion, failures: number): void {
    this.appointments.delete(version);
    this.running = this.process(version, failures).finally(() => {
      this.running = undefined;
      this.wake();
    });
  }

  private async process(version: DatasetVersion, failures: number): Promise<void> {
    const { versionId } = version.record;
    const started = performance.now();
    try {
      if (!version.isDue) return;
      await version.process(this.store);
      this.report({ kind: 'processed', version: versionId, milliseconds: performance.now() - started });
      if (version.isDue) this.add(version, BATCH_DELAY_MS);
    } catch (error) {
      // It may have been deleted meanwhile, or the store closed.
      if (!version.isDue || this.isClosed) return;
      this.report({ kind: 'processing failed', version: versionId, error: error as Error });
      const delay = Math.min(RETRY_MS.first * 2 ** failures, RETRY_MS.most);
      this.appointments.set(version, { at: Date.now() + delay, failures: failures + 1 });
    }
  }
}
