import { randomInt } from 'node:crypto';
import { createFile, makeFolder } from '../../storage/files.ts';
import { CatalogError, DamagedFileError, type TellDamage } from '../files/errors.ts';
import { listFolders, listJsonFiles, paths } from '../files/paths.ts';
import { readJson, readSound } from '../files/read-json.ts';
import { checkKeyFilter, isKey, type Key, toCredential } from './key.ts';
import {
  checkDatasetId,
  checkName,
  checkTimeZone,
  type Dataset,
  isDataset,
  isProject,
  type Project,
} from './project.ts';
import { type KeptSecret, keepSecret, makeSecret } from './secrets.ts';

/** Reads a JSON file like {@link readJson}. */
type ReadFile = <T>(path: string, isSound: (json: unknown) => json is T) => Promise<T | undefined>;

/**
 * The projects of a data folder with their datasets and keys.
 *
 * Each is one file that is written and replaced atomically, so commands work while a server reads them.
 */
export class Catalog {
  constructor(
    private readonly folder: string,
    private readonly read: ReadFile = readJson,
  ) {}

  /**
   * Creates a project with its own token and secret. The secret is stored in clear text only if requests may be signed
   * with it.
   */
  async createProject(
    name: string,
    timeZone: string,
    { signatures = true }: { readonly signatures?: boolean } = {},
  ): Promise<Project & { readonly secret: string }> {
    throwIfProblem(checkName(name) ?? checkTimeZone(timeZone));
    const secret = makeSecret();
    const project: Project = { id: randomInt(1, 2 ** 31), name, token: makeSecret(), timeZone };
    await makeFolder(paths.project(this.folder, name));
    const file = { ...project, ...keepSecret(secret, signatures) };
    await this.create(paths.projectFile(this.folder, name), file, `there is a project ${name} already`);
    return { ...project, secret };
  }

  /** Creates a dataset and returns its secret. Only the hash of the secret is stored. */
  async createDataset(projectName: string, datasetId: string): Promise<{ readonly secret: string }> {
    throwIfProblem(checkDatasetId(datasetId));
    const { name } = await this.project(projectName);
    const secret = makeSecret();
    const dataset: Dataset = { datasetId, ...keepSecret(secret) };
    await makeFolder(paths.dataset(this.folder, name, datasetId));
    const taken = `there is a dataset ${datasetId} in ${name} already`;
    await this.create(paths.datasetFile(this.folder, name, datasetId), dataset, taken);
    return { secret };
  }

  /** Creates a key and returns its secret or password. Only the hash is stored. */
  async createKey(projectName: string, key: Omit<Key, keyof KeptSecret>): Promise<{ readonly secret: string }> {
    const { name, scopes, datasetId, where } = key;
    throwIfProblem(checkName(name, 'key') ?? (where === undefined ? undefined : checkKeyFilter(where, scopes)));
    const project = await this.project(projectName);
    if (datasetId !== undefined) await this.dataset(projectName, datasetId);
    const secret = makeSecret();
    await makeFolder(paths.keys(this.folder, project.name));
    const path = paths.keyFile(this.folder, project.name, name);
    await this.create(
      path,
      { ...key, ...keepSecret(toCredential(key, secret)) },
      `there is a key ${name} in ${project.name} already`,
    );
    return { secret };
  }

  /**
   * Returns a project by its name.
   *
   * @throws {CatalogError} if there is none
   */
  async project(name: string): Promise<Project> {
    throwIfProblem(checkName(name));
    const project = await this.projectFile(name);
    if (project !== undefined && !project.deleted) return project;
    const names = (await this.projects()).map((known) => known.name).join(', ');
    throw new CatalogError(`there is no project ${name}: ${names === '' ? 'make one first' : `there is ${names}`}`);
  }

  /** Returns all projects by name. Passes those that cannot be read to `tell`. */
  async projects(tell: TellDamage = ignore): Promise<Project[]> {
    const names = await this.projectNames();
    return readPresent(
      names.map((name) => this.projectFile(name)),
      tell,
    );
  }

