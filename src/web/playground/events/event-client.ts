import type {
  Choice,
  EventsQuery,
  EventsResult,
  EventsSource,
  LoadProgress,
  Page,
  Reply,
  Request,
} from './messages.ts';

/** Receives messages of the worker. */
export interface Listener {
  onProgress(progress: LoadProgress): void;
  onResult(result: EventsResult): void;
}

/** Runs queries in the worker that holds the events. */
export class EventClient {
  private readonly worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  private readonly pages = new Map<number, (page: Page) => void>();
  private lastId = 0;

  constructor(private readonly listener: Listener) {
    this.worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => this.receive(data));
  }

  /** Replaces the events by those of a source. */
  open(source: EventsSource): void {
    this.send({ kind: 'open', source });
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
      case 'page':
        this.pages.get(reply.id)?.(reply.page);
        this.pages.delete(reply.id);
    }
  }
}
