import { join } from 'node:path';
import { FolderLock } from '../storage/folder-lock.ts';
import { LogWriteError } from '../storage/log-write-error.ts';
import { makeFolder } from '../storage/make-folder.ts';
import { Turns } from '../storage/turns.ts';
import type { RecordKind, Store } from '../store/store.ts';
import { Catalog } from './catalog.ts';
import { DatasetVersion } from './dataset-version.ts';
import { gather } from './gather.ts';
import { importBatch } from './import-batch.ts';
import { removeAbandoned } from './make-version.ts';
import { paths } from './paths.ts';
import { GATHERING_MS, Processor } from './processor.ts';
import type { Dataset, Project } from './project.ts';
import { areEqualHashes, hashSecret } from './secrets.ts';
import { ServiceError } from './service-error.ts';
import type { RemovalReason, ReportEvent } from './service-event.ts';
import type { Version } from './version.ts';
import { newVersion, newVersionId, type StateChange, surplus, withState } from './version-record.ts';

/** How many versions of a dataset are kept. */
const KEPT_VERSIONS = 5;

/** How often surplus versions are removed, and what other processes made is taken in. */
const SWEEP_MS = 10_000;

/** How often at most the folder is read again for a secret or a name that is not known. */
const REFRESH_MS = 1_000;

/** Batches with more characters are read one at a time. */
const LARGE_BATCH = 2 ** 21;

/** What writing fails with where the disk is at fault. */
const NO_ROOM: ReadonlySet<string | undefined> = new Set([
  ...['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EFBIG'],
  ...['EMFILE', 'ENFILE'],
]);

/** What a secret opens: a project, or one dataset of it. */
export interface Access {
  readonly project: Project;
  readonly datasetId?: string;
}

/** A batch of records for a version. */
export interface ImportRequest {
  readonly datasetId: string;
  readonly versionId: string;
  /** The records in base64, as `importBatch` takes them. */
  readonly data: string;
}

interface OpenDataset {
  readonly dataset: Dataset;
  readonly versions: Map<string, DatasetVersion>;
}

interface OpenProject {
  readonly project: Project;
  readonly secretHash: string;
  readonly datasets: Map<string, OpenDataset>;
}

/** The datasets of a data folder: everything that the Datasets interface does, without its transport. */
export class Datasets {
  private readonly catalog: Catalog;
  private readonly processor: Processor;
  private readonly open = new Map<string, OpenProject>();
  /** Versions that are being made or removed, whose folders tell only half. */
  private readonly underway = new Map<string, Promise<unknown>>();
  /** Versions that cannot be opened, which was reported. */
  private readonly unreadable = new Set<string>();
  private readonly largeBatches = new Turns();
  private isClosed = false;
  private refreshing: Promise<void> | undefined;
  private refreshed = 0;
  private sweeps: NodeJS.Timeout | undefined;

  private constructor(
    private readonly folder: string,
    private readonly store: Store,
    private readonly report: ReportEvent,
    private readonly lock: FolderLock,
  ) {
    this.catalog = new Catalog(folder);
    this.processor = new Processor(store, report);
  }

  /**
   * Opens a data folder and its store, which is closed with it, and goes on with what was begun in it.
   *
   * @throws {FolderInUseError} where another process has it open.
   */
  static async open(folder: string, openStore: () => Promise<Store>, report: ReportEvent): Promise<Datasets> {
    await makeFolder(folder);
    const lock = await FolderLock.take(folder);
    const store = await openStore();
    const datasets = new Datasets(folder, store, report, lock);
    await datasets.refresh();
    await removeAbandoned(folder, store);
    datasets.sweeps = setInterval(() => datasets.sweep(), SWEEP_MS);
    return datasets;
  }

  /** What a secret opens; undefined where it opens nothing. How long that takes tells nothing of the secrets. */
  async accessOf(secret: string): Promise<Access | undefined> {
    return this.knownAccess(secret) ?? ((await this.refreshSoon()) ? this.knownAccess(secret) : undefined);
  }

  /** The versions of a dataset, oldest first. */
  async versions(access: Access, token: string, datasetId: string): Promise<Version[]> {
    expectToken(access, token);
    const { versions } = await this.dataset(access, datasetId);
    await this.refreshSoon();
    const shown = [...versions.values()].map((version) => version.show());
    return shown.sort((left, right) => (left.created_at < right.created_at ? -1 : 1));
  }