  /** Returns all datasets of a project by ID. Passes those that cannot be read to `tell`. */
  async datasets(project: string, tell: TellDamage = ignore): Promise<Dataset[]> {
    const ids = await this.datasetIds(project);
    return readPresent(
      ids.map((id) => this.datasetFile(project, id)),
      tell,
    );
  }

  /**
   * Returns a dataset by its ID.
   *
   * @throws {CatalogError} if there is none
   */
  async dataset(project: string, datasetId: string): Promise<Dataset> {
    const { name } = await this.project(project);
    const isId = checkDatasetId(datasetId) === undefined;
    const dataset = isId ? await this.datasetFile(name, datasetId) : undefined;
    if (dataset !== undefined && !dataset.deleted) return dataset;
    const ids = (await this.datasets(name)).map((known) => known.datasetId).join(', ');
    throw new CatalogError(
      `there is no dataset ${datasetId} in ${project}: ${ids === '' ? 'make one first' : `there is ${ids}`}`,
    );
  }

  /** Returns all keys of a project by name. Passes those that cannot be read to `tell`. */
  async keys(project: string, tell: TellDamage = ignore): Promise<Key[]> {
    const names = await this.keyNames(project);
    return readSound(
      names.map((name) => this.keyFile(project, name)),
      tell,
    );
  }

  /**
   * Returns a key by its name.
   *
   * @throws {CatalogError} if there is none
   */
  async key(project: string, name: string): Promise<Key> {
    const owner = (await this.project(project)).name;
    const key = checkName(name) === undefined ? await this.keyFile(owner, name) : undefined;
    if (key !== undefined) return key;
    const names = (await this.keys(owner)).map((known) => known.name).join(', ');
    throw new CatalogError(
      `there is no key ${name} in ${project}: ${names === '' ? 'it has no keys' : `there is ${names}`}`,
    );
  }

  /** Lists the version folders of a dataset, which are named by version ID. */
  async versions(project: string, datasetId: string): Promise<string[]> {
    return listFolders(paths.versions(this.folder, project, datasetId));
  }

  projectNames(): Promise<string[]> {
    return listFolders(paths.projects(this.folder));
  }

  datasetIds(project: string): Promise<string[]> {
    return listFolders(paths.datasets(this.folder, project));
  }

  keyNames(project: string): Promise<string[]> {
    return listJsonFiles(paths.keys(this.folder, project));
  }

  /**
   * Reads the file of a project, even a deleted one. Returns undefined if there is none.
   *
   * @throws {DamagedFileError} if the file cannot be read, or is missing although the project has datasets
   */
  projectFile(name: string): Promise<Project | undefined> {
    const isSound = (json: unknown) => isProject(json, name);
    return this.readParent(paths.projectFile(this.folder, name), isSound, paths.datasets(this.folder, name));
  }

  /** Reads the file of a dataset. Throws like {@link projectFile}. */
  datasetFile(project: string, id: string): Promise<Dataset | undefined> {
    const isSound = (json: unknown) => isDataset(json, id);
    const versions = paths.versions(this.folder, project, id);
    return this.readParent(paths.datasetFile(this.folder, project, id), isSound, versions);
  }

  /** Reads the file of a key. Returns undefined if there is none. */
  keyFile(project: string, name: string): Promise<Key | undefined> {
    return this.read(paths.keyFile(this.folder, project, name), (json) => isKey(json, name));
  }

  /** Reads the file of a folder. A missing file is damage if the folder `below` has content. */
  private async readParent<T>(
    path: string,
    isSound: (json: unknown) => json is T,
    below: string,
  ): Promise<T | undefined> {
    const found = await this.read(path, isSound);
    if (found === undefined && (await listFolders(below)).length > 0) throw new DamagedFileError(path, 'it is missing');
    return found;
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

function throwIfProblem(problem: string | undefined): void {
  if (problem !== undefined) throw new CatalogError(problem);
}

/** Like {@link readSound}, without deleted items. */
async function readPresent<T extends { readonly deleted?: true }>(
  reading: readonly Promise<T | undefined>[],
  tell: TellDamage,
): Promise<T[]> {
  return (await readSound(reading, tell)).filter(({ deleted }) => !deleted);
}

function ignore(): void {}
