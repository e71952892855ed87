import { join } from 'node:path';

/** Where in a data folder things are. */
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
  /** What does not fit into the memory of the process that has the folder open. */
  temporary: (folder: string) => join(folder, 'temporary'),
  /** Versions that a command is still making. */
  incoming: (folder: string) => join(folder, 'incoming'),
} as const;
