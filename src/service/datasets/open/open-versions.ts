import { join } from 'node:path';
import type { FolderHold } from '../../storage/folder-hold.ts';
import type { Store } from '../../store/store.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { paths } from '../files/paths.ts';
import type { RemovalReason, ReportEvent } from '../service-event.ts';
import { DatasetVersion } from '../versions/dataset-version.ts';
import type { Processor } from '../versions/processor.ts';
import { removeUnfinished } from '../versions/version-file.ts';
import type { VersionRecord } from '../versions/version-record.ts';
import type { OpenDataset } from './open-dataset.ts';

/** Creates, opens, checks and removes the versions of datasets. */
export class OpenVersions {
  /** Versions being created or removed, whose folders are incomplete. */
  private readonly underway = new Map<string, Promise<unknown>>();
  /** Resolves once all opened versions have been compared with the store. */
  private checking: Promise<void> = Promise.resolve();
  private isClosed = false;

  constructor(
    private readonly folder: string,
    private readonly catalog: Catalog,
    private readonly store: Store,
    private readonly processor: Processor,
    private readonly report: ReportEvent,
    private readonly hold: FolderHold | undefined,
  ) {}

  /** Creates a version of a dataset. */
  async create(project: string, dataset: OpenDataset, record: VersionRecord): Promise<DatasetVersion> {
    const folder = this.getFolder(project, dataset, record.versionId);
    const version = await this.track(record.versionId, DatasetVersion.create(folder, record, this.report, this.hold));
    dataset.add(version);
    return version;
  }

  /** Removes a version. It disappears once the deletion is on disk; its data once no query reads it. */
  async remove(dataset: OpenDataset, version: DatasetVersion, reason: RemovalReason): Promise<void> {
    await version.change((record) => ({ ...record, deleted: true }));
    dataset.remove(version);
    this.finishRemoval(version, reason);
  }

  /** Removes all versions of a dataset, including those that cannot be opened. */
  async removeAll(project: string, dataset: OpenDataset): Promise<void> {
    // Versions being created may not have folders yet.
    await Promise.allSettled(this.underway.values());
    const ids = await this.catalog.versions(project, dataset.datasetId);
    await Promise.all(ids.map((id) => this.removeForever(project, dataset, id)));
  }

  /** Opens the versions of a dataset that are not open yet. */
  async load(project: string, dataset: OpenDataset): Promise<void> {
    for (const id of await this.catalog.versions(project, dataset.datasetId)) {
      const known = dataset.find(id);
      if (known?.isUnreadable) await this.reopen(dataset, known);
      const isKnown = () => dataset.find(id) !== undefined || this.underway.has(id);
      if (isKnown()) continue;
      const folder = this.getFolder(project, dataset, id);
      const version = await DatasetVersion.open(folder, this.report, this.hold);
      // It may have been created or removed while its folder was read.
      if (isKnown()) continue;
      if (version === undefined) {
        await removeUnfinished(folder);
        continue;
      }
      if (version.record.deleted) {
        this.finishRemoval(version, 'deleted');
        continue;
      }
      dataset.add(version);
      if (version.isDue) this.processor.add(version);
      this.checkSoon(version);
    }
  }

  /** Waits for running work. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.checking;
    await Promise.allSettled(this.underway.values());
  }

  private async removeForever(project: string, dataset: OpenDataset, versionId: string): Promise<void> {
    const folder = this.getFolder(project, dataset, versionId);
    await this.underway.get(versionId);
    const version = dataset.find(versionId) ?? (await DatasetVersion.open(folder, ignore, this.hold));
    if (version === undefined) return this.store.drop(DatasetVersion.storedIn(folder, versionId));
    if (!version.record.deleted) await version.change((record) => ({ ...record, deleted: true }));
    this.finishRemoval(version, 'deleted');
    await this.underway.get(versionId);
  }

  /** Retries a version that could not be opened, which may have been repaired. */
  private async reopen(dataset: OpenDataset, known: DatasetVersion): Promise<void> {
    const version = await DatasetVersion.open(known.folder, ignore, this.hold);
    await version?.close();
    if (version?.isUnreadable) return;
    await known.close();
    dataset.remove(known);
  }

  /** Compares versions with the store in the background, one at a time, to find damage before a query does. */
  private checkSoon(version: DatasetVersion): void {
    this.checking = this.checking.then(async () => {
      // An error of the database will also fail the query that reads the version.
      if (!this.isClosed) await version.check(this.store).catch(ignore);
    });
  }

  private finishRemoval(version: DatasetVersion, reason: RemovalReason): void {
    const { versionId } = version.record;
    const removal = version.remove(this.store).then(
      () => this.report({ kind: 'removed', version: versionId, reason }),
      (error: Error) => this.report({ kind: 'removal failed', version: versionId, error }),
    );
    this.track(versionId, removal);
  }

  private track<T>(versionId: string, work: Promise<T>): Promise<T> {
    const ended = work.finally(() => this.underway.delete(versionId));
    this.underway.set(versionId, ended);
    return ended;
  }

  private getFolder(project: string, { datasetId }: OpenDataset, versionId: string): string {
    return join(paths.versions(this.folder, project, datasetId), versionId);
  }
}

function ignore(): void {}
