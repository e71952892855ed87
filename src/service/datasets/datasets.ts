import { setTimeout as pause } from 'node:timers/promises';
import { getCurrentTime } from '../../lang/util/current-time.ts';
import { SerialQueue } from '../../lang/util/serial-queue.ts';
import { makeFolder } from '../storage/files.ts';
import { FolderLock } from '../storage/folder-lock.ts';
import { filterSnapshot } from '../store/filter-snapshot.ts';
import type { RecordKind, Store } from '../store/store.ts';
import { DamagedVersionError } from '../store/store-error.ts';
import type { SnapshotOptions, StoreSnapshot } from '../store/store-snapshot.ts';
import { type Access, assertScope, assertToken } from './access.ts';
import { LIVE } from './await-live.ts';
import { collectYielding } from './collect-yielding.ts';
import type { DatasetVersion } from './dataset-version.ts';
import type { TellDamage } from './errors.ts';
import { ServiceError } from './errors.ts';
import { importBatch } from './import-batch.ts';
import { removeAbandoned } from './make-version.ts';
import type { OpenDataset } from './open-dataset.ts';
import { OpenDatasets } from './open-datasets.ts';
import type { OpenProject } from './open-project.ts';
import { paths } from './paths.ts';
import { BATCH_DELAY_MS, Processor } from './processor.ts';
import type { Project } from './project.ts';
import { reportFullDisk } from './report-full-disk.ts';
import { hashSecret, listSigningSecrets } from './secrets.ts';
import { assertReadable, assertSound, createDamageError, selectVersions } from './select-versions.ts';
import type { ReportEvent } from './service-event.ts';
import type { Version } from './version.ts';
import {
  changeState,
  chooseCreationTime,
  createVersionId,
  createVersionRecord,
  type StateChange,
} from './version-record.ts';

/** Batches with more characters are read one at a time. */
const LARGE_BATCH = 2 ** 21;

/** How long a settle may go on when the folder is closed: what is not done then is done again when it is opened. */
const SETTLING_MS = 5_000;

/** A project and the secrets that its requests are signed with. */
export interface Signers {
  readonly project: Project;
  /** None where the project refuses signatures. */
  readonly secrets: readonly string[];
}

/** A batch of records for a version. */
export interface ImportRequest {
  readonly datasetId: string;
  readonly versionId: string;
  /** The records in base64, as `importBatch` takes them. */
  readonly data: string;
}

/** What a question is about, where that is not all of a project. */
export interface DatasetFilter {
  readonly datasetId?: string;
  /** A readable version, live or not. */
  readonly versionId?: string;
}

/** The datasets of a data folder: everything that the Datasets interface does, without its transport. */
export class Datasets {
  private readonly largeBatches = new SerialQueue();
  private isClosed = false;

  private constructor(
    private readonly open: OpenDatasets,
    private readonly store: Store,
    private readonly processor: Processor,
    private readonly lock: FolderLock,
  ) {}

  /**
   * Opens a data folder and its store, which is closed with it, and goes on with what was begun in it.
   *
   * @throws {FolderInUseError} where another process has it open.
   */
  static async open(
    folder: string,
    openStore: (temporaryFolder: string) => Promise<Store>,
    report: ReportEvent,
  ): Promise<Datasets> {
    await makeFolder(folder);
    let answer = async (_: string) => 'not yet';
    const lock = await FolderLock.take(folder, (line) => answer(line));
    const store = await openStore(paths.temporary(folder));
    const processor = new Processor(store, report);
    const open = new OpenDatasets(folder, store, processor, report);
    await open.refreshSoon();
    await removeAbandoned(folder, store);
    open.startSweeping();
    const datasets = new Datasets(open, store, processor, lock);
    answer = (line) => datasets.answerLine(line);
    return datasets;
  }

  /** What a secret opens; undefined where it opens nothing. How long that takes tells nothing of the secrets. */
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

