import type { EventExports } from '../../analytics/event-exports.ts';
import type { AnswerStream } from '../../analytics/open-answer.ts';
import type { PeopleSessions } from '../../analytics/people-sessions.ts';
import type { QueryExecutor } from '../../analytics/query-executor.ts';
import type { QueryQueue } from '../../analytics/query-queue.ts';
import type { Access } from '../../datasets/access.ts';
import type { Annotations } from '../../datasets/annotations.ts';
import type { Datasets } from '../../datasets/datasets.ts';
import type { Funnels } from '../../datasets/funnels.ts';

/** The services that endpoints use. */
export interface Services {
  readonly datasets: Pick<Datasets, 'read' | 'stateOf' | 'versionsOf' | 'list'>;
  readonly annotations: Pick<Annotations, 'list' | 'create' | 'update' | 'remove'>;
  readonly funnels: Pick<Funnels, 'list' | 'find'>;
  readonly people: Pick<PeopleSessions, 'page'>;
  readonly exports: { open(...request: Parameters<EventExports['open']>): Promise<string | AnswerStream> };
  readonly desk: Pick<QueryExecutor, 'ask'> & { readonly turns: Pick<QueryQueue, 'take'> };
}

/** The context of a request. */
export interface RequestContext {
  readonly access: Access;
  readonly services: Services;
  /** Aborts when the client disconnects or the server stops. */
  readonly signal: AbortSignal;
}
