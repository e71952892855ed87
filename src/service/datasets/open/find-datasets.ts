import { type Access, assertPermission } from '../../../queries/access.ts';
import { ServiceError } from '../../../queries/service-error.ts';
import type { DatasetFilter } from '../../../queries/services.ts';
import type { DatasetVersion } from '../versions/dataset-version.ts';
import type { OpenDataset } from './open-dataset.ts';
import type { OpenDatasets } from './open-datasets.ts';
import { assertReadable } from './select-versions.ts';

/**
 * Returns a dataset of the project that `access` is for.
 *
 * @throws {ServiceError} 401 if the access is to another dataset, 404 if there is no such dataset, 503 if it is damaged
 */
export async function findDataset(open: OpenDatasets, access: Access, datasetId: string): Promise<OpenDataset> {
  if (access.datasetId !== undefined && access.datasetId !== datasetId) {
    throw new ServiceError(401, 'This secret opens another dataset.');
  }
  const found = await open.dataset(access.project.name, datasetId);
  if (found !== undefined) return found;
  assertReadable(open.project(access.project.name), datasetId);
  throw new ServiceError(404, 'There is no such dataset in this project: create it first.', { missing: 'dataset' });
}

/**
 * Returns a version of a dataset.
 *
 * @throws {ServiceError} like {@link findDataset}, and 404 if there is no such version
 */
export async function findVersion(
  open: OpenDatasets,
  access: Access,
  datasetId: string,
  versionId: string,
): Promise<DatasetVersion> {
  const dataset = await findDataset(open, access, datasetId);
  const found = await open.find(() => dataset.find(versionId));
  if (found === undefined) throw new ServiceError(404, 'There is no such version of this dataset.');
  return found;
}

/**
 * Returns the datasets that a query reads.
 *
 * @throws {ServiceError} like {@link findDataset}, and 404 if the version does not exist or is not readable
 */
export async function findQueriedDatasets(
  open: OpenDatasets,
  access: Access,
  { datasetId = access.datasetId, versionId }: DatasetFilter,
): Promise<readonly OpenDataset[]> {
  assertPermission(access, 'query');
  const dataset = datasetId === undefined ? undefined : await findDataset(open, access, datasetId);
  if (dataset === undefined) await open.refreshDatasets(access.project.name);
  assertReadable(open.project(access.project.name), datasetId);
  const list = () => (dataset === undefined ? open.datasets(access.project.name) : [dataset]);
  if (versionId === undefined) {
    // The first query finds what a command has just imported.
    await open.find(() => list().find(({ live }) => live));
    return list();
  }
  const found = await open.find(() => list().find((one) => one.find(versionId)?.record.readable));
  if (found !== undefined) return [found];
  const message = 'There is no such version here, or it is not readable.';
  throw new ServiceError(404, message, { missing: 'version' });
}
