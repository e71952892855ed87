import type { FastifyInstance } from 'fastify';
import type { SegmentRegistry } from '../../segments/segment-registry.ts';
import { getAccess } from './add-dataset-routes.ts';
import { createDataSchema, SEGMENT } from './schemas.ts';

/** The public methods of the segments. */
export type SegmentsService = Pick<SegmentRegistry, keyof SegmentRegistry>;

const SEGMENTS = '/segments';

interface CreateRoute {
  readonly Body: { readonly name: string; readonly where: string; readonly event?: string };
}

interface DeleteRoute {
  readonly Body: { readonly name: string };
}

/** Adds the routes that create, list and delete segments. */
export function addSegmentRoutes(app: FastifyInstance, segments: SegmentsService): void {
  const create = {
    operationId: 'createSegment',
    summary: 'Create a segment, or replace the one with its name',
    required: ['name', 'where'],
    optional: ['event'],
  } as const;
  app.post<CreateRoute>(SEGMENTS, { schema: createDataSchema(create, 'body', SEGMENT) }, async (request) => {
    const { name, where, event } = request.body;
    return { data: await segments.put(getAccess(request), name, where, event) };
  });

  const list = { operationId: 'listSegments', summary: 'List the segments of the project', required: [] } as const;
  const listSchema = createDataSchema(list, 'querystring', { type: 'array', items: SEGMENT });
  app.get(SEGMENTS, { schema: listSchema }, async (request) => ({ data: await segments.list(getAccess(request)) }));

  const remove = { operationId: 'deleteSegment', summary: 'Delete a segment', required: ['name'] } as const;
  app.delete<DeleteRoute>(SEGMENTS, { schema: createDataSchema(remove, 'body', { type: 'null' }) }, async (request) => {
    await segments.remove(getAccess(request), request.body.name);
    return { data: null };
  });
}
