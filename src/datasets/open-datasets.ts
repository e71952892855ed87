import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Store } from '../store/store.ts';
import { Catalog } from './catalog.ts';
import { DatasetVersion } from './dataset-version.ts';
import { FolderRemovals } from './folder-removals.ts';
import { JsonFiles } from './json-files.ts';
import { OpenDataset } from './open-dataset.ts';
import { OpenProject } from './open-project.ts';
import { paths } from './paths.ts';
import type { Processor } from './processor.ts';
import type { Dataset } from './project.ts';
import type { RemovalReason, ReportEvent } from './service-event.ts';
import type { VersionRecord } from './version-record.ts';

/** How many versions of a dataset are kept. */
const KEPT_VERSIONS = 5;

/** How often surplus versions are removed, and what other processes made is taken in. */
const SWEEP_MS = 10_000;

/** For secrets and names that are not known the folder is read again, during this part of the time at most. */
const REFRESH_SHARE = 0.1;

/** The longest pause of that: nobody waits for long in a large folder. */
const MOST_PAUSE_MS = 1_000;

/** All projects, datasets and versions of a data folder: takes in what other processes make there, and sweeps what is not kept. */
export class OpenDatasets {
  private readonly files = new JsonFiles();
  private readonly catalog: Catalog;
  private readonly open = new Map<string, OpenProject>();
  /** Versions that are being made or removed, whose folders tell only half. */
  private readonly underway = new Map<string, Promise<unknown>>();
  private readonly removals: FolderRemovals;
  /** Versions that cannot be opened and files that cannot be read, which was reported. */
  private readonly unreadable = new Set<string>();
  private refreshing: Promise<void> | undefined;
  /** The one that is yet to begin, for whoever has come since the last one began. */
  private nextRefresh: Promise<void> | undefined;
  private mayRefreshAt = 0;
  private sweeps: NodeJS.Timeout | undefined;

  constructor(
    private readonly folder: string,
    private readonly store: Store,
    private readonly processor: Processor,
    private readonly report: ReportEvent,
  ) {
    this.removals = new FolderRemovals(report);
    this.catalog = new Catalog(folder, (path) => this.files.read(path));
  }

  get projects(): Iterable<OpenProject> {
    return this.open.values();
  }

  projectFile(project: string): string {
    return paths.projectFile(this.folder, project);
  }

  /** From here on surplus versions are removed. */
  startSweeping(): void {
    this.sweeps = setInterval(() => this.sweep(), SWEEP_MS);
  }

  /** What is found at once, or else after what other processes made is taken in. */
  async find<Found>(search: () => Found | undefined): Promise<Found | undefined> {
    const known = search();
    if (known !== undefined) return known;
    await this.refreshSoon();
    return search();
  }

  /** As {@link find}, where `fileOf` tells the file that says what is found: it may have changed, or be gone. */
  async findCurrent<Found>(
    search: () => Found | undefined,
    fileOf: (found: Found) => readonly string[],
  ): Promise<Found | undefined> {
    const found = await this.find(search);
    if (found === undefined || fileOf(found).every((file) => this.files.isCurrent(file))) return found;
    await this.refreshSoon();
    return search();
  }

  /** A dataset of a project. */
  dataset(project: string, datasetId: string): Promise<OpenDataset | undefined> {
    return this.findCurrent(
      () => this.open.get(project)?.datasets.get(datasetId),
      () => [paths.datasetFile(this.folder, project, datasetId)],
    );
  }

  /** Takes in what has changed since the datasets of a project were read. */
  async refreshDatasets(project: string): Promise<void> {
    const files = this.datasets(project).map(({ datasetId }) => paths.datasetFile(this.folder, project, datasetId));
    if (!files.every((file) => this.files.isCurrent(file))) await this.refreshSoon();
  }

  /** The datasets of a project, by their ids. */
  datasets(project: string): OpenDataset[] {
    const datasets = [...(this.open.get(project)?.datasets.values() ?? [])];
    return datasets.sort((left, right) => (left.datasetId < right.datasetId ? -1 : 1));
  }