  /** Makes an empty version, which can be written to. */
  async createVersion(access: Access, token: string, datasetId: string): Promise<Version> {
    expectToken(access, token);
    const { versions } = await this.dataset(access, datasetId);
    const versionId = newVersionId();
    const folder = join(paths.versions(this.folder, access.project.name, datasetId), versionId);
    const record = newVersion(versionId, new Date().toISOString());
    const version = await this.during(versionId, onDisk(DatasetVersion.create(folder, record, this.report)));
    versions.set(versionId, version);
    return version.show();
  }

  /** One version of a dataset. */
  async version(access: Access, token: string, datasetId: string, versionId: string): Promise<Version> {
    expectToken(access, token);
    return (await this.find(access, datasetId, versionId)).show();
  }

  /** Sets what a client may set of a version's state. One that becomes readable is processed in the background. */
  async setState(
    access: Access,
    token: string,
    datasetId: string,
    versionId: string,
    state: StateChange,
  ): Promise<void> {
    expectToken(access, token);
    const version = await this.find(access, datasetId, versionId);
    await onDisk(version.change((record) => withState(record, state, new Date().toISOString())));
    if (version.isDue) this.processor.add(version);
  }

  /** Removes a version: at once for whoever asks for it, its data when no query reads it any more. */
  async deleteVersion(access: Access, token: string, datasetId: string, versionId: string): Promise<void> {
    expectToken(access, token);
    const version = await this.find(access, datasetId, versionId);
    await onDisk(this.remove(version, 'deleted'));
  }

  /** Stores a batch of records durably, all of them or none, and answers how many they are. */
  async importRecords(access: Access, kind: RecordKind, request: ImportRequest): Promise<number> {
    const version = await this.find(access, request.datasetId, request.versionId);
    const lines = await this.linesOf(kind, request.data, access.project.token);
    if (this.isClosed) throw new ServiceError(503, 'Nothing of this is stored: the server stops. Send it again later.');
    await onDisk(version.append(kind, lines));
    if (version.isDue) this.processor.add(version, GATHERING_MS);
    return lines.length;
  }

  /** Finishes what was acknowledged. What is not processed yet is processed when the folder is opened again. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.sweeps);
    await this.refreshing;
    await this.processor.close();
    await Promise.allSettled(this.underway.values());
    for (const { version } of this.all()) await version.close();
    await this.store.close();
    await this.lock.release();
  }

  /** What is read of a large batch takes many times its size: all of them together take it once, and smaller ones wait for none. */
  private linesOf(kind: RecordKind, data: string, token: string): Promise<string[]> {
    const read = () => gather(importBatch(kind, data, token));
    return data.length > LARGE_BATCH ? this.largeBatches.take(read) : read();
  }

  private knownAccess(secret: string): Access | undefined {
    const presented = hashSecret(secret);
    let access: Access | undefined;
    for (const { project, secretHash, datasets } of this.open.values()) {
      if (areEqualHashes(presented, secretHash)) access = { project };
      for (const { dataset } of datasets.values()) {
        if (areEqualHashes(presented, dataset.secretHash)) access = { project, datasetId: dataset.datasetId };
      }
    }
    return access;
  }

  private async dataset(access: Access, datasetId: string): Promise<OpenDataset> {
    if (access.datasetId !== undefined && access.datasetId !== datasetId) {
      throw new ServiceError(401, 'This secret opens another dataset.');
    }
    const find = () => this.open.get(access.project.name)?.datasets.get(datasetId);
    const found = find() ?? ((await this.refreshSoon()) ? find() : undefined);
    if (found === undefined) throw new ServiceError(404, 'There is no such dataset in this project: create it first.');
    return found;
  }

  private async find(access: Access, datasetId: string, versionId: string): Promise<DatasetVersion> {
    const { versions } = await this.dataset(access, datasetId);
    const found = versions.get(versionId) ?? ((await this.refreshSoon()) ? versions.get(versionId) : undefined);
    if (found === undefined) throw new ServiceError(404, 'There is no such version of this dataset.');
    return found;
  }

  /** Takes in what other processes made, unless that was done just now; whether it was done. */
  private async refreshSoon(): Promise<boolean> {
    if (this.refreshing === undefined && Date.now() - this.refreshed < REFRESH_MS) return false;
    await this.refresh();
    return true;
  }

