import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Access } from '../../../queries/access.ts';
import type { Datasets } from '../../datasets/datasets.ts';
import { readState } from '../requests/parameters.ts';
import { createDataSchema, VERSION } from './schemas.ts';

/** The public methods of the datasets. */
export type DatasetsService = Pick<Datasets, keyof Datasets>;

const VERSIONS = '/datasets/:dataset_id/versions';
const VERSION_PATH = `${VERSIONS}/:version_id`;

interface DatasetRoute {
  readonly Params: { readonly dataset_id: string };
  readonly Querystring: { readonly token: string };
  readonly Body: { readonly token: string };
}

interface VersionRoute {
  readonly Params: { readonly dataset_id: string; readonly version_id: string };
  readonly Querystring: { readonly token: string };
  readonly Body: { readonly token: string; readonly state?: unknown };
}

const DATASET = { path: ['dataset_id'], required: ['token'] } as const;
const DATASET_VERSION = { path: ['dataset_id', 'version_id'], required: ['token'] } as const;
const NULL = { type: 'null' };

/** Adds the routes that create, list, update and delete versions of datasets. */
export function addDatasetRoutes(app: FastifyInstance, datasets: DatasetsService): void {
  app.post<DatasetRoute>(
    VERSIONS,
    {
      schema: createDataSchema(
        { ...DATASET, operationId: 'createVersion', summary: 'Create a version' },
        'body',
        VERSION,
      ),
    },
    async (request) => {
      const { params, body } = request;
      return { data: await datasets.createVersion(getAccess(request), body.token, params.dataset_id) };
    },
  );

  const list = { type: 'array', items: VERSION };
  app.get<DatasetRoute>(
    VERSIONS,
    {
      schema: createDataSchema(
        { ...DATASET, operationId: 'listVersions', summary: 'List versions' },
        'querystring',
        list,
      ),
    },
    async (request) => {
      const { params, query } = request;
      return { data: await datasets.versions(getAccess(request), query.token, params.dataset_id) };
    },
  );

  const get = { ...DATASET_VERSION, operationId: 'getVersion', summary: 'Get a version' };
  app.get<VersionRoute>(VERSION_PATH, { schema: createDataSchema(get, 'querystring', VERSION) }, async (request) => {
    const { params, query } = request;
    return { data: await datasets.version(getAccess(request), query.token, params.dataset_id, params.version_id) };
  });

  const update = {
    path: DATASET_VERSION.path,
    required: ['token', 'state'],
    operationId: 'updateVersion',
    summary: 'Update the state of a version',
  } as const;
  app.patch<VersionRoute>(VERSION_PATH, { schema: createDataSchema(update, 'body', NULL) }, async (request) => {
    const { params, body } = request;
    const state = readState(body.state);
    await datasets.setState(getAccess(request), body.token, params.dataset_id, params.version_id, state);
    return { data: null };
  });

  const remove = { ...DATASET_VERSION, operationId: 'deleteVersion', summary: 'Delete a version' };
  app.delete<VersionRoute>(VERSION_PATH, { schema: createDataSchema(remove, 'body', NULL) }, async (request) => {
    const { params, body } = request;
    await datasets.deleteVersion(getAccess(request), body.token, params.dataset_id, params.version_id);
    return { data: null };
  });
}

/** Returns the access of a request. Only for handlers: hooks grant access before handlers run. */
export function getAccess(request: Pick<FastifyRequest, 'access'>): Access {
  if (request.access === undefined) throw new Error('a handler ran before access was granted');
  return request.access;
}