  /** Makes a version of a dataset of a project. */
  async create(project: string, dataset: OpenDataset, record: VersionRecord): Promise<DatasetVersion> {
    const folder = this.folderOf(project, dataset, record.versionId);
    const version = await this.during(record.versionId, DatasetVersion.create(folder, record, this.report));
    dataset.add(version);
    return version;
  }

  /** A version is gone as soon as that is on disk; its data when no query reads it any more. */
  async remove(dataset: OpenDataset, version: DatasetVersion, reason: RemovalReason): Promise<void> {
    await version.change((record) => ({ ...record, deleted: true }));
    dataset.remove(version);
    this.finishRemoval(version, reason);
  }

  /** Takes in all that other processes made before this was asked for. */
  refreshSoon(): Promise<void> {
    this.nextRefresh ??= this.refreshInTurn();
    return this.nextRefresh;
  }

  /** Finishes what is underway. */
  async close(): Promise<void> {
    clearInterval(this.sweeps);
    await this.nextRefresh;
    await this.refreshing;
    await this.processor.close();
    await this.removals.finish();
    await Promise.allSettled(this.underway.values());
    for (const { datasets } of this.projects) {
      for (const { versions } of datasets.values()) {
        for (const version of versions) await version.close();
      }
    }
  }

  private async refreshInTurn(): Promise<void> {
    await this.refreshing?.catch(() => undefined);
    const wait = this.mayRefreshAt - performance.now();
    if (wait > 0) await pause(wait);
    this.nextRefresh = undefined;
    await this.refresh();
  }

  private refresh(): Promise<void> {
    const start = performance.now();
    this.refreshing ??= this.takeIn().finally(() => {
      const end = performance.now();
      this.mayRefreshAt = end + Math.min(MOST_PAUSE_MS, (end - start) * (1 / REFRESH_SHARE - 1));
      this.refreshing = undefined;
    });
    return this.refreshing;
  }

  private async takeIn(): Promise<void> {
    const names = await this.catalog.projectNames();
    for (const name of this.open.keys()) if (!names.includes(name)) this.forgetProject(name);
    for (const name of names) await this.takeInProject(name);
  }

  private async takeInProject(name: string): Promise<void> {
    const file = paths.projectFile(this.folder, name);
    const project = await this.readable(file, () => this.catalog.projectFile(name));
    if (project === undefined && !this.unreadable.has(file)) return this.forgetProject(name);
    if (project?.deleted) return void this.removeProject(name);
    const open = this.open.get(name) ?? new OpenProject();
    this.open.set(name, open);
    const datasets = await this.takeInDatasets(name, open);
    const keys = await Promise.all(
      (await this.catalog.keyNames(name)).map((key) => {
        const path = paths.keyFile(this.folder, name, key);
        return this.readable(path, () => this.catalog.keyFile(name, key));
      }),
    );
    // Nothing happens in between, so that no request finds only some of the secrets.
    open.serve(project, file);
    for (const dataset of datasets) open.addDataset(dataset, paths.datasetFile(this.folder, name, dataset.datasetId));
    for (const key of keys) if (key !== undefined) open.addKey(key, paths.keyFile(this.folder, name, key.name));
  }

  /** Answers those that can be read. */
  private async takeInDatasets(project: string, open: OpenProject): Promise<Dataset[]> {
    const { datasets } = open;
    const ids = await this.catalog.datasetIds(project);
    for (const id of datasets.keys()) if (!ids.includes(id)) this.forgetDataset(project, id);
    const found: Dataset[] = [];
    for (const id of ids) {
      const file = paths.datasetFile(this.folder, project, id);
      const dataset = await this.readable(file, () => this.catalog.datasetFile(project, id));
      if (dataset?.deleted) void this.removeDataset(project, id, open);
      else if (dataset !== undefined) {
        found.push(dataset);
        const opened = datasets.get(id) ?? new OpenDataset(id);
        datasets.set(id, opened);
        await this.takeInVersions(project, opened);
      } else if (!this.unreadable.has(file)) this.forgetDataset(project, id);
    }
    return found;
  }

