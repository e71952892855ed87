import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { FairBudget } from '../../lang/util/fair-budget.ts';
import type { QueryExecutor } from '../analytics/query-executor.ts';
import type { Datasets } from '../datasets/datasets.ts';
import type { RecordKind } from '../store/store.ts';

/** The label of requests without a known route, or that could not be read. */
export const UNREAD = 'none';

/** Seconds: an import waits for a disk, a query for a database. */
const BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60];

/**
 * The metrics for Prometheus. None is secret, and labels have few values: routes as they are declared, never paths as
 * they came. Projects and keys are named only after a secret has opened them.
 */
export class Metrics {
  private readonly registry = new Registry();
  private readonly requests = this.counter('requests_total', 'Requests answered', ['method', 'route', 'status']);
  private readonly uses = this.counter('key_requests_total', 'Requests answered, by the names of their keys', [
    'project',
    'key',
    'status',
  ]);
  private readonly records = this.counter('imported_records_total', 'Records imported', ['kind']);
  private readonly bytes = this.counter('imported_bytes_total', 'Bytes of bodies with imported records', ['kind']);
  private readonly refused = this.counter('refused_batches_total', 'Imports refused', ['kind', 'status']);
  private readonly durations = new Histogram({
    name: 'onwhere_request_duration_seconds',
    help: 'How long requests took',
    labelNames: ['route'],
    buckets: BUCKETS,
    registers: [this.registry],
  });

  constructor(
    budget: FairBudget,
    { turns }: QueryExecutor,
    datasets: Pick<Datasets, 'damagedVersions'>,
    events: ReadonlyMap<string, number> = new Map(),
  ) {
    collectDefaultMetrics({ register: this.registry });
    this.gauge('body_bytes', 'Bytes set aside for the bodies of requests under way', () => budget.used);
    this.gauge('queries_running', 'Queries that are answered now', () => turns.load.running);
    this.gauge('queries_waiting', 'Queries that wait for their turn', () => turns.load.waiting);
    this.gauge(
      'versions_damaged',
      'Versions that are damaged, so that queries of them are refused',
      () => datasets.damagedVersions,
    );
    this.counter(
      'background_events_total',
      'Events in the background, by their messages in the log, and lines of the log that nobody read in time',
      ['kind'],
      (counter) => {
        for (const [kind, count] of events) counter.inc({ kind }, count);
      },
    );
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** All of them, in the text format of Prometheus. */
  text(): Promise<string> {
    return this.registry.metrics();
  }

  /** Counts a request that was answered. */
  answered(request: FastifyRequest, reply: FastifyReply): void {
    const route = getRoute(request);
    const status = getStatus(request, reply);
    this.requests.inc({ method: request.method, route, status });
    const { access } = request;
    if (access !== undefined) this.uses.inc({ project: access.project.name, key: access.key, status });
    this.durations.observe({ route }, reply.elapsedTime / 1000);
  }

  /** Counts a request that was refused before it could be read. */
  refusedUnread(status: number): void {
    this.requests.inc({ method: UNREAD, route: UNREAD, status });
  }

  imported(kind: RecordKind, records: number, bytes: number): void {
    this.records.inc({ kind }, records);
    this.bytes.inc({ kind }, bytes);
  }

  refusedBatch(kind: RecordKind, status: number): void {
    this.refused.inc({ kind, status });
  }

  private gauge(name: string, help: string, value: () => number): void {
    new Gauge({
      name: `onwhere_${name}`,
      help,
      registers: [this.registry],
      collect() {
        this.set(value());
      },
    });
  }

  /** Some are counted elsewhere: `count` counts all of it whenever they are asked for. */
  private counter<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    count?: (counter: Counter<Label>) => void,
  ): Counter<Label> {
    const collect = function (this: Counter<Label>) {
      this.reset();
      count?.(this);
    };
    const options = { name: `onwhere_${name}`, help, labelNames, registers: [this.registry] };
    return new Counter({ ...options, ...(count !== undefined && { collect }) });
  }
}

/** The route of a request as it is declared. */
export function getRoute(request: FastifyRequest): string {
  return request.routeOptions.url ?? UNREAD;
}

/** The status of an answer; of a refusal, the one that it has where no callback is called. */
export function getStatus({ refusedWith }: FastifyRequest, { statusCode }: FastifyReply): number {
  return refusedWith ?? statusCode;
}