  /** The project that has a token, and the secrets that requests are signed with; undefined where none has it. */
  async signersOf(token: string): Promise<Signers | undefined> {
    const project = await this.open.findCurrent(
      () => [...this.open.projects].find(({ project }) => project?.token === token)?.project,
      ({ name }) => [this.open.projectFile(name)],
    );
    return project && { project, secrets: listSigningSecrets(project, Date.now()) };
  }

  /** The versions of a dataset, oldest first. */
  async versions(access: Access, token: string, datasetId: string): Promise<Version[]> {
    assertScope(access, 'datasets');
    assertToken(access, token);
    const dataset = await this.dataset(access, datasetId);
    await this.open.refreshSoon();
    return dataset.versions.map((version) => version.show());
  }

  /** Makes an empty version, which can be written to. */
  async createVersion(access: Access, token: string, datasetId: string): Promise<Version> {
    assertScope(access, 'datasets');
    assertToken(access, token);
    const dataset = await this.dataset(access, datasetId);
    const records = dataset.versions.map(({ record }) => record);
    const record = createVersionRecord(createVersionId(), chooseCreationTime(records));
    return (await reportFullDisk(this.open.versions.create(access.project.name, dataset, record))).show();
  }

  /** One version of a dataset. */
  async version(access: Access, token: string, datasetId: string, versionId: string): Promise<Version> {
    assertScope(access, 'datasets');
    assertToken(access, token);
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
    assertScope(access, 'datasets');
    assertToken(access, token);
    const version = await this.find(access, datasetId, versionId);
    if (version.isUnopened || state.readable) assertSound(datasetId, version);
    await reportFullDisk(version.change((record) => changeState(record, state, new Date().toISOString())));
    if (version.isDue) this.processor.add(version);
  }

  /** Removes a version: at once for whoever asks for it, its data when no query reads it any more. */
  async deleteVersion(access: Access, token: string, datasetId: string, versionId: string): Promise<void> {
    assertScope(access, 'datasets');
    assertToken(access, token);
    const dataset = await this.dataset(access, datasetId);
    const version = await this.find(access, datasetId, versionId);
    await reportFullDisk(this.open.versions.remove(dataset, version, 'deleted'));
  }

  /** Stores a batch of records durably, all of them or none, and answers how many they are. */
  async importRecords(access: Access, kind: RecordKind, request: ImportRequest): Promise<number> {
    assertScope(access, 'import');
    const version = await this.find(access, request.datasetId, request.versionId);
    assertSound(request.datasetId, version);
    const lines = await this.linesOf(kind, request.data, access.project.token);
    if (this.isClosed) throw new ServiceError(503, 'Nothing of this is stored: the server stops. Send it again later.');
    await reportFullDisk(version.append(kind, lines));
    if (version.isDue) this.processor.add(version, BATCH_DELAY_MS);
    return lines.length;
  }