  private refresh(): Promise<void> {
    this.refreshing ??= this.takeIn().finally(() => {
      this.refreshed = Date.now();
      this.refreshing = undefined;
    });
    return this.refreshing;
  }

  private async takeIn(): Promise<void> {
    for (const project of await this.catalog.projects()) {
      const known = this.open.get(project.name);
      const datasets = known?.datasets ?? new Map<string, OpenDataset>();
      if (known === undefined) {
        this.open.set(project.name, { project, secretHash: hashSecret(project.secret), datasets });
      }
      for (const dataset of await this.catalog.datasets(project.name)) {
        const opened = datasets.get(dataset.datasetId) ?? { dataset, versions: new Map() };
        datasets.set(dataset.datasetId, opened);
        await this.takeInVersions(project.name, opened);
      }
    }
  }

  private async takeInVersions(project: string, { dataset, versions }: OpenDataset): Promise<void> {
    const { datasetId } = dataset;
    for (const id of await this.catalog.versions(project, datasetId)) {
      const isKnown = () => versions.has(id) || this.underway.has(id);
      if (isKnown()) continue;
      const version = await this.openVersion(join(paths.versions(this.folder, project, datasetId), id), id);
      // It may have been made, or removed, while its folder was read.
      if (version === undefined || isKnown()) continue;
      if (version.record.deleted) {
        this.finishRemoval(version, 'deleted');
        continue;
      }
      versions.set(id, version);
      if (version.isDue) this.processor.add(version);
    }
  }

  /** A version that cannot be read is left as it is, for people to see to it, and tried again; all others are served. */
  private async openVersion(folder: string, versionId: string): Promise<DatasetVersion | undefined> {
    try {
      const version = await DatasetVersion.open(folder, this.report);
      this.unreadable.delete(versionId);
      return version;
    } catch (error) {
      if (!this.unreadable.has(versionId))
        this.report({ kind: 'version unreadable', version: versionId, error: error as Error });
      this.unreadable.add(versionId);
      return undefined;
    }
  }

  private async sweep(): Promise<void> {
    try {
      await this.refresh();
      for (const project of this.open.values()) {
        for (const { versions } of project.datasets.values()) {
          const records = [...versions.values()].map(({ record }) => record);
          for (const { versionId } of surplus(records, KEPT_VERSIONS)) {
            const version = versions.get(versionId);
            if (version !== undefined) await this.remove(version, 'swept');
          }
        }
      }
    } catch (error) {
      this.report({ kind: 'sweep failed', error: error as Error });
    }
  }

  /** A version is gone as soon as that is on disk. */
  private async remove(version: DatasetVersion, reason: RemovalReason): Promise<void> {
    await version.change((record) => ({ ...record, deleted: true }));
    for (const { versions, version: known } of this.all())
      if (known === version) versions.delete(version.record.versionId);
    this.finishRemoval(version, reason);
  }

  private finishRemoval(version: DatasetVersion, reason: RemovalReason): void {
    const { versionId } = version.record;
    const removal = version.remove(this.store).then(
      () => this.report({ kind: 'removed', version: versionId, reason }),
      (error: Error) => this.report({ kind: 'removal failed', version: versionId, error }),
    );
    this.during(versionId, removal);
  }

  private during<T>(versionId: string, work: Promise<T>): Promise<T> {
    const ended = work.finally(() => this.underway.delete(versionId));
    this.underway.set(versionId, ended);
    return ended;
  }

  private *all(): Generator<{ versions: Map<string, DatasetVersion>; version: DatasetVersion }> {
    for (const { datasets } of this.open.values()) {
      for (const { versions } of datasets.values()) {
        for (const version of versions.values()) yield { versions, version };
      }
    }
  }
}

function expectToken({ project }: Access, token: string): void {
  if (token !== project.token) {
    throw new ServiceError(
      400,
      "Invalid parameter: token. It is this project's token, as `onwhere project list` shows it.",
    );
  }
}

/** Work that writes: a disk that takes no more is told to the client. */
async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!(error instanceof LogWriteError) && !NO_ROOM.has(code)) throw error;
    const message = 'Nothing of this is stored: the server cannot write to its disk. Send it again later.';
    throw new ServiceError(507, message, { cause: error });
  }
}
