import { ServiceError } from '../../../queries/service-error.ts';
import type { DatasetVersion } from '../versions/dataset-version.ts';
import type { OpenDataset } from './open-dataset.ts';
import type { OpenProject } from './open-project.ts';

/** @throws {ServiceError} 503 if the version is damaged */
export function assertSound(datasetId: string, { damage, record }: DatasetVersion): void {
  if (damage !== undefined) throw createDamageError(`Dataset ${datasetId}, version ${record.versionId}`, damage);
}

/**
 * Asserts that the versions of a dataset, or of all datasets, are known.
 *
 * @throws {ServiceError} 503 if a file is damaged, so that no query silently misses records
 */
export function assertReadable(project: OpenProject | undefined, datasetId: string | undefined): void {
  for (const [id, name] of project?.damagedDatasets ?? []) {
    if (datasetId === undefined || id === datasetId)
      throw createDamageError(`Dataset ${id}`, `its ${name} cannot be read`);
  }
}

/** Creates the error for a request that needs damaged data. */
export function createDamageError(what: string, damage: string): ServiceError {
  const cure = 'Restore it from a backup, or delete it and import the data again. `onwhere fsck` says more.';
  return new ServiceError(503, `${what} is damaged: ${damage}. ${cure}`);
}

/**
 * Returns the version that a query reads: the given one, or the live one. Empty if there is none.
 *
 * @throws {ServiceError} 503 if it is damaged; an older version never replaces it
 */
export function selectVersions(dataset: OpenDataset, versionId: string | undefined): DatasetVersion[] {
  const version = versionId === undefined ? dataset.live : dataset.find(versionId);
  if (version === undefined) return [];
  assertSound(dataset.datasetId, version);
  return [version];
}
