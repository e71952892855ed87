import { readdir, readFile, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../storage/make-folder.ts';
import { RecordLog } from '../storage/record-log.ts';
import { replaceFile } from '../storage/replace-file.ts';
import { syncFolder } from '../storage/sync-folder.ts';
import { Turns } from '../storage/turns.ts';
import { RECORD_KINDS, type RecordKind, type Store, type StoredVersion } from '../store/store.ts';
import { ServiceError } from './service-error.ts';
import type { ReportEvent } from './service-event.ts';
import type { Version } from './version.ts';
import { processed, toVersion, type VersionRecord } from './version-record.ts';

const RECORD_FILE = 'version.json';

/** A version with its folder: its record, the logs of what was imported, and what of it the store has. */
export class DatasetVersion {
  private readonly logs = new Map<RecordKind, Promise<RecordLog>>();
  private readonly opened = new Map<RecordKind, RecordLog>();
  private readonly changes = new Turns();
  private readonly work = new Turns();
  private readonly readings = new Set<Promise<unknown>>();
  private isInProcess = false;
  private revisions = 0;

  private constructor(
    readonly folder: string,
    private current: VersionRecord,
    private readonly report: ReportEvent,
  ) {}

  /** Makes a version in a folder of its own. */
  static async create(folder: string, record: VersionRecord, report: ReportEvent): Promise<DatasetVersion> {
    await makeFolder(folder);
    await replaceFile(join(folder, RECORD_FILE), `${JSON.stringify(record)}\n`);
    return new DatasetVersion(folder, record, report);
  }

  /** Opens what a folder holds; undefined where it holds no version. */
  static async open(folder: string, report: ReportEvent): Promise<DatasetVersion | undefined> {
    const path = join(folder, RECORD_FILE);
    if (!(await exists(path))) return undefined;
    const version = new DatasetVersion(folder, JSON.parse(await readFile(path, 'utf8')), report);
    try {
      for (const kind of RECORD_KINDS) {
        if (!version.record.deleted && (await exists(version.logFolder(kind)))) await version.log(kind);
      }
      return version;
    } catch (error) {
      await version.close();
      throw error;
    }
  }

  /** Removes a folder that was made for a version, as long as it holds no more than the beginning of a record. */
  static async removeUnmade(folder: string): Promise<void> {
    await rm(join(folder, `${RECORD_FILE}.tmp`), { force: true });
    // Whatever else is in it stays.
    await rmdir(folder).catch(() => undefined);
  }

  /** What a store knows the version in a folder by. */
  static storedIn(folder: string, versionId: string): StoredVersion {
    return { id: versionId, folder: join(folder, 'store') };
  }

  get record(): VersionRecord {
    return this.current;
  }

  get stored(): StoredVersion {
    return DatasetVersion.storedIn(this.folder, this.current.versionId);
  }

  /** How often what there is to read has changed, at most a moment ago. */
  get revision(): number {
    return this.revisions;
  }

  /** Whether something is imported that is not settled. */
  get hasPending(): boolean {
    return [...this.opened.values()].some(({ isEmpty }) => !isEmpty);
  }

  /** Whether it is to be processed: it is readable, and not all of it can be queried. */
  get isDue(): boolean {
    const { readable, live, deleted } = this.current;
    return readable && !deleted && (!live || this.hasPending);
  }

  /** What is settled is ready when the record says since when, which is a moment after its log is gone. */
  show(): Version {
    return toVersion(this.current, this.hasPending || this.isInProcess);
  }

  /** Stores lines durably, all of them or none. */
  async append(kind: RecordKind, lines: readonly string[]): Promise<void> {
    this.expectWritable();
    try {
      await (await this.log(kind)).append(lines);
    } catch (error) {
      // Its log is closed when it is deleted meanwhile.
      this.expectWritable();
      throw error;
    }
  }

  /** Changes the record; what it was changed to is on disk when this returns. Nothing changes one that is deleted. */
  change(step: (record: VersionRecord) => VersionRecord): Promise<void> {
    return this.changes.take(async () => {
      this.expectThere();
      const next = step(this.current);
      await replaceFile(join(this.folder, RECORD_FILE), `${JSON.stringify(next)}\n`);
      this.current = next;
      this.revisions++;
    });
  }

  /** Settles all that is imported when this is called, and makes the version live. */
  process(store: Store): Promise<void> {
    return this.work.take(async () => {
      this.isInProcess = true;
      try {
        for (const kind of RECORD_KINDS) await this.settle(store, kind);
        if (!this.current.deleted) await this.change((record) => processed(record, new Date().toISOString()));
      } finally {
        this.isInProcess = false;
      }
    });
  }

  /** Removes all there is of a version that its record says is deleted, once nothing reads it. */
  remove(store: Store): Promise<void> {
    return this.work.take(async () => {
      await this.close();
      await store.drop(this.stored);
      // The record comes last: it says that the rest is to be removed, also after a crash.
      const names = await readdir(this.folder);
      for (const name of names.filter((name) => name !== RECORD_FILE)) {
        await rm(join(this.folder, name), { recursive: true, force: true });
      }
      await syncFolder(this.folder);
      await rm(this.folder, { recursive: true, force: true });
    });
  }

  /** Has the version stay as it is on disk until it has been read. */
  keepFor(reading: Promise<unknown>): void {
    const ended = reading.catch(() => undefined);
    this.readings.add(ended);
    ended.then(() => this.readings.delete(ended));
  }

  /** Finishes what is being imported, and what is being read. */
  async close(): Promise<void> {
    for (const log of this.logs.values()) await (await log).close();
    await Promise.all(this.readings);
  }

  private async settle(store: Store, kind: RecordKind): Promise<void> {
    const log = await this.logs.get(kind);
    const segments = (await log?.seal()) ?? [];
    if (segments.length === 0 || this.current.deleted) return;
    try {
      await store.settle(this.stored, kind, segments);
    } finally {
      // What fails may have been done.
      this.revisions++;
    }
    await log?.remove(segments);
  }

  private expectThere(): void {
    const { deleted, versionId } = this.current;
    if (deleted) throw new ServiceError(404, `There is no version ${versionId}.`);
  }

  private expectWritable(): void {
    this.expectThere();
    const { writable, versionId } = this.current;
    if (!writable) {
      const cure = 'Set its state to writable, or create a new version.';
      throw new ServiceError(409, `The version ${versionId} is not writable. ${cure}`);
    }
  }

  private logFolder(kind: RecordKind): string {
    return join(this.folder, kind);
  }

  private log(kind: RecordKind): Promise<RecordLog> {
    const known = this.logs.get(kind);
    if (known !== undefined) return known;
    const opening = this.openLog(kind);
    this.logs.set(kind, opening);
    // A log that could not be opened is tried again by the next request.
    opening.catch(() => this.logs.delete(kind));
    return opening;
  }

  private async openLog(kind: RecordKind): Promise<RecordLog> {
    const version = this.current.versionId;
    const log = await RecordLog.open(this.logFolder(kind), {
      report: (damage) => this.report({ kind: 'log damaged', version, records: kind, damage }),
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
