import type { DatasetVersion } from './dataset-version.ts';
import { ServiceError } from './errors.ts';
import type { OpenDataset } from './open-dataset.ts';
import type { OpenProject } from './open-project.ts';

/** @throws {ServiceError} where a version is damaged. */
export function assertSound(datasetId: string, { damage, record }: DatasetVersion): void {
  if (damage !== undefined) throw createDamageError(`Dataset ${datasetId}, version ${record.versionId}`, damage);
}

/**
 * Expects to know what there is to read of a dataset, or of all.
 *
 * @throws {ServiceError} where the file of one is damaged: nobody is answered with fewer records.
 */
export function assertReadable(project: OpenProject | undefined, datasetId: string | undefined): void {
  for (const [id, name] of project?.damagedDatasets ?? []) {
    if (datasetId === undefined || id === datasetId)
      throw createDamageError(`Dataset ${id}`, `its ${name} cannot be read`);
  }
}

/** Refuses what something damaged is needed for, in words. */
export function createDamageError(what: string, damage: string): ServiceError {
  const cure = 'Restore it from a backup, or delete it and import the data again. `onwhere fsck` says more.';
  return new ServiceError(503, `${what} is damaged: ${damage}. ${cure}`);
}

/**
 * The versions of a dataset that questions are about.
 *
 * @throws {ServiceError} where one is damaged: an older one never answers in place of it.
 */
export function selectVersions(dataset: OpenDataset, versionId: string | undefined): DatasetVersion[] {
  const version = versionId === undefined ? dataset.live : dataset.find(versionId);
  if (version === undefined) return [];
  assertSound(dataset.datasetId, version);
  return [version];
}
