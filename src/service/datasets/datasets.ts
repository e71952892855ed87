import { setTimeout as pause } from 'node:timers/promises';
import { check } from '../../api/expressions.ts';
import { getCurrentTime } from '../../base/current-time.ts';
import { type Access, assertPermission, assertToken } from '../../queries/access.ts';
import { ServiceError } from '../../queries/service-error.ts';
import type { DatasetFilter } from '../../queries/services.ts';
import { SerialQueue } from '../locks/serial-queue.ts';
import { collectYielding } from '../locks/yield-to-event-loop.ts';
import { makeFolder } from '../storage/files.ts';
import type { FolderLease } from '../storage/folder-lease.ts';
import { type LockedFolder, lockFolder } from '../storage/lock-folder.ts';
import { reportFullDisk } from '../storage/report-full-disk.ts';
import { filterSnapshot } from '../store/filter-snapshot.ts';
import type { StoreFiles } from '../store/open-store.ts';
import type { RecordKind, Store } from '../store/store.ts';
import { DamagedVersionError } from '../store/store-error.ts';
import type { SnapshotOptions, StoreSnapshot } from '../store/store-snapshot.ts';
import type { Project } from './catalog/project.ts';
import { hashSecret, listSigningSecrets } from './catalog/secrets.ts';
import type { TellDamage } from './files/errors.ts';
import { paths } from './files/paths.ts';
import { importBatch } from './imports/import-batch.ts';
import { findDataset, findQueriedDatasets, findVersion } from './open/find-datasets.ts';
import { measureVersions, type VersionSize } from './open/measure-versions.ts';
import { OpenDatasets } from './open/open-datasets.ts';
import type { OpenProject } from './open/open-project.ts';
import { assertSound, createDamageError, selectVersions } from './open/select-versions.ts';
import type { ReportEvent } from './service-event.ts';
import { LIVE } from './versions/await-live.ts';
import { removeAbandoned } from './versions/make-version.ts';
import { BATCH_DELAY_MS, Processor } from './versions/processor.ts';
import type { DatasetListing, Version } from './versions/version.ts';
import {
  changeState,
  chooseCreationTime,
  createVersionId,
  createVersionRecord,
  type StateChange,
} from './versions/version-record.ts';

/** Longer batches, in characters, are parsed one at a time. */
const LARGE_BATCH = 2 ** 21;

/** How long a flush may go on when the folder is closed: what is not done then is done again when it is opened. */
const CLOSE_MS = 5_000;

/** A project and the secrets that its requests are signed with. */
export interface Signers {
  readonly project: Project;
  /** Undefined if the project refuses signatures. */
  readonly secrets: readonly string[];
}

/** A batch of records to import into a version. */
export interface ImportRequest {
  readonly datasetId: string;
  readonly versionId: string;
  /** The records in base64, in the format of `importBatch`. */
  readonly data: string;
}

/** Manages the datasets of a data folder: all operations of the Datasets API, without HTTP. */
export class Datasets {
  private readonly largeBatches = new SerialQueue();
  private isClosed = false;

  private constructor(
    private readonly open: OpenDatasets,
    private readonly store: Store,
    private readonly processor: Processor,
    private readonly lock: LockedFolder,
  ) {}

  /**
   * Opens a data folder and its store and resumes unfinished work. Closing the datasets closes the store.
   *
   * @param lease the lease of the folder, if servers share it and this process has it
   * @throws {FolderInUseError} if another process has the folder open
   */
  static async open(
    folder: string,
    openStore: (files: StoreFiles) => Promise<Store>,
    report: ReportEvent,
    lease?: FolderLease,
  ): Promise<Datasets> {
    await makeFolder(folder);
    let reply = async (_: string) => 'not yet';
    const lock = await lockFolder(folder, (line) => reply(line), lease);
    let store: Store | undefined;
    try {
      store = await openStore({ temporaryFolder: paths.temporary(folder), copiesFile: paths.copies(folder) });
      const processor = new Processor(store, report);
      const open = new OpenDatasets(folder, store, processor, report, lock.lease);
      await open.refreshSoon();
      await removeAbandoned(folder, store);
      open.startSweeping();
      const datasets = new Datasets(open, store, processor, lock);
      reply = (line) => datasets.replyTo(line);
      return datasets;
    } catch (error) {
      await store?.close();
      await lock.release();
      throw error;
    }
  }

