import { basename } from 'node:path';
import type { FolderHold } from '../../storage/folder-hold.ts';
import type { Store } from '../../store/store.ts';
import { Catalog } from '../catalog/catalog.ts';
import type { Dataset } from '../catalog/project.ts';
import { DamagedFiles } from '../files/damaged-files.ts';
import { FolderRemovals } from '../files/folder-removals.ts';
import { JsonFiles } from '../files/json-files.ts';
import { paths } from '../files/paths.ts';
import type { ReportEvent } from '../service-event.ts';
import type { Processor } from '../versions/processor.ts';
import { OpenDataset } from './open-dataset.ts';
import { OpenProject } from './open-project.ts';
import { OpenVersions } from './open-versions.ts';
import { Refreshes } from './refreshes.ts';

/** How often surplus versions are removed and changes of other processes are loaded. */
const SWEEP_MS = 10_000;

/**
 * The open projects, datasets and versions of a data folder. Loads changes made by other processes and removes surplus
 * versions.
 */
export class OpenDatasets {
  readonly versions: OpenVersions;
  readonly damaged: DamagedFiles;
  private readonly files = new JsonFiles();
  private readonly catalog: Catalog;
  private readonly open = new Map<string, OpenProject>();
  private readonly removals: FolderRemovals;
  private readonly refreshes = new Refreshes(() => this.load());
  private sweeps: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> | undefined;

  constructor(
    private readonly folder: string,
    store: Store,
    private readonly processor: Processor,
    private readonly report: ReportEvent,
    hold: FolderHold | undefined,
  ) {
    this.damaged = new DamagedFiles(report);
    this.removals = new FolderRemovals(report, hold);
    this.catalog = new Catalog(folder, (path, isSound) => this.files.read(path, isSound));
    this.versions = new OpenVersions(folder, this.catalog, store, processor, report, hold);
  }

  get projects(): Iterable<OpenProject> {
    return this.open.values();
  }

  projectFile(project: string): string {
    return paths.projectFile(this.folder, project);
  }

  /** Starts removing surplus versions: once now, because a process may not live until the first interval. */
  startSweeping(): void {
    const begin = (sweep: () => Promise<void>) => {
      this.sweeping ??= sweep().finally(() => {
        this.sweeping = undefined;
      });
    };
    begin(() => this.removeSurplus());
    this.sweeps = setInterval(() => begin(() => this.sweep()), SWEEP_MS);
  }

  /** Returns the result of `search`. If it finds nothing, loads the changes of other processes and searches again. */
  async find<Found>(search: () => Found | undefined): Promise<Found | undefined> {
    const known = search();
    if (known !== undefined) return known;
    await this.refreshSoon();
    return search();
  }

  /**
   * Like {@link find}, but searches again if a file that defines the result has changed or is gone.
   *
   * @param fileOf returns the paths of the files that define a result
   */
  async findCurrent<Found>(
    search: () => Found | undefined,
    fileOf: (found: Found) => readonly string[],
  ): Promise<Found | undefined> {
    const found = await this.find(search);
    if (found === undefined || fileOf(found).every((file) => this.files.isCurrent(file))) return found;
    await this.refreshSoon();
    return search();
  }

  /** Returns a dataset of a project; undefined if there is none. */
  dataset(project: string, datasetId: string): Promise<OpenDataset | undefined> {
    return this.findCurrent(
      () => this.open.get(project)?.datasets.get(datasetId),
      () => [paths.datasetFile(this.folder, project, datasetId)],
    );
  }

  /** Loads changes if a dataset file of the project has changed. */
  async refreshDatasets(project: string): Promise<void> {
    const files = this.datasets(project).map(({ datasetId }) => paths.datasetFile(this.folder, project, datasetId));
    const isDamaged = (this.open.get(project)?.damagedDatasets.size ?? 0) > 0;
    if (isDamaged || !files.every((file) => this.files.isCurrent(file))) await this.refreshSoon();
  }

  /** Returns an open project; undefined if there is none. */
  project(name: string): OpenProject | undefined {
    return this.open.get(name);
  }

  /** The number of damaged versions. */
  get damagedVersions(): number {
    const datasets = [...this.projects].flatMap((project) => [...project.datasets.values()]);
    return datasets.flatMap(({ versions }) => versions).filter(({ damage }) => damage !== undefined).length;
  }

  /** Returns the datasets of a project, ordered by ID. */
  datasets(project: string): OpenDataset[] {
    const datasets = [...(this.open.get(project)?.datasets.values() ?? [])];
    return datasets.sort((left, right) => (left.datasetId < right.datasetId ? -1 : 1));
  }

