import type { AbsentName } from '../../data/name-census.ts';
import type { PropertyCatalog, PropertyScope } from '../shared/property-catalog.ts';
import type { RequestParameters } from '../shared/query-api.ts';
import type {
  Choice,
  CountQuery,
  EventsQuery,
  EventsResult,
  EventsSource,
  LoadProgress,
  ReadingChoices,
  Reply,
  Request,
} from './messages.ts';
import type { Answers } from './worker.ts';

/** Receives messages of the worker. */
export interface EventListener {
  onProgress(progress: LoadProgress): void;
  onResult(result: EventsResult): void;
  /** Follows a result if its expressions name something that no event has. */
  onAbsent(query: EventsQuery, absent: readonly AbsentName[]): void;
}

/** Runs queries in the worker that holds the events. */
export class EventClient implements PropertyCatalog {
  private readonly worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  private readonly waiting = new Map<number, (answer: unknown) => void>();
  private lastId = 0;
  /** The time zone of days, and of dates without one in expressions. */
  private zone = 'UTC';

  constructor(private readonly listener: EventListener) {
    this.worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => this.receive(data));
  }

  /** The time zone that was chosen for the source. */
  get timeZone(): string {
    return this.zone;
  }

  /** Replaces the events by those of a source. */
  open(source: EventsSource, choices: ReadingChoices): void {
    this.zone = choices.timeZone ?? 'UTC';
    this.send({ kind: 'open', source, choices });
  }

  /** Runs a query and cancels the previous one. */
  query(query: EventsQuery): void {
    this.send({ kind: 'query', query });
  }

  /** Returns up to `limit` events from an index on, with the outcome of the last query. */
  list(choice: Choice, from: number, limit: number) {
    return this.ask('list', choice, from, limit);
  }

  /** Counts how many events each part of a filter matches. Returns `undefined` if a newer query has started. */
  count({ where, now, timeZone }: CountQuery) {
    return this.ask('count', { where, now, timeZone });
  }

  /** Returns what an endpoint of a server would answer. */
  request(path: string, parameters: RequestParameters) {
    return this.ask('request', path, parameters, this.zone);
  }

  getAllProperties(scope: PropertyScope) {
    return this.ask('properties', scope);
  }

  getValues(scope: PropertyScope, name: string) {
    return this.ask('values', scope, name);
  }

  private ask<Name extends keyof Answers>(name: Name, ...given: Parameters<Answers[Name]>) {
    const id = ++this.lastId;
    this.send({ kind: 'ask', id, name, given });
    return new Promise<Awaited<ReturnType<Answers[Name]>>>((resolve) =>
      this.waiting.set(id, resolve as (answer: unknown) => void),
    );
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
      case 'answer':
        this.waiting.get(reply.id)?.(reply.answer);
        this.waiting.delete(reply.id);
    }
  }
}
