import { randomInt } from 'node:crypto';
import { createFile } from '../storage/create-file.ts';
import { makeFolder } from '../storage/make-folder.ts';
import { CatalogError } from './catalog-error.ts';
import { foldersIn } from './folders-in.ts';
import { paths } from './paths.ts';
import { type Dataset, type Project, problemOfDatasetId, problemOfName, problemOfTimeZone } from './project.ts';
import { readJson } from './read-json.ts';
import { hashSecret, makeSecret } from './secrets.ts';

/**
 * The projects and datasets of a data folder, each a file that is made whole and never changed, so that commands make them while a
 * server reads them.
 */
export class Catalog {
  constructor(private readonly folder: string) {}

  /** Makes a project with a token and a secret of its own. */
  async createProject(name: string, timeZone: string): Promise<Project> {
    expectNone(problemOfName(name) ?? problemOfTimeZone(timeZone));
    const project: Project = { id: randomInt(1, 2 ** 31), name, token: makeSecret(), secret: makeSecret(), timeZone };
    await makeFolder(paths.project(this.folder, name));
    await this.create(paths.projectFile(this.folder, name), project, `there is a project ${name} already`);
    return project;
  }

  /** Makes a dataset, and answers the secret that opens it, which is kept nowhere. */
  async createDataset(projectName: string, datasetId: string): Promise<{ readonly secret: string }> {
    expectNone(problemOfDatasetId(datasetId));
    const { name } = await this.project(projectName);
    const secret = makeSecret();
    const dataset: Dataset = { datasetId, secretHash: hashSecret(secret) };
    await makeFolder(paths.dataset(this.folder, name, datasetId));
    const taken = `there is a dataset ${datasetId} in ${name} already`;
    await this.create(paths.datasetFile(this.folder, name, datasetId), dataset, taken);
    return { secret };
  }

  /** A project by its name. */
  async project(name: string): Promise<Project> {
    expectNone(problemOfName(name));
    const project = await readJson<Project>(paths.projectFile(this.folder, name));
    if (project !== undefined) return project;
    const names = (await this.projects()).map((known) => known.name).join(', ');
    throw new CatalogError(`there is no project ${name}: ${names === '' ? 'make one first' : `there is ${names}`}`);
  }

  /** All projects, by name. */
  async projects(): Promise<Project[]> {
    const names = await foldersIn(paths.projects(this.folder));
    return present(names.map((name) => readJson<Project>(paths.projectFile(this.folder, name))));
  }

  /** All datasets of a project, by their ids. */
  async datasets(project: string): Promise<Dataset[]> {
    const ids = await foldersIn(paths.datasets(this.folder, project));
    return present(ids.map((id) => readJson<Dataset>(paths.datasetFile(this.folder, project, id))));
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

  /** The folders of a dataset's versions, by the ids of the versions. */
  async versions(project: string, datasetId: string): Promise<string[]> {
    return foldersIn(paths.versions(this.folder, project, datasetId));
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

function expectNone(problem: string | undefined): void {
  if (problem !== undefined) throw new CatalogError(problem);
}

async function present<T>(values: readonly Promise<T | undefined>[]): Promise<T[]> {
  return (await Promise.all(values)).filter((value) => value !== undefined);
}
