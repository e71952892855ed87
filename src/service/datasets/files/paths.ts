import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The paths in a data folder. */
export const paths = {
  projects: (folder: string) => join(folder, 'projects'),
  project: (folder: string, project: string) => join(folder, 'projects', project),
  projectFile: (folder: string, project: string) => join(folder, 'projects', project, 'project.json'),
  datasets: (folder: string, project: string) => join(folder, 'projects', project, 'datasets'),
  dataset: (folder: string, project: string, dataset: string) => join(folder, 'projects', project, 'datasets', dataset),
  datasetFile: (folder: string, project: string, dataset: string) =>
    join(folder, 'projects', project, 'datasets', dataset, 'dataset.json'),
  versions: (folder: string, project: string, dataset: string) =>
    join(folder, 'projects', project, 'datasets', dataset, 'versions'),
  keys: (folder: string, project: string) => join(folder, 'projects', project, 'keys'),
  keyFile: (folder: string, project: string, key: string) => join(folder, 'projects', project, 'keys', `${key}.json`),
  annotations: (folder: string, project: string) => join(folder, 'projects', project, 'annotations'),
  funnels: (folder: string, project: string) => join(folder, 'projects', project, 'funnels'),
  /** Existing data folders have it under this name. */
  savedFilters: (folder: string, project: string) => join(folder, 'projects', project, 'segments'),
  /** Notices that wait for delivery. */
  webhooks: (folder: string) => join(folder, 'webhooks'),
  /** Temporary files of the process that has the folder open. */
  temporary: (folder: string) => join(folder, 'temporary'),
  /** Copies of small versions, for queries of many. */
  copies: (folder: string) => join(folder, 'copies.duckdb'),
  /** Versions that commands are still creating. */
  incoming: (folder: string) => join(folder, 'incoming'),
} as const;

/** Returns the sorted names of the folders in a folder; none if it does not exist. */
export async function listFolders(folder: string): Promise<string[]> {
  return (await readEntries(folder)).flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}

/** Returns the sorted names of the JSON files in a folder without the extension; none if it does not exist. */
export async function listJsonFiles(folder: string): Promise<string[]> {
  const names = (await readEntries(folder)).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
  return names.flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : [])).sort();
}

async function readEntries(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
