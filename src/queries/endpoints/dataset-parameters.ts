import { omitUndefined } from '../../base/objects.ts';
import type { RequestContext, RequestTarget } from '../services.ts';
import { type ParameterKind, string } from './kinds.ts';
import { allowParameter, type ValuesOf } from './parameter.ts';

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

/** Returns the data that a query reads: all of the project, or the dataset and version that its parameters name. */
export function getTarget({ access, signal }: RequestContext, values: DatasetValues): RequestTarget {
  const filter = omitUndefined({ datasetId: values.dataset_id, versionId: values.dataset_version });
  return { access, filter, signal };
}
