import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '../../../queries/service-error.ts';
import { SerialQueue } from '../../locks/serial-queue.ts';
import { makeFolder, syncFolder } from '../../storage/files.ts';
import type { FolderHold } from '../../storage/folder-hold.ts';
import type { LogFile } from '../../storage/log-files.ts';
import type { RecordLog } from '../../storage/record-log.ts';
import { NOTHING_FLUSHED, RECORD_KINDS, type RecordKind, type Store, type StoredVersion } from '../../store/store.ts';
import { DamagedVersionError, NewerVersionError } from '../../store/store-error.ts';
import type { ReportEvent } from '../service-event.ts';
import type { Version } from './version.ts';
import { readVersionFile, VERSION_FILE, writeVersionFile } from './version-file.ts';
import { VersionLogs } from './version-logs.ts';
import { markProcessed, toVersion, type VersionRecord } from './version-record.ts';

/** A version and its folder: its record, the logs of its imports, and its data in the store. */
export class DatasetVersion {
  private readonly logs: VersionLogs;
  private readonly changes = new SerialQueue();
  private readonly work = new SerialQueue();
  private readonly readings = new Set<Promise<unknown>>();
  private isInProcess = false;
  private revisions = 0;
  private knownDamage: string | undefined;
  private unreadable = false;

  private constructor(
    readonly folder: string,
    private current: VersionRecord,
    private readonly report: ReportEvent,
    private readonly hold: FolderHold | undefined,
  ) {
    this.logs = new VersionLogs(folder, report, hold);
  }

  /**
   * Creates a version in a new folder.
   *
   * @param hold the right to change the folder, if other machines may take it
   */
  static async create(
    folder: string,
    record: VersionRecord,
    report: ReportEvent,
    hold?: FolderHold,
  ): Promise<DatasetVersion> {
    await makeFolder(folder);
    await writeVersionFile(folder, record, hold);
    return new DatasetVersion(folder, record, report, hold);
  }

  /** Opens the version in a folder, damaged or not. Returns undefined if the folder holds none. */
  static async open(folder: string, report: ReportEvent, hold?: FolderHold): Promise<DatasetVersion | undefined> {
    const file = await readVersionFile(folder);
    if (file === undefined) return undefined;
    const { record, problem } = file;
    const version = new DatasetVersion(folder, record, report, hold);
    if (problem !== undefined) version.markUnreadable(problem);
    else if (!record.deleted) await version.openLogs();
    return version;
  }

  /** Returns the identity under which a store keeps the version in a folder. */
  static storedIn(folder: string, versionId: string): StoredVersion {
    return { id: versionId, folder: join(folder, 'store') };
  }

  get record(): VersionRecord {
    return this.current;
  }

  get stored(): StoredVersion {
    const { versionId, flushed } = this.current;
    return { ...DatasetVersion.storedIn(this.folder, versionId), flushed };
  }

  /**
   * The part that is lost or cannot be read, in words. It stays so until the folder is opened again: nothing is
   * served, added or flushed.
   */
  get damage(): string | undefined {
    return this.knownDamage;
  }

  /** Whether its files could not be read, so that its record is a guess. Opening it again may help. */
  get isUnreadable(): boolean {
    return this.unreadable;
  }

  /** Counts the changes of its readable data. A change may be counted a moment before it is readable. */
  get revision(): number {
    return this.revisions;
  }

  /** Whether it needs processing: it is readable, and part of its data cannot be queried yet. */
  get isDue(): boolean {
    const { readable, live, deleted } = this.current;
    return readable && !deleted && this.knownDamage === undefined && (!live || this.logs.hasPending);
  }

  /** Returns the version for clients. It is ready once its ready time is recorded, shortly after its log is removed. */
  show(): Version {
    return toVersion(this.current, this.logs.hasPending || this.isInProcess, this.knownDamage);
  }

  /**
   * Appends lines durably, all or none.
   *
   * @throws {ServiceError} 404 if the version is deleted, 409 if it is not writable
   */
  async append(kind: RecordKind, lines: readonly string[]): Promise<void> {
    this.assertWritable();
    try {
      const log = await this.logs.open(kind, this.current);
      if (!this.current.logs?.includes(kind)) await this.noteLog(kind, log);
      await log.append(lines);
    } catch (error) {
      // Deleting the version closes its log.
      this.assertWritable();
      throw error;
    }
  }

  /**
   * Changes the record and returns once it is on disk.
   *
   * @throws {ServiceError} 404 if the version is deleted
   */
  change(step: (record: VersionRecord) => VersionRecord): Promise<void> {
    return this.changes.take(async () => {
      this.assertExists();
      await this.write(step(this.current));
      this.revisions++;
    });
  }

  /** Marks the version as damaged and reports it once. */
  note(damage: string, details = ''): void {
    if (this.knownDamage !== undefined) return;
    this.knownDamage = damage;
    this.revisions++;
    this.report({ kind: 'version damaged', version: this.current.versionId, damage, details });
  }