  /** Loads all changes that other processes made before this call. */
  refreshSoon(): Promise<void> {
    return this.refreshes.soon();
  }

  /** Waits for running work and closes all versions. */
  async close(): Promise<void> {
    clearInterval(this.sweeps);
    await this.sweeping;
    await this.refreshes.finish();
    await this.processor.close();
    await this.removals.finish();
    await this.versions.close();
    for (const { datasets } of this.projects) {
      for (const { versions } of datasets.values()) {
        for (const version of versions) await version.close();
      }
    }
  }

  private async load(): Promise<void> {
    const names = await this.catalog.projectNames();
    for (const name of this.open.keys()) if (!names.includes(name)) this.forgetProject(name);
    for (const name of names) await this.loadProject(name);
  }

  private async loadProject(name: string): Promise<void> {
    const file = paths.projectFile(this.folder, name);
    const project = await this.damaged.read(file, () => this.catalog.projectFile(name));
    if (project === undefined && !this.damaged.has(file)) return this.forgetProject(name);
    if (project?.deleted) return void this.removeProject(name);
    const open = this.open.get(name) ?? new OpenProject();
    this.open.set(name, open);
    const datasets = await this.loadDatasets(name, open);
    const keys = await Promise.all(
      (await this.catalog.keyNames(name)).map((key) => {
        const path = paths.keyFile(this.folder, name, key);
        return this.damaged.read(path, () => this.catalog.keyFile(name, key));
      }),
    );
    // No await here, so that no request sees only some of the secrets.
    open.serve(project, file);
    for (const dataset of datasets) open.addDataset(dataset, paths.datasetFile(this.folder, name, dataset.datasetId));
    for (const key of keys) if (key !== undefined) open.addKey(key, paths.keyFile(this.folder, name, key.name));
  }

  /** Returns the datasets whose files can be read. */
  private async loadDatasets(project: string, open: OpenProject): Promise<Dataset[]> {
    const { datasets } = open;
    const ids = await this.catalog.datasetIds(project);
    for (const id of datasets.keys()) if (!ids.includes(id)) this.forgetDataset(project, id);
    const found: Dataset[] = [];
    const damaged = new Map<string, string>();
    for (const id of ids) {
      const file = paths.datasetFile(this.folder, project, id);
      const dataset = await this.damaged.read(file, () => this.catalog.datasetFile(project, id));
      if (dataset?.deleted) {
        void this.removeDataset(project, id, open);
        continue;
      }
      const isDamaged = this.damaged.has(file);
      if (dataset === undefined && !isDamaged) this.forgetDataset(project, id);
      if (dataset !== undefined) found.push(dataset);
      // An open dataset is served even if its file is damaged.
      const opened = datasets.get(id) ?? (dataset && new OpenDataset(id));
      if (opened === undefined) {
        if (isDamaged) damaged.set(id, basename(file));
        continue;
      }
      datasets.set(id, opened);
      const versions = paths.versions(this.folder, project, id);
      await this.damaged.read(versions, () => this.versions.load(project, opened));
      if (this.damaged.has(versions)) damaged.set(id, basename(versions));
    }
    open.damagedDatasets = damaged;
    return found;
  }

  /**
   * Stops serving a project whose folder was removed or moved away. Keeps its data in the store, which may be needed
   * again.
   */
  private forgetProject(name: string): void {
    for (const id of this.open.get(name)?.datasets.keys() ?? []) this.forgetDataset(name, id);
    this.open.delete(name);
  }

  private forgetDataset(project: string, datasetId: string): void {
    const { datasets } = this.open.get(project) ?? {};
    const versions = datasets?.get(datasetId)?.versions ?? [];
    datasets?.delete(datasetId);
    // Do not wait: a query may read them for long.
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

  /** Stops serving a dataset and removes it once no query reads it. */
  private removeDataset(project: string, datasetId: string, open?: OpenProject): Promise<void> {
    return this.removals.remove(paths.dataset(this.folder, project, datasetId), async () => {
      const dataset = open?.datasets.get(datasetId) ?? new OpenDataset(datasetId);
      open?.datasets.delete(datasetId);
      await this.versions.removeAll(project, dataset);
    });
  }

  private async sweep(): Promise<void> {
    await this.attempt(() => this.refreshes.now());
    await this.removeSurplus();
  }

  private async removeSurplus(): Promise<void> {
    for (const { datasets } of this.projects) {
      for (const dataset of datasets.values()) {
        for (const version of dataset.surplus) {
          if (!version.record.deleted) await this.attempt(() => this.versions.remove(dataset, version, 'swept'));
        }
      }
    }
  }

  /** Reports a failure and lets the sweep continue. */
  private async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.report({ kind: 'sweep failed', error: error as Error });
    }
  }
}