  /** Returns the access that a secret gives; undefined if none. The time it takes reveals nothing about the secrets. */
  async accessOf(secret: string): Promise<Access | undefined> {
    const hash = hashSecret(secret);
    const found = await this.open.findCurrent(
      () => {
        let known: ReturnType<OpenProject['find']>;
        for (const project of this.open.projects) known = project.find(hash) ?? known;
        return known;
      },
      ({ access, file }) => [this.open.projectFile(access.project.name), file],
    );
    return found?.access;
  }

  /** Returns the project with a token and its signing secrets; undefined if there is none. */
  async signersOf(token: string): Promise<Signers | undefined> {
    const project = await this.open.findCurrent(
      () => [...this.open.projects].find(({ project }) => project?.token === token)?.project,
      ({ name }) => [this.open.projectFile(name)],
    );
    return project && { project, secrets: listSigningSecrets(project, Date.now()) };
  }

  /**
   * Returns the datasets that the access is for, by name.
   *
   * @throws {ServiceError} 401 if it is not for queries, 503 if a dataset is damaged
   */
  async list(access: Access): Promise<DatasetListing[]> {
    const datasets = await findQueriedDatasets(this.open, access, {});
    return datasets.map(({ datasetId, versions }) => {
      return { datasetId, versions: versions.map((version) => version.show()).reverse() };
    });
  }

  /** Returns the versions of a dataset, oldest first. */
  async versions(access: Access, token: string, datasetId: string): Promise<Version[]> {
    assertPermission(access, 'datasets');
    assertToken(access, token);
    const dataset = await findDataset(this.open, access, datasetId);
    await this.open.refreshSoon();
    return dataset.versions.map((version) => version.show());
  }

  /** Creates an empty, writable version. */
  async createVersion(access: Access, token: string, datasetId: string): Promise<Version> {
    assertPermission(access, 'datasets');
    assertToken(access, token);
    const dataset = await findDataset(this.open, access, datasetId);
    const records = dataset.versions.map(({ record }) => record);
    const record = createVersionRecord(createVersionId(), chooseCreationTime(records));
    return (await reportFullDisk(this.open.versions.create(access.project.name, dataset, record))).show();
  }

  /** Returns one version of a dataset. */
  async version(access: Access, token: string, datasetId: string, versionId: string): Promise<Version> {
    assertPermission(access, 'datasets');
    assertToken(access, token);
    return (await findVersion(this.open, access, datasetId, versionId)).show();
  }

  /** Sets the state of a version. A version that becomes readable is processed in the background. */
  async setState(
    access: Access,
    token: string,
    datasetId: string,
    versionId: string,
    state: StateChange,
  ): Promise<void> {
    assertPermission(access, 'datasets');
    assertToken(access, token);
    const version = await findVersion(this.open, access, datasetId, versionId);
    if (version.isUnreadable || state.readable) assertSound(datasetId, version);
    await reportFullDisk(version.change((record) => changeState(record, state, new Date().toISOString())));
    if (version.isDue) this.processor.add(version);
  }

  /** Deletes a version. It disappears at once; its data is removed once no query reads it. */
  async deleteVersion(access: Access, token: string, datasetId: string, versionId: string): Promise<void> {
    assertPermission(access, 'datasets');
    assertToken(access, token);
    const dataset = await findDataset(this.open, access, datasetId);
    const version = await findVersion(this.open, access, datasetId, versionId);
    await reportFullDisk(this.open.versions.remove(dataset, version, 'deleted'));
  }

  /** Stores a batch of records durably, all or none, and returns its lines in the log. */
  async importRecords(access: Access, kind: RecordKind, request: ImportRequest): Promise<readonly string[]> {
    assertPermission(access, 'import');
    const version = await findVersion(this.open, access, request.datasetId, request.versionId);
    assertSound(request.datasetId, version);
    const lines = await this.parseLines(kind, request.data, access.project.token);
    if (this.isClosed) throw new ServiceError(503, 'Nothing of this is stored: the server stops. Send it again later.');
    await reportFullDisk(version.append(kind, lines));
    if (version.isDue) this.processor.add(version, BATCH_DELAY_MS);
    return lines;
  }

