import type { FastifyInstance } from 'fastify';
import type { SavedFilterRegistry } from '../../saved-filters/saved-filter-registry.ts';
import { getAccess } from './add-dataset-routes.ts';
import { createDataSchema, SAVED_FILTER } from './schemas.ts';

/** The public methods of the saved filters. */
export type SavedFiltersService = Pick<SavedFilterRegistry, keyof SavedFilterRegistry>;

const SAVED_FILTERS_PATH = '/segments';

interface CreateRoute {
  readonly Body: { readonly name: string; readonly where: string; readonly event?: string };
}

interface DeleteRoute {
  readonly Body: { readonly name: string };
}

/** Adds the routes that create, list and delete saved filters. */
export function addSavedFilterRoutes(app: FastifyInstance, filters: SavedFiltersService): void {
  const create = {
    operationId: 'createSegment',
    summary: 'Create a saved filter, or replace the one with its name',
    required: ['name', 'where'],
    optional: ['event'],
  } as const;
  app.post<CreateRoute>(
    SAVED_FILTERS_PATH,
    { schema: createDataSchema(create, 'body', SAVED_FILTER) },
    async (request) => {
      const { name, where, event } = request.body;
      return { data: await filters.put(getAccess(request), name, where, event) };
    },
  );

  const list = { operationId: 'listSegments', summary: 'List the saved filters of the project', required: [] } as const;
  const listSchema = createDataSchema(list, 'querystring', { type: 'array', items: SAVED_FILTER });
  app.get(SAVED_FILTERS_PATH, { schema: listSchema }, async (request) => ({
    data: await filters.list(getAccess(request)),
  }));

  const remove = { operationId: 'deleteSegment', summary: 'Delete a saved filter', required: ['name'] } as const;
  app.delete<DeleteRoute>(
    SAVED_FILTERS_PATH,
    { schema: createDataSchema(remove, 'body', { type: 'null' }) },
    async (request) => {
      await filters.remove(getAccess(request), request.body.name);
      return { data: null };
    },
  );
}