  /** Compares what the store has of it with what was flushed, so that damage is known before someone asks. */
  check(store: Store): Promise<void> {
    return this.work.take(async () => {
      const { deleted, live, flushed } = this.current;
      if (deleted || this.knownDamage !== undefined || (!live && flushed === undefined)) return;
      try {
        const found = await store.readFlushed(this.stored);
        if (flushed === undefined) await this.change((record) => ({ ...record, flushed: found }));
      } catch (error) {
        if (!(error instanceof DamagedVersionError)) throw error;
        this.note(error.damage, error.details);
      }
    });
  }

  /** Flushes all that is imported when this is called, and makes the version live. */
  process(store: Store): Promise<void> {
    return this.work.take(async () => {
      this.isInProcess = true;
      try {
        const files = await this.flushAll(store);
        if (this.current.deleted) return;
        const flushed = await store.readFlushed(this.stored);
        await this.change((record) => markProcessed(record, flushed, new Date().toISOString()));
        // The log is the only other copy: it goes when all that must be found without it is noted.
        for (const [kind, some] of files) await (await this.logs.find(kind))?.remove(some);
      } catch (error) {
        if (error instanceof DamagedVersionError) this.note(error.damage, error.details);
        throw error;
      } finally {
        this.isInProcess = false;
      }
    });
  }

  /** Removes the files and stored data of a deleted version once nothing reads it. */
  remove(store: Store): Promise<void> {
    return this.work.take(async () => {
      await this.close();
      await store.drop(this.stored);
      // Remove the record last: it marks the rest for removal after a crash.
      const names = await readdir(this.folder).catch(() => []);
      for (const name of names.filter((name) => name !== VERSION_FILE)) {
        await rm(join(this.folder, name), { recursive: true, force: true });
      }
      if (names.length > 0) await syncFolder(this.folder);
      await rm(this.folder, { recursive: true, force: true });
    });
  }

  /** Keeps the files on disk until `reading` ends. */
  keepFor(reading: Promise<unknown>): void {
    const ended = reading.catch(() => undefined);
    this.readings.add(ended);
    ended.then(() => this.readings.delete(ended));
  }

  /** Waits for running imports and reads. */
  async close(): Promise<void> {
    await this.logs.close();
    await Promise.all(this.readings);
  }

  /** If the store is damaged before a flush was recorded, the logs still have everything, and it is flushed again. */
  private async flushAll(store: Store): Promise<ReadonlyMap<RecordKind, readonly LogFile[]>> {
    const flush = async () => {
      const files = new Map<RecordKind, readonly LogFile[]>();
      for (const kind of RECORD_KINDS) files.set(kind, await this.flush(store, kind));
      return files;
    };
    try {
      return await flush();
    } catch (error) {
      const { live, flushed = live ? undefined : NOTHING_FLUSHED } = this.current;
      if (!(error instanceof DamagedVersionError) || error instanceof NewerVersionError) throw error;
      if (!isDeepStrictEqual(flushed, NOTHING_FLUSHED)) throw error;
      await store.drop(this.stored);
      return flush();
    }
  }

  /** Flushes a log and returns its files, which may be removed once the flush is recorded. */
  private async flush(store: Store, kind: RecordKind): Promise<readonly LogFile[]> {
    const log = await this.logs.find(kind);
    const files = (await log?.seal()) ?? [];
    const { deleted, versionId } = this.current;
    const { damage } = this.logs;
    if (damage !== undefined) throw new DamagedVersionError(versionId, damage);
    if (files.length === 0 || deleted) return [];
    try {
      await store.flush(this.stored, kind, files);
    } finally {
      // A failed call may have stored data.
      this.revisions++;
    }
    return files;
  }

  private async openLogs(): Promise<void> {
    try {
      await this.logs.openBegun(this.current);
      if (this.logs.damage !== undefined) this.note(this.logs.damage);
    } catch (error) {
      this.markUnreadable('its log cannot be read', (error as Error).message);
    }
  }

  private markUnreadable(problem: string, details?: string): void {
    this.unreadable = true;
    this.note(problem, details);
  }

  private noteLog(kind: RecordKind, log: RecordLog): Promise<void> {
    return this.changes.take(async () => {
      const { logs = [] } = this.current;
      if (logs.includes(kind)) return;
      this.assertExists();
      await log.begin();
      await this.write({ ...this.current, logs: [...logs, kind] });
    });
  }

  private async write(record: VersionRecord): Promise<void> {
    await writeVersionFile(this.folder, record, this.hold);
    this.current = record;
  }

  private assertExists(): void {
    const { deleted, versionId } = this.current;
    if (deleted) throw new ServiceError(404, `There is no version ${versionId}.`);
  }

  private assertWritable(): void {
    this.assertExists();
    const { writable, versionId } = this.current;
    if (!writable) {
      const cure = 'Set its state to writable, or create a new version.';
      throw new ServiceError(409, `The version ${versionId} is not writable. ${cure}`);
    }
  }
}
