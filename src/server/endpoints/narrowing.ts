import type { QueryTarget } from '../../analytics/query-desk.ts';
import type { DatasetFilter } from '../../datasets/datasets.ts';
import { ServiceError } from '../../datasets/service-error.ts';
import { omitUndefined } from '../../util/given.ts';
import { type Kind, text } from './kinds.ts';
import { optional, type ValuesOf } from './parameter.ts';
import { published } from './published.ts';
import type { Asker } from './services.ts';

const datasetId: Kind<string> = { ...text, takes: 'the name of a dataset' };
const versionId: Kind<string> = { ...text, takes: 'a `version_id`' };

/** The parameters that say what data a query reads. */
export const NARROWING = {
  dataset_id: optional(datasetId, 'Reads this dataset only, instead of all of the project.'),
  dataset_version: optional(
    versionId,
    'Reads this version only, which need not be live, instead of the newest live one of each dataset.',
  ),
} as const;

type Narrowed = ValuesOf<typeof NARROWING>;

/** What the parameters of a query narrow it to. */
export function narrowingOf({ dataset_id, dataset_version }: Narrowed): DatasetFilter {
  return omitUndefined({ datasetId: dataset_id, versionId: dataset_version });
}

/** The data that the parameters of a query mean. */
export function queriedData({ access, services }: Asker, narrowed: Narrowed): QueryTarget {
  const { datasets } = services;
  const narrowing = narrowingOf(narrowed);
  return {
    project: access.project.name,
    timeZone: access.project.timeZone,
    state: () => orInvalid(datasets.stateOf(access, narrowing)),
    read: (work, options) => orInvalid(datasets.read(access, narrowing, work, options)),
  };
}

/**
 * The result of reading data.
 *
 * @throws {Refusal} for the parameter that names what there is not.
 */
export async function orInvalid<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const missing = error instanceof ServiceError ? error.missing : undefined;
    if (missing === undefined) throw error;
    throw published.invalid(missing === 'dataset' ? 'dataset_id' : 'dataset_version', (error as ServiceError).message);
  }
}
