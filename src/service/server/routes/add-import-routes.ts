import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RECORD_KINDS } from '../../store/store.ts';
import type { Metrics } from '../monitoring/metrics.ts';
import { answerFailure, isVerbose } from '../responses/error-answers.ts';
import { type DatasetsService, getAccess } from './add-dataset-routes.ts';
import type { SavedFiltersService } from './add-saved-filter-routes.ts';
import { createImportSchema } from './schemas.ts';

interface Import {
  readonly Body: { readonly data: string; readonly dataset_id: string; readonly dataset_version: string };
}

/** Adds the routes that import batches of records. A batch is imported completely or not at all. */
export function addImportRoutes(
  app: FastifyInstance,
  datasets: DatasetsService,
  filters: SavedFiltersService,
  metrics: Metrics,
): void {
  for (const kind of RECORD_KINDS) {
    const schema = createImportSchema({
      operationId: kind === 'events' ? 'importEvents' : 'importPeople',
      summary: `Import ${kind} into a version`,
      required: ['data', 'dataset_id', 'dataset_version'],
      optional: ['verbose'],
    });
    app.post<Import>(
      `/import-${kind}`,
      {
        schema,
        errorHandler(error, request, reply) {
          const { status } = answerFailure(error, request, reply);
          if (request.access !== undefined) metrics.countRefusedImport(kind, status);
        },
      },
      async (request, reply) => {
        const { data, dataset_id, dataset_version } = request.body;
        const batch = { datasetId: dataset_id, versionId: dataset_version, data };
        const access = getAccess(request);
        const work = (async () => {
          const lines = await datasets.importRecords(access, kind, batch);
          metrics.countImport(kind, lines.length, request.bodyBytes);
          return kind === 'events' ? filters.match(access, { ...batch, lines }) : undefined;
        })();
        request.work = work;
        const matched = await work;
        if (isVerbose(request as FastifyRequest)) return { error: null, status: 1, ...matched };
        return reply.type('text/plain; charset=utf-8').send('1');
      },
    );
  }
}
