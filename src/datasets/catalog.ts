import { randomInt } from 'node:crypto';
import { createFile } from '../storage/create-file.ts';
import { makeFolder } from '../storage/make-folder.ts';
import { CatalogError } from './catalog-error.ts';
import { foldersIn, jsonFilesIn } from './folders-in.ts';
import { type KeptSecret, keepSecret } from './kept-secret.ts';
import { type Key, problemOfFilter } from './key.ts';
import { paths } from './paths.ts';
import { type Dataset, type Project, problemOfDatasetId, problemOfName, problemOfTimeZone } from './project.ts';
import { readJson } from './read-json.ts';
import { makeSecret } from './secrets.ts';

/** Reads a JSON file; undefined if there is none. */
type ReadFile = <T>(path: string) => Promise<T | undefined>;

/**
 * The projects of a data folder, with their datasets and keys, each a file that is made whole and replaced as a whole, so that commands
 * work while a server reads them.
 */
export class Catalog {
  constructor(
    private readonly folder: string,
    private readonly read: ReadFile = readJson,
  ) {}

  /** Makes a project with a token and a secret of its own. The secret is kept in clear only if requests may be signed with it. */
  async createProject(
    name: string,
    timeZone: string,
    { signatures = true }: { readonly signatures?: boolean } = {},
  ): Promise<Project & { readonly secret: string }> {
    expectNone(problemOfName(name) ?? problemOfTimeZone(timeZone));
    const secret = makeSecret();
    const project: Project = { id: randomInt(1, 2 ** 31), name, token: makeSecret(), timeZone };
    await makeFolder(paths.project(this.folder, name));
    const file = { ...project, ...keepSecret(secret, signatures) };
    await this.create(paths.projectFile(this.folder, name), file, `there is a project ${name} already`);
    return { ...project, secret };
  }

  /** Makes a dataset, and answers the secret that opens it, which is kept nowhere. */
  async createDataset(projectName: string, datasetId: string): Promise<{ readonly secret: string }> {
    expectNone(problemOfDatasetId(datasetId));
    const { name } = await this.project(projectName);
    const secret = makeSecret();
    const dataset: Dataset = { datasetId, ...keepSecret(secret) };
    await makeFolder(paths.dataset(this.folder, name, datasetId));
    const taken = `there is a dataset ${datasetId} in ${name} already`;
    await this.create(paths.datasetFile(this.folder, name, datasetId), dataset, taken);
    return { secret };
  }

  /** Makes a key of a project, and answers its secret, which is kept nowhere. */
  async createKey(projectName: string, key: Omit<Key, keyof KeptSecret>): Promise<{ readonly secret: string }> {
    const { name, scopes, datasetId, where } = key;
    expectNone(problemOfName(name, 'key') ?? (where === undefined ? undefined : problemOfFilter(where, scopes)));
    const project = await this.project(projectName);
    if (datasetId !== undefined) await this.dataset(projectName, datasetId);
    const secret = makeSecret();
    await makeFolder(paths.keys(this.folder, project.name));
    const path = paths.keyFile(this.folder, project.name, name);
    await this.create(path, { ...key, ...keepSecret(secret) }, `there is a key ${name} in ${project.name} already`);
    return { secret };
  }

  /** A project by its name. */
  async project(name: string): Promise<Project> {
    expectNone(problemOfName(name));
    const project = await this.projectFile(name);
    if (project !== undefined && !project.deleted) return project;
    const names = (await this.projects()).map((known) => known.name).join(', ');
    throw new CatalogError(`there is no project ${name}: ${names === '' ? 'make one first' : `there is ${names}`}`);
  }

  /** All projects, by name. */
  async projects(): Promise<Project[]> {
    const names = await this.projectNames();
    return present(names.map((name) => this.projectFile(name)));
  }

  /** All datasets of a project, by their ids. */
  async datasets(project: string): Promise<Dataset[]> {
    const ids = await this.datasetIds(project);
    return present(ids.map((id) => this.datasetFile(project, id)));
  }

  /** A dataset by its id. */
  async dataset(project: string, datasetId: string): Promise<Dataset> {
    const datasets = await this.datasets((await this.project(project)).name);
    const found = datasets.find((dataset) => dataset.datasetId === datasetId);
    if (found !== undefined) return found;
    const ids = datasets.map((dataset) => dataset.datasetId).join(', ');
    throw new CatalogError(
      `there is no dataset ${datasetId} in ${project}: ${ids === '' ? 'make one first' : `there is ${ids}`}`,
    );
  }

  /** All keys of a project, by name. */
  async keys(project: string): Promise<Key[]> {
    const names = await this.keyNames(project);
    return present(names.map((name) => this.keyFile(project, name)));
  }

  /** A key by its name. */
  async key(project: string, name: string): Promise<Key> {
    const keys = await this.keys((await this.project(project)).name);
    const found = keys.find((key) => key.name === name);
    if (found !== undefined) return found;
    const names = keys.map((key) => key.name).join(', ');
    throw new CatalogError(
      `there is no key ${name} in ${project}: ${names === '' ? 'make one first' : `there is ${names}`}`,
    );
  }

  /** The folders of a dataset's versions, by the ids of the versions. */
  async versions(project: string, datasetId: string): Promise<string[]> {
    return foldersIn(paths.versions(this.folder, project, datasetId));
  }

  projectNames(): Promise<string[]> {
    return foldersIn(paths.projects(this.folder));
  }

  datasetIds(project: string): Promise<string[]> {
    return foldersIn(paths.datasets(this.folder, project));
  }

  keyNames(project: string): Promise<string[]> {
    return jsonFilesIn(paths.keys(this.folder, project));
  }

  /** The file of a project, one that is deleted too; undefined if there is none. */
  async projectFile(name: string): Promise<Project | undefined> {
    const path = paths.projectFile(this.folder, name);
    const project = await this.read<Project>(path);
    if (project === undefined) return undefined;
    const isSound = project?.name === name && typeof project.id === 'number' && typeof project.token === 'string';
    if (!isSound || problemOfTimeZone(project.timeZone) !== undefined) throw notSound(path);
    return project;
  }

  /** The file of a dataset. As {@link projectFile}. */
  async datasetFile(project: string, datasetId: string): Promise<Dataset | undefined> {
    const path = paths.datasetFile(this.folder, project, datasetId);
    const dataset = await this.read<Dataset>(path);
    if (dataset !== undefined && dataset?.datasetId !== datasetId) throw notSound(path);
    return dataset;
  }

  /** The file of a key. As {@link projectFile}. */
  async keyFile(project: string, name: string): Promise<Key | undefined> {
    const path = paths.keyFile(this.folder, project, name);
    const key = await this.read<Key>(path);
    if (key !== undefined && (key?.name !== name || !Array.isArray(key.scopes))) throw notSound(path);
    return key;
  }

  private async create(path: string, content: unknown, taken: string): Promise<void> {
    try {
      await createFile(path, `${JSON.stringify(content, null, 2)}\n`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new CatalogError(taken);
      throw error;
    }
  }
}

function notSound(path: string): CatalogError {
  return new CatalogError(`${path} is damaged: restore it from a copy`);
}

function expectNone(problem: string | undefined): void {
  if (problem !== undefined) throw new CatalogError(problem);
}

async function present<T extends object>(values: readonly Promise<T | undefined>[]): Promise<T[]> {
  return (await Promise.all(values)).filter((value) => value !== undefined && !('deleted' in value)) as T[];
}
