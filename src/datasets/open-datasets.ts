import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Store } from '../store/store.ts';
import { Catalog } from './catalog.ts';
import { DatasetVersion } from './dataset-version.ts';
import { OpenDataset } from './open-dataset.ts';
import { paths } from './paths.ts';
import type { Processor } from './processor.ts';
import type { Project } from './project.ts';
import { hashSecret } from './secrets.ts';
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

/** A project and the datasets that it has. */
export interface OpenProject {
  readonly project: Project;
  readonly secretHash: string;
  readonly datasets: Map<string, OpenDataset>;
}

/** All projects, datasets and versions of a data folder: takes in what other processes make there, and sweeps what is not kept. */
export class OpenDatasets {
  private readonly catalog: Catalog;
  private readonly open = new Map<string, OpenProject>();
  /** Versions that are being made or removed, whose folders tell only half. */
  private readonly underway = new Map<string, Promise<unknown>>();
  /** Versions that cannot be opened, which was reported. */
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
    this.catalog = new Catalog(folder);
  }

  get projects(): Iterable<OpenProject> {
    return this.open.values();
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

  /** A dataset of a project. */
  dataset(project: string, datasetId: string): Promise<OpenDataset | undefined> {
    return this.find(() => this.open.get(project)?.datasets.get(datasetId));
  }

  /** The datasets of a project, by their ids. */
  datasets(project: string): OpenDataset[] {
    const datasets = [...(this.open.get(project)?.datasets.values() ?? [])];
    return datasets.sort((left, right) => (left.dataset.datasetId < right.dataset.datasetId ? -1 : 1));
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
    for (const project of await this.catalog.projects()) {
      const known = this.open.get(project.name);
      const datasets = known?.datasets ?? new Map<string, OpenDataset>();
      if (known === undefined) {
        this.open.set(project.name, { project, secretHash: hashSecret(project.secret), datasets });
      }
      for (const dataset of await this.catalog.datasets(project.name)) {
        const opened = datasets.get(dataset.datasetId) ?? new OpenDataset(dataset);
        datasets.set(dataset.datasetId, opened);
        await this.takeInVersions(project.name, opened);
      }
    }
  }

  private async takeInVersions(project: string, dataset: OpenDataset): Promise<void> {
    for (const id of await this.catalog.versions(project, dataset.dataset.datasetId)) {
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

  private folderOf(project: string, { dataset }: OpenDataset, versionId: string): string {
    return join(paths.versions(this.folder, project, dataset.datasetId), versionId);
  }
}
