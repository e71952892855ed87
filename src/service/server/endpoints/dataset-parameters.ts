import { omitUndefined } from '../../../base/objects.ts';
import type { QueryTarget } from '../../analytics/query-executor.ts';
import { ServiceError } from '../../datasets/errors.ts';
import type { DatasetFilter } from '../../datasets/find-datasets.ts';
import { apiErrors } from './api-errors.ts';
import { type ParameterKind, string } from './kinds.ts';
import { allowParameter, type ValuesOf } from './parameter.ts';
import type { RequestContext } from './request-context.ts';

const datasetId: ParameterKind<string> = { ...string, takes: 'the name of a dataset' };
const versionId: ParameterKind<string> = { ...string, takes: 'the ID of a version' };

/** The parameters that restrict a query to one dataset or version. */
export const DATASET_PARAMETERS = {
  dataset_id: allowParameter(
    datasetId,
    'Reads only this dataset. By default, the query reads every dataset of the project.',
  ),
  dataset_version: allowParameter(
    versionId,
    'Reads only this version, live or not. By default, the query reads the newest live version of each dataset.',
  ),
} as const;

type DatasetValues = ValuesOf<typeof DATASET_PARAMETERS>;

/** Returns the dataset and version that the parameters of a query name, if any. */
export function readDatasetFilter({ dataset_id, dataset_version }: DatasetValues): DatasetFilter {
  return omitUndefined({ datasetId: dataset_id, versionId: dataset_version });
}

/** Returns the data that a query reads: its project, time zone, and a way to read its versions. */
export function getQueryTarget({ access, services }: RequestContext, values: DatasetValues): QueryTarget {
  const { datasets } = services;
  const filter = readDatasetFilter(values);
  return {
    project: access.project.name,
    timeZone: access.project.timeZone,
    state: () => reportInvalid(datasets.stateOf(access, filter)),
    versions: () => reportInvalid(datasets.versionsOf(access, filter)),
    read: (work, options) => reportInvalid(datasets.read(access, filter, work, options)),
  };
}

/**
 * Waits for a read and reports a missing dataset or version as an invalid parameter.
 *
 * @throws {HttpError} if `dataset_id` or `dataset_version` names no dataset or readable version
 */
export async function reportInvalid<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const missing = error instanceof ServiceError ? error.missing : undefined;
    if (missing === undefined) throw error;
    throw apiErrors.invalid(missing === 'dataset' ? 'dataset_id' : 'dataset_version', (error as ServiceError).message);
  }
}
