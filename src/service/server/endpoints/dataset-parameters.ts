import { omitUndefined } from '../../../lang/util/objects.ts';
import type { QueryTarget } from '../../analytics/query-executor.ts';
import { ServiceError } from '../../datasets/errors.ts';
import type { DatasetFilter } from '../../datasets/find-datasets.ts';
import { apiErrors } from './api-errors.ts';
import { type ParameterKind, text } from './kinds.ts';
import { allowParameter, type ValuesOf } from './parameter.ts';
import type { RequestContext } from './request-context.ts';

const datasetId: ParameterKind<string> = { ...text, takes: 'the name of a dataset' };
const versionId: ParameterKind<string> = { ...text, takes: 'a `version_id`' };

/** The parameters that say what data a query reads. */
export const DATASET_PARAMETERS = {
  dataset_id: allowParameter(datasetId, 'Reads this dataset only, instead of all of the project.'),
  dataset_version: allowParameter(
    versionId,
    'Reads this version only, which need not be live, instead of the newest live one of each dataset.',
  ),
} as const;

type Narrowed = ValuesOf<typeof DATASET_PARAMETERS>;

/** What the parameters of a query narrow it to. */
export function readDatasetFilter({ dataset_id, dataset_version }: Narrowed): DatasetFilter {
  return omitUndefined({ datasetId: dataset_id, versionId: dataset_version });
}

/** The data that the parameters of a query mean. */
export function getQueryTarget({ access, services }: RequestContext, narrowed: Narrowed): QueryTarget {
  const { datasets } = services;
  const narrowing = readDatasetFilter(narrowed);
  return {
    project: access.project.name,
    timeZone: access.project.timeZone,
    state: () => reportInvalid(datasets.stateOf(access, narrowing)),
    read: (work, options) => reportInvalid(datasets.read(access, narrowing, work, options)),
  };
}

/**
 * The result of reading data.
 *
 * @throws {HttpError} for the parameter that names what there is not.
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