  /**
   * Runs `work` on a snapshot of the newest live version of each dataset, or of the given dataset or version. The
   * snapshot stays readable until `work` ends, even if a version is deleted meanwhile.
   *
   * @throws {ServiceError} with `missing` if the dataset or version does not exist; 503 if one is damaged
   */
  async read<Result>(
    access: Access,
    filter: DatasetFilter,
    work: (snapshot: StoreSnapshot) => Promise<Result>,
    options?: SnapshotOptions,
  ): Promise<Result> {
    const datasets = await findQueriedDatasets(this.open, access, filter);
    if (this.isClosed) throw new ServiceError(503, 'The server stops. Ask again later.');
    // No await between the selection and the read, so that no version is removed meanwhile.
    const versions = datasets.flatMap((dataset) => selectVersions(dataset, filter.versionId));
    const stored = versions.map((version) => version.stored);
    const { where, project } = access;
    const moment = { now: getCurrentTime(), timeZone: project.timeZone };
    const filtered = where === undefined ? work : (all: StoreSnapshot) => work(filterSnapshot(all, where, moment));
    const reading = this.store.read(stored, filtered, options);
    for (const version of versions) version.keepFor(reading);
    try {
      return await reading;
    } catch (error) {
      if (!(error instanceof DamagedVersionError)) throw error;
      const { versionId, damage, details } = error;
      versions.find(({ record }) => record.versionId === versionId)?.note(damage, details);
      const dataset = datasets.find((one) => one.find(versionId) !== undefined);
      throw createDamageError(`Dataset ${dataset?.datasetId}, version ${versionId}`, damage);
    }
  }

  /** The number of damaged versions. */
  get damagedVersions(): number {
    return this.open.damagedVersions;
  }

  /** How long the records have waited that wait longest for a flush, in milliseconds; 0 if none wait. */
  get flushLag(): number {
    return this.processor.lag;
  }

  /** Measures all versions, largest first. */
  measureVersions(): Promise<readonly VersionSize[]> {
    return measureVersions(this.open.projects);
  }

  /** Reports a catalog file that cannot be read, once. */
  get tellDamage(): TellDamage {
    return this.open.damaged.tell;
  }

  /**
   * Returns a string that identifies the data that `read` would return. It changes with the data and never repeats
   * while the folder is open.
   *
   * Data read later is at least as new, so a result may be cached under the string returned before the read.
   *
   * @throws {ServiceError} like `read`
   */
  async stateOf(access: Access, filter: DatasetFilter): Promise<string> {
    const datasets = await findQueriedDatasets(this.open, access, filter);
    const revisions = datasets.map(({ serial, revision }) => [serial, revision]);
    const { where = null } = access;
    // A filter that reads the time selects different data each second.
    const moment = where !== null && check(where).readsTime ? getCurrentTime() : null;
    return JSON.stringify([access.project.id, filter.versionId ?? null, revisions, where, moment]);
  }

  /**
   * Returns a string that identifies the versions that `read` would return. Imports into them do not change it.
   *
   * @throws {ServiceError} like `read`
   */
  async versionsOf(access: Access, filter: DatasetFilter): Promise<string> {
    const datasets = await findQueriedDatasets(this.open, access, filter);
    const versions = datasets.flatMap((dataset) => selectVersions(dataset, filter.versionId));
    return JSON.stringify(versions.map(({ record }) => record.versionId).sort());
  }

  /**
   * Completes acknowledged requests and closes the store. Unprocessed data is processed when the folder is opened
   * again.
   */
  async close(): Promise<void> {
    this.isClosed = true;
    const closed = this.open.close();
    await Promise.race([closed, pause(CLOSE_MS, undefined, { ref: false })]);
    await this.store.close();
    await closed;
    await this.lock.release();
  }

  /**
   * Parses a batch. A large one takes many times its size in memory, so large ones are parsed one at a time; small ones
   * never wait.
   */
  private parseLines(kind: RecordKind, data: string, token: string): Promise<string[]> {
    const read = () => collectYielding(importBatch(kind, data, token));
    return data.length > LARGE_BATCH ? this.largeBatches.take(read) : read();
  }

  /** Tells a command whether queries read the version that it has just created. */
  private async replyTo(line: string): Promise<string> {
    const { project, datasetId, versionId } = JSON.parse(line);
    await this.open.refreshSoon();
    const live = this.open.project(project)?.datasets.get(datasetId)?.live;
    return live?.record.versionId === versionId && live?.damage === undefined ? LIVE : 'not yet';
  }
}