  /**
   * Lends what questions are about, as it is at one moment: the newest live version of each dataset, or a version that
   * is named. It stays until the work is done, also where it is deleted meanwhile.
   *
   * @throws {ServiceError} with what is `missing`, for a dataset or a version that there is not; 503 where one is
   * damaged.
   */
  async read<Result>(
    access: Access,
    narrowing: DatasetFilter,
    work: (reading: StoreSnapshot) => Promise<Result>,
    options?: SnapshotOptions,
  ): Promise<Result> {
    const datasets = await this.narrowed(access, narrowing);
    if (this.isClosed) throw new ServiceError(503, 'The server stops. Ask again later.');
    // Nothing happens between the choice and the reading, so that no version goes meanwhile.
    const versions = datasets.flatMap((dataset) => selectVersions(dataset, narrowing.versionId));
    const stored = versions.map((version) => version.stored);
    const { where } = access;
    const filtered =
      where === undefined ? work : (all: StoreSnapshot) => work(filterSnapshot(all, where, getCurrentTime()));
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

  /** How many versions are damaged. */
  get damagedVersions(): number {
    return this.open.damagedVersions;
  }

  /** Tells that a file of a project cannot be read, once. */
  get tellDamage(): TellDamage {
    return this.open.damaged.tell;
  }

  /**
   * Returns a text that stands for the data that `read` would lend. It is another one after each change, and never
   * comes again while the folder is open. Data that are read later are as new as the text or newer: an answer may be
   * kept under the text that was asked for before it was read.
   *
   * @throws {ServiceError} as `read`.
   */
  async stateOf(access: Access, narrowing: DatasetFilter): Promise<string> {
    const datasets = await this.narrowed(access, narrowing);
    const revisions = datasets.map(({ serial, revision }) => [serial, revision]);
    const { where = null } = access;
    // A filter that reads the time, or looks as if it did, is another one each second.
    const moment = /now/i.test(where ?? '') ? getCurrentTime() : null;
    return JSON.stringify([access.project.id, narrowing.versionId ?? null, revisions, where, moment]);
  }

  /** Finishes what was acknowledged. What is not processed yet is processed when the folder is opened again. */
  async close(): Promise<void> {
    this.isClosed = true;
    const closed = this.open.close();
    await Promise.race([closed, pause(SETTLING_MS, undefined, { ref: false })]);
    await this.store.close();
    await closed;
    await this.lock.release();
  }

  /**
   * Reads the lines of a batch. Those of a large one take many times its size: large ones come one after the other, and
   * smaller ones wait for none.
   */
  private linesOf(kind: RecordKind, data: string, token: string): Promise<string[]> {
    const read = () => collectYielding(importBatch(kind, data, token));
    return data.length > LARGE_BATCH ? this.largeBatches.take(read) : read();
  }

  private async dataset(access: Access, datasetId: string): Promise<OpenDataset> {
    if (access.datasetId !== undefined && access.datasetId !== datasetId) {
      throw new ServiceError(401, 'This secret opens another dataset.');
    }
    const found = await this.open.dataset(access.project.name, datasetId);
    if (found !== undefined) return found;
    assertReadable(this.open.project(access.project.name), datasetId);
    throw new ServiceError(404, 'There is no such dataset in this project: create it first.', { missing: 'dataset' });
  }

  /** Says whether queries read a version that a command has just made. */
  private async answerLine(line: string): Promise<string> {
    const { project, datasetId, versionId } = JSON.parse(line);
    await this.open.refreshSoon();
    const live = this.open.project(project)?.datasets.get(datasetId)?.live;
    return live?.record.versionId === versionId && live?.damage === undefined ? LIVE : 'not yet';
  }

  private async find(access: Access, datasetId: string, versionId: string): Promise<DatasetVersion> {
    const dataset = await this.dataset(access, datasetId);
    const found = await this.open.find(() => dataset.find(versionId));
    if (found === undefined) throw new ServiceError(404, 'There is no such version of this dataset.');
    return found;
  }

  /** The datasets that questions are about. */
  private async narrowed(
    access: Access,
    { datasetId = access.datasetId, versionId }: DatasetFilter,
  ): Promise<readonly OpenDataset[]> {
    assertScope(access, 'query');
    const one = datasetId === undefined ? undefined : await this.dataset(access, datasetId);
    if (one === undefined) await this.open.refreshDatasets(access.project.name);
    assertReadable(this.open.project(access.project.name), datasetId);
    const all = () => (one === undefined ? this.open.datasets(access.project.name) : [one]);
    if (versionId === undefined) {
      // What a command has just imported is found by the first question.
      await this.open.find(() => all().find(({ live }) => live));
      return all();
    }
    const found = await this.open.find(() => all().find((dataset) => dataset.find(versionId)?.record.readable));
    if (found !== undefined) return [found];
    const message = 'There is no such version here, or it is not readable.';
    throw new ServiceError(404, message, { missing: 'version' });
  }
}
