import type { Access } from '../../../queries/access.ts';
import type { AnswerStream } from '../../../queries/answer-stream.ts';
import type { AnnotationService, DatasetFilter, FunnelService, Services } from '../../../queries/services.ts';
import type { QueryExecutor, QueryTarget } from '../../analytics/execution/query-executor.ts';
import type { QueryQueue } from '../../analytics/execution/query-queue.ts';
import type { EventExports } from '../../analytics/exports/event-exports.ts';
import type { PeopleSessions } from '../../analytics/people/people-sessions.ts';
import type { DatasetsService } from './add-dataset-routes.ts';

/** The parts of a server that answer endpoints. */
interface EndpointParts {
  readonly datasets: Pick<DatasetsService, 'read' | 'stateOf' | 'versionsOf' | 'list'>;
  readonly annotations: AnnotationService;
  readonly funnels: FunnelService;
  readonly people: Pick<PeopleSessions, 'page'>;
  readonly exports: { open(...request: Parameters<EventExports['open']>): Promise<string | AnswerStream> };
  readonly executor: Pick<QueryExecutor, 'ask'> & { readonly turns: Pick<QueryQueue, 'take'> };
}

/** The parts of a server, which it closes when it stops. */
export interface ServedParts extends EndpointParts {
  readonly datasets: DatasetsService;
  readonly executor: QueryExecutor;
  close(): Promise<void>;
}

/** Creates what answers endpoints from the parts of a server. */
export function createEndpointServices(parts: EndpointParts): Services {
  const { datasets, annotations, funnels, people, exports, executor } = parts;
  const toTarget = (access: Access, filter: DatasetFilter): QueryTarget => ({
    project: access.project.name,
    timeZone: access.project.timeZone,
    state: () => datasets.stateOf(access, filter),
    versions: () => datasets.versionsOf(access, filter),
    read: (work, options) => datasets.read(access, filter, work, options),
  });
  return {
    annotations,
    funnels,
    ask: ({ access, filter, signal }, job) => executor.ask(toTarget(access, filter), job, signal),
    exportEvents: ({ access, filter, signal }, request) => exports.open(toTarget(access, filter), request, signal),
    listPeople: ({ access, filter, signal }, request) =>
      executor.turns.take(access.project.name, (limited) => people.page(access, filter, request, limited), signal),
    listDatasets: (access) => datasets.list(access),
  };
}
