import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FolderHold } from '../../storage/folder-hold.ts';
import { RecordLog } from '../../storage/record-log.ts';
import { RECORD_KINDS, type RecordKind } from '../../store/store.ts';
import type { ReportEvent } from '../service-event.ts';
import type { VersionRecord } from './version-record.ts';

/** The logs of a version, one for each kind of record, opened on first use. */
export class VersionLogs {
  private readonly opening = new Map<RecordKind, Promise<RecordLog>>();
  private readonly opened = new Map<RecordKind, RecordLog>();

  constructor(
    private readonly folder: string,
    private readonly report: ReportEvent,
    private readonly hold: FolderHold | undefined,
  ) {}

  /** Whether something is in them that is not flushed. */
  get hasPending(): boolean {
    return [...this.opened.values()].some(({ isEmpty }) => !isEmpty);
  }

  /** Describes the lost parts of the logs; undefined if none is damaged. */
  get damage(): string | undefined {
    const damaged = [...this.opened].filter(([, { lost }]) => lost.length > 0);
    if (damaged.length === 0) return undefined;
    return damaged.map(([kind, { lost }]) => `its log of ${kind} is damaged: ${lost.join(', ')}`).join('; ');
  }

  /** Opens the logs that exist. */
  async openBegun(record: VersionRecord): Promise<void> {
    for (const kind of RECORD_KINDS) {
      if (record.logs?.includes(kind) || (await exists(join(this.folder, kind)))) await this.open(kind, record);
    }
  }

  /** Returns the log of a kind if it was opened. */
  async find(kind: RecordKind): Promise<RecordLog | undefined> {
    return this.opening.get(kind);
  }

  open(kind: RecordKind, record: VersionRecord): Promise<RecordLog> {
    const known = this.opening.get(kind);
    if (known !== undefined) return known;
    const opening = this.openLog(kind, record);
    this.opening.set(kind, opening);
    // Let the next request retry a log that could not be opened.
    opening.catch(() => this.opening.delete(kind));
    return opening;
  }

  /** Waits for running imports and closes the logs. */
  async close(): Promise<void> {
    for (const log of this.opening.values()) await (await log).close();
  }

  private async openLog(kind: RecordKind, { versionId, flushed, logs }: VersionRecord): Promise<RecordLog> {
    const log = await RecordLog.open(join(this.folder, kind), {
      flushed: flushed?.[kind].lastFile ?? '',
      isBegun: logs?.includes(kind) ?? false,
      hold: this.hold,
      report: (damage) => this.report({ kind: 'log damaged', version: versionId, records: kind, damage }),
    });
    this.opened.set(kind, log);
    return log;
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
