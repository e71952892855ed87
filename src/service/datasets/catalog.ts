import { randomInt } from 'node:crypto';
import { createFile, makeFolder } from '../storage/files.ts';
import { CatalogError, DamagedFileError, type TellDamage } from './errors.ts';
import { checkKeyFilter, isKey, type Key } from './key.ts';
import { listFolders, listJsonFiles, paths } from './paths.ts';
import {
  checkDatasetId,
  checkName,
  checkTimeZone,
  type Dataset,
  isDataset,
  isProject,
  type Project,
} from './project.ts';
import { readJson, readSound } from './read-json.ts';
import { type KeptSecret, keepSecret, makeSecret } from './secrets.ts';

/** Reads a JSON file as {@link readJson} does. */
type ReadFile = <T>(path: string, isSound: (json: unknown) => json is T) => Promise<T | undefined>;

/**
 * The projects of a data folder, with their datasets and keys, each a file that is made whole and replaced as a whole,
 * so that commands work while a server reads them.
 */
export class Catalog {
  constructor(
    private readonly folder: string,
    private readonly read: ReadFile = readJson,
  ) {}

  /**
   * Makes a project with a token and a secret of its own. The secret is kept in clear only if requests may be signed
   * with it.
   */
  async createProject(
    name: string,
    timeZone: string,
    { signatures = true }: { readonly signatures?: boolean } = {},
  ): Promise<Project & { readonly secret: string }> {
    assertNone(checkName(name) ?? checkTimeZone(timeZone));
    const secret = makeSecret();
    const project: Project = { id: randomInt(1, 2 ** 31), name, token: makeSecret(), timeZone };
    await makeFolder(paths.project(this.folder, name));
    const file = { ...project, ...keepSecret(secret, signatures) };
    await this.create(paths.projectFile(this.folder, name), file, `there is a project ${name} already`);
    return { ...project, secret };
  }

  /** Makes a dataset, and answers the secret that opens it, which is kept nowhere. */
  async createDataset(projectName: string, datasetId: string): Promise<{ readonly secret: string }> {
    assertNone(checkDatasetId(datasetId));
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
    assertNone(checkName(name, 'key') ?? (where === undefined ? undefined : checkKeyFilter(where, scopes)));
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
    assertNone(checkName(name));
    const project = await this.projectFile(name);
    if (project !== undefined && !project.deleted) return project;
    const names = (await this.projects()).map((known) => known.name).join(', ');
    throw new CatalogError(`there is no project ${name}: ${names === '' ? 'make one first' : `there is ${names}`}`);
  }

  /** All projects, by name, without those that cannot be read. */
  async projects(tell: TellDamage = ignore): Promise<Project[]> {
    const names = await this.projectNames();
    return readPresent(
      names.map((name) => this.projectFile(name)),
      tell,
    );
  }

  /** All datasets of a project, by their ids, without those that cannot be read. */
  async datasets(project: string, tell: TellDamage = ignore): Promise<Dataset[]> {
    const ids = await this.datasetIds(project);
    return readPresent(
      ids.map((id) => this.datasetFile(project, id)),
      tell,
    );
  }

  /** A dataset by its id. */
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

  /** All keys of a project, by name, without those that cannot be read. */
  async keys(project: string, tell: TellDamage = ignore): Promise<Key[]> {
    const names = await this.keyNames(project);
    return readSound(
      names.map((name) => this.keyFile(project, name)),
      tell,
    );
  }

  /** A key by its name. */
  async key(project: string, name: string): Promise<Key> {
    const owner = (await this.project(project)).name;
    const key = checkName(name) === undefined ? await this.keyFile(owner, name) : undefined;
    if (key !== undefined) return key;
    const names = (await this.keys(owner)).map((known) => known.name).join(', ');
    throw new CatalogError(
      `there is no key ${name} in ${project}: ${names === '' ? 'it has no keys' : `there is ${names}`}`,
    );
  }

  /** The folders of a dataset's versions, by the ids of the versions. */
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
   * The file of a project, one that is deleted too; undefined if there is none.
   *
   * @throws {DamagedFileError} where it cannot be read, or is missing though there are datasets.
   */
  projectFile(name: string): Promise<Project | undefined> {
    const isSound = (json: unknown) => isProject(json, name);
    return this.readWhole(paths.projectFile(this.folder, name), isSound, paths.datasets(this.folder, name));
  }

  /** The file of a dataset. As {@link projectFile}. */
  datasetFile(project: string, id: string): Promise<Dataset | undefined> {
    const isSound = (json: unknown) => isDataset(json, id);
    const versions = paths.versions(this.folder, project, id);
    return this.readWhole(paths.datasetFile(this.folder, project, id), isSound, versions);
  }

  /** The file of a key; undefined if there is none. */
  keyFile(project: string, name: string): Promise<Key | undefined> {
    return this.read(paths.keyFile(this.folder, project, name), (json) => isKey(json, name));
  }

  /** What has something below it had a file. */
  private async readWhole<T>(
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

function assertNone(problem: string | undefined): void {
  if (problem !== undefined) throw new CatalogError(problem);
}

/** As {@link readSound}, without what is deleted. */
async function readPresent<T extends { readonly deleted?: true }>(
  reading: readonly Promise<T | undefined>[],
  tell: TellDamage,
): Promise<T[]> {
  return (await readSound(reading, tell)).filter(({ deleted }) => !deleted);
}

function ignore(): void {}
