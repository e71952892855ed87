import type { FilterCounts } from '../../../data/clause-counts.ts';
import type { AbsentName } from '../../../data/name-census.ts';
import type {
  Choice,
  EventsQuery,
  EventsResult,
  EventsSource,
  LoadProgress,
  Page,
  ReadingChoices,
  Reply,
  Request,
} from './messages.ts';

/** Receives messages of the worker. */
export interface Listener {
  onProgress(progress: LoadProgress): void;
  onResult(result: EventsResult): void;
  /** Follows a result if its expressions name something that no event has. */
  onAbsent(query: EventsQuery, absent: readonly AbsentName[]): void;
}

/** Runs queries in the worker that holds the events. */
export class EventClient {
  private readonly worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  private readonly pages = new Map<number, (page: Page) => void>();
  private readonly counts = new Map<number, (counts: FilterCounts | undefined) => void>();
  private lastId = 0;

  constructor(private readonly listener: Listener) {
    this.worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => this.receive(data));
  }

  /** Replaces the events by those of a source. */
  open(source: EventsSource, choices: ReadingChoices): void {
    this.send({ kind: 'open', source, choices });
  }

  /** Runs a query and cancels the previous one. */
  query(query: EventsQuery): void {
    this.send({ kind: 'query', query });
  }

  /** Returns up to `limit` events from an index on, with the outcome of the last query. */
  list(choice: Choice, from: number, limit: number): Promise<Page> {
    const id = ++this.lastId;
    this.send({ kind: 'list', id, choice, from, limit });
    return new Promise((resolve) => this.pages.set(id, resolve));
  }

  /** Counts how many events each part of a filter matches. Returns `undefined` if a newer query has started. */
  count(where: string, now: number): Promise<FilterCounts | undefined> {
    const id = ++this.lastId;
    this.send({ kind: 'count', id, where, now });
    return new Promise((resolve) => this.counts.set(id, resolve));
  }

  private send(request: Request): void {
    this.worker.postMessage(request);
  }

  private receive(reply: Reply): void {
    switch (reply.kind) {
      case 'progress':
        this.listener.onProgress(reply.progress);
        break;
      case 'result':
        this.listener.onResult(reply.result);
        break;
      case 'absent':
        this.listener.onAbsent(reply.query, reply.absent);
        break;
      case 'counts':
        this.counts.get(reply.id)?.(reply.counts);
        this.counts.delete(reply.id);
        break;
      case 'page':
        this.pages.get(reply.id)?.(reply.page);
        this.pages.delete(reply.id);
    }
  }
}
