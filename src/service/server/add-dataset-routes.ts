import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Access } from '../datasets/access.ts';
import type { Datasets } from '../datasets/datasets.ts';
import { readState } from './parameters.ts';
import { createDataSchema, VERSION } from './schemas.ts';

/** What a server asks of the datasets. */
export type DatasetsService = Pick<Datasets, keyof Datasets>;

const VERSIONS = '/datasets/:dataset_id/versions';
const ONE = `${VERSIONS}/:version_id`;

interface Of {
  readonly Params: { readonly dataset_id: string };
  readonly Querystring: { readonly token: string };
  readonly Body: { readonly token: string };
}

interface OfVersion {
  readonly Params: { readonly dataset_id: string; readonly version_id: string };
  readonly Querystring: { readonly token: string };
  readonly Body: { readonly token: string; readonly state?: unknown };
}

const DATASET = { path: ['dataset_id'], required: ['token'] } as const;
const DATASET_VERSION = { path: ['dataset_id', 'version_id'], required: ['token'] } as const;
const NOTHING = { type: 'null' };

/** The operations on versions of datasets. */
export function addDatasetRoutes(app: FastifyInstance, datasets: DatasetsService): void {
  app.post<Of>(
    VERSIONS,
    {
      schema: createDataSchema({ ...DATASET, operationId: 'createVersion', summary: 'A new version' }, 'body', VERSION),
    },
    async (request) => {
      const { params, body } = request;
      return { data: await datasets.createVersion(getAccess(request), body.token, params.dataset_id) };
    },
  );

  const list = { type: 'array', items: VERSION };
  app.get<Of>(
    VERSIONS,
    {
      schema: createDataSchema(
        { ...DATASET, operationId: 'listVersions', summary: 'All versions' },
        'querystring',
        list,
      ),
    },
    async (request) => {
      const { params, query } = request;
      return { data: await datasets.versions(getAccess(request), query.token, params.dataset_id) };
    },
  );

  const get = { ...DATASET_VERSION, operationId: 'getVersion', summary: 'One version' };
  app.get<OfVersion>(ONE, { schema: createDataSchema(get, 'querystring', VERSION) }, async (request) => {
    const { params, query } = request;
    return { data: await datasets.version(getAccess(request), query.token, params.dataset_id, params.version_id) };
  });

  const update = {
    path: DATASET_VERSION.path,
    required: ['token', 'state'],
    operationId: 'updateVersion',
    summary: 'Set the state of a version',
  } as const;
  app.patch<OfVersion>(ONE, { schema: createDataSchema(update, 'body', NOTHING) }, async (request) => {
    const { params, body } = request;
    const state = readState(body.state);
    await datasets.setState(getAccess(request), body.token, params.dataset_id, params.version_id, state);
    return { data: null };
  });

  const remove = { ...DATASET_VERSION, operationId: 'deleteVersion', summary: 'Delete a version' };
  app.delete<OfVersion>(ONE, { schema: createDataSchema(remove, 'body', NOTHING) }, async (request) => {
    const { params, body } = request;
    await datasets.deleteVersion(getAccess(request), body.token, params.dataset_id, params.version_id);
    return { data: null };
  });
}

/** What the secret of a request opens, which is known before its handler runs. */
export function getAccess(request: Pick<FastifyRequest, 'access'>): Access {
  if (request.access === undefined) throw new Error('a handler ran before access was granted');
  return request.access;
}