  /** Returns the content of a file. One that cannot be read is reported, and affects nothing else. */
  private async readable<T>(file: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
    try {
      const content = await read();
      this.unreadable.delete(file);
      return content;
    } catch (error) {
      if (!this.unreadable.has(file)) this.report({ kind: 'file unreadable', file, error: error as Error });
      this.unreadable.add(file);
      return undefined;
    }
  }

  /** Somebody has removed the folder, or moved it away: what the store has of it may be needed again. */
  private forgetProject(name: string): void {
    for (const id of this.open.get(name)?.datasets.keys() ?? []) this.forgetDataset(name, id);
    this.open.delete(name);
  }

  private forgetDataset(project: string, datasetId: string): void {
    const { datasets } = this.open.get(project) ?? {};
    const versions = datasets?.get(datasetId)?.versions ?? [];
    datasets?.delete(datasetId);
    // A query may read them for long.
    for (const version of versions) version.close().catch(() => undefined);
  }

  private removeProject(name: string): void {
    const open = this.open.get(name);
    this.open.delete(name);
    void this.removals.remove(paths.project(this.folder, name), async () => {
      const ids = await this.catalog.datasetIds(name);
      await Promise.all(ids.map((id) => this.removeDataset(name, id, open)));
    });
  }

  /** Stops serving a dataset, and removes it when no query reads it any more. */
  private removeDataset(project: string, datasetId: string, open?: OpenProject): Promise<void> {
    return this.removals.remove(paths.dataset(this.folder, project, datasetId), async () => {
      const dataset = open?.datasets.get(datasetId) ?? new OpenDataset(datasetId);
      open?.datasets.delete(datasetId);
      const ids = await this.catalog.versions(project, datasetId);
      await Promise.all(ids.map((id) => this.removeForever(project, dataset, id)));
    });
  }

  /** Removes a version together with its dataset, one that cannot be opened too. */
  private async removeForever(project: string, dataset: OpenDataset, versionId: string): Promise<void> {
    const folder = this.folderOf(project, dataset, versionId);
    await this.underway.get(versionId);
    const version = dataset.find(versionId) ?? (await this.openVersion(folder, versionId));
    if (version === undefined) return this.store.drop(DatasetVersion.storedIn(folder, versionId));
    if (!version.record.deleted) await version.change((record) => ({ ...record, deleted: true }));
    this.finishRemoval(version, 'deleted');
    await this.underway.get(versionId);
  }

  private async takeInVersions(project: string, dataset: OpenDataset): Promise<void> {
    for (const id of await this.catalog.versions(project, dataset.datasetId)) {
      const isKnown = () => dataset.find(id) !== undefined || this.underway.has(id);
      if (isKnown()) continue;
      const version = await this.openVersion(this.folderOf(project, dataset, id), id);
      // It may have been made, or removed, while its folder was read.
      if (version === undefined || isKnown()) continue;
      if (version.record.deleted) {
        this.finishRemoval(version, 'deleted');
        continue;
      }
      dataset.add(version);
      if (version.isDue) this.processor.add(version);
    }
  }

  /** A version that cannot be read is left as it is, for people to see to it, and tried again; all others are served. */
  private async openVersion(folder: string, versionId: string): Promise<DatasetVersion | undefined> {
    try {
      const version = await DatasetVersion.open(folder, this.report);
      if (version === undefined) await DatasetVersion.removeUnmade(folder);
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
      for (const { datasets } of this.projects) {
        for (const dataset of datasets.values()) {
          for (const version of dataset.versions.slice(0, -KEPT_VERSIONS)) {
            if (!version.record.deleted) await this.remove(dataset, version, 'swept');
          }
        }
      }
    } catch (error) {
      this.report({ kind: 'sweep failed', error: error as Error });
    }
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

  private folderOf(project: string, { datasetId }: OpenDataset, versionId: string): string {
    return join(paths.versions(this.folder, project, datasetId), versionId);
  }
}
