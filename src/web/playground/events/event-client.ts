import type { Choice, EventsQuery, EventsResult, EventsSource, Opened, Page, Reply, Request } from './messages.ts';

/** Receives progress and results from the worker. */
export interface Listener {
  onOpened(opened: Opened): void;
  onResult(result: EventsResult): void;
}

/** Sends requests to the worker that holds the events. */
export class EventClient {
  private readonly worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  private readonly pages = new Map<number, (page: Page) => void>();
  private requests = 0;

  constructor(private readonly listener: Listener) {
    this.worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => this.handle(data));
  }

  /** Reads events, which replace the current ones. */
  open(source: EventsSource): void {
    this.send({ kind: 'open', source });
  }

  /** Runs a query, which cancels the one before it. */
  run(query: EventsQuery): void {
    this.send({ kind: 'run', query });
  }

  /** Resolves to a page of events, with the result of the last query for each. */
  list(choice: Choice, from: number, max: number): Promise<Page> {
    const id = ++this.requests;
    this.send({ kind: 'list', id, choice, from, max });
    return new Promise((resolve) => this.pages.set(id, resolve));
  }

  private send(request: Request): void {
    this.worker.postMessage(request);
  }

  private handle(reply: Reply): void {
    switch (reply.kind) {
      case 'opened':
        this.listener.onOpened(reply.opened);
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
