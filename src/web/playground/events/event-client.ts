import type { Choice, EventsAnswer, EventsQuery, EventsSource, Opened, Page, Reply, Request } from './messages.ts';

/** What the page is told without having asked for each. */
export interface Listener {
  opened(opened: Opened): void;
  answered(answer: EventsAnswer): void;
}

/** The page's side of the thread that holds the events. */
export class EventClient {
  private readonly worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  private readonly pages = new Map<number, (page: Page) => void>();
  private asked = 0;

  constructor(private readonly listener: Listener) {
    this.worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => this.take(data));
  }

  /** Reads events, in place of those that were there. */
  open(source: EventsSource): void {
    this.send({ kind: 'open', source });
  }

  /** Asks a query, which ends the one before it. */
  ask(query: EventsQuery): void {
    this.send({ kind: 'ask', query });
  }

  /** Some of the events, as the last query judged them. */
  list(choice: Choice, from: number, most: number): Promise<Page> {
    const id = ++this.asked;
    this.send({ kind: 'list', id, choice, from, most });
    return new Promise((resolve) => this.pages.set(id, resolve));
  }

  private send(request: Request): void {
    this.worker.postMessage(request);
  }

  private take(reply: Reply): void {
    switch (reply.kind) {
      case 'opened':
        this.listener.opened(reply.opened);
        break;
      case 'answer':
        this.listener.answered(reply.answer);
        break;
      case 'page':
        this.pages.get(reply.id)?.(reply.page);
        this.pages.delete(reply.id);
    }
  }
}
