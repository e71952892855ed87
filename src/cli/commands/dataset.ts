import { Catalog } from '../../service/datasets/catalog/catalog.ts';
import type { Io } from '../io.ts';
import { loadConfiguration } from '../load-configuration.ts';
import { renderTable } from '../terminal/table.ts';
import { type CatalogOptions, warnOfFolder } from './project.ts';

interface DatasetOptions extends CatalogOptions {
  /** The name of a project. */
  readonly project: string;
}

/** Creates a dataset and prints its secret, which is not shown again. */
export async function createDataset(
  io: Io,
  datasetId: string,
  { json, project, ...flags }: DatasetOptions,
): Promise<void> {
  const { secret } = await new Catalog((await loadConfiguration(io, flags)).data).createDataset(project, datasetId);
  if (json) return io.out.print([JSON.stringify({ dataset_id: datasetId, secret })]);
  await io.out.print([
    `secret  ${secret}   for this dataset only: the user name of Basic authentication, with an empty password`,
    'Save it now. It is stored only as a hash and cannot be shown again.',
  ]);
}

/** Lists the datasets of a project. */
export async function listDatasets(io: Io, { json, project, ...flags }: DatasetOptions): Promise<void> {
  const catalog = new Catalog((await loadConfiguration(io, flags)).data);
  const { name } = await catalog.project(project);
  const datasets = await catalog.datasets(name, (error) => warnOfFolder(io, error));
  if (json) return io.out.print([JSON.stringify(datasets.map(({ datasetId }) => ({ dataset_id: datasetId })))]);
  const columns = [{ title: 'dataset', align: 'left' as const }];
  await io.out.print(
    renderTable(
      columns,
      datasets.map(({ datasetId }) => [datasetId]),
    ),
  );
}
