import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { QueryExecutor } from '../../analytics/execution/query-executor.ts';
import type { Datasets } from '../../datasets/datasets.ts';
import type { FairBudget } from '../../locks/fair-budget.ts';
import type { SavedFilterRegistry } from '../../saved-filters/saved-filter-registry.ts';
import type { RecordKind } from '../../store/store.ts';

/** The label of requests without a known route, and of malformed requests. */
export const UNREAD = 'none';

/** In seconds. Imports wait for the disk, queries for the database. */
const BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60];

/** The number of versions whose sizes are shown: a server may have thousands. */
const MAX_VERSIONS = 20;

/**
 * The metrics for Prometheus. They contain no secrets, and labels have few values: declared routes, never the paths of
 * requests. Projects and keys are labels only after a request with a valid secret.
 */
export class Metrics {
  private readonly registry = new Registry();
  /** The metrics with names of projects and keys. */
  private readonly named = new Registry();
  private readonly requests = this.addCounter('requests_total', 'Number of requests', ['method', 'route', 'status']);
  private readonly uses = new Counter({
    name: 'onwhere_key_requests_total',
    help: 'Number of requests by key',
    labelNames: ['project', 'key', 'status'],
    registers: [this.named],
  });
  private readonly largest = new Gauge({
    name: 'onwhere_version_bytes',
    help: `Bytes of the ${MAX_VERSIONS} largest versions in the data folder`,
    labelNames: ['project', 'dataset', 'version'],
    registers: [this.named],
  });
  private readonly records = this.addCounter('imported_records_total', 'Number of imported records', ['kind']);
  private readonly bytes = this.addCounter('imported_bytes_total', 'Bytes of import request bodies', ['kind']);
  private readonly refused = this.addCounter('refused_batches_total', 'Number of refused imports', ['kind', 'status']);
  private readonly versions = new Gauge({
    name: 'onwhere_versions',
    help: 'Number of versions',
    registers: [this.registry],
  });
  private readonly bytesOfVersions = new Gauge({
    name: 'onwhere_versions_bytes',
    help: 'Bytes of all versions in the data folder',
    registers: [this.registry],
  });
  private readonly durations = new Histogram({
    name: 'onwhere_request_duration_seconds',
    help: 'Duration of requests in seconds',
    labelNames: ['route'],
    buckets: BUCKETS,
    registers: [this.registry],
  });

  constructor(
    budget: FairBudget,
    executor: QueryExecutor,
    private readonly datasets: Pick<Datasets, 'damagedVersions' | 'flushLag' | 'measureVersions'>,
    filters: Pick<SavedFilterRegistry, 'webhooksWaiting'>,
    events: ReadonlyMap<string, number> = new Map(),
  ) {
    const { turns } = executor;
    collectDefaultMetrics({ register: this.registry });
    this.addGauge('body_bytes', 'Bytes reserved for request bodies', () => budget.used);
    this.addGauge('queries_running', 'Number of running queries', () => turns.load.running);
    this.addGauge('queries_waiting', 'Number of queued queries', () => turns.load.waiting);
    this.addCounter(
      'query_seconds_total',
      'Time that queries waited for their turns and ran, in seconds',
      ['phase'],
      (counter) => {
        for (const [phase, milliseconds] of Object.entries(turns.spent)) counter.inc({ phase }, milliseconds / 1000);
      },
    );
    this.addCounter(
      'answers_total',
      'Number of answers to queries, by whether they were cached',
      ['cached'],
      (counter) => {
        counter.inc({ cached: 'true' }, executor.cached.hits);
        counter.inc({ cached: 'false' }, executor.cached.misses);
      },
    );
    this.addGauge(
      'versions_damaged',
      'Number of damaged versions; queries of them are refused',
      () => datasets.damagedVersions,
    );
    this.addGauge(
      'flush_lag_seconds',
      'How long the imported records have waited that wait longest for queries to read them, in seconds',
      () => datasets.flushLag / 1000,
    );
    this.addGauge('webhooks_waiting', 'Number of webhook notices that wait for the receiver', () => {
      return filters.webhooksWaiting;
    });
    this.addCounter(
      'background_events_total',
      'Number of background events by log message, including dropped log lines',
      ['kind'],
      (counter) => {
        for (const [kind, count] of events) counter.inc({ kind }, count);
      },
    );
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** Returns the metrics in the Prometheus text format: with or without those that name projects and keys. */
  async text(withNames: boolean): Promise<string> {
    const sizes = await this.datasets.measureVersions();
    this.versions.set(sizes.length);
    this.bytesOfVersions.set(sizes.reduce((sum, { bytes }) => sum + bytes, 0));
    this.largest.reset();
    for (const { bytes, ...labels } of sizes.slice(0, MAX_VERSIONS)) this.largest.set({ ...labels }, bytes);
    const texts = [this.registry, ...(withNames ? [this.named] : [])].map((registry) => registry.metrics());
    return (await Promise.all(texts)).join('');
  }

  /** Counts a finished request. */
  countRequest(request: FastifyRequest, reply: FastifyReply): void {
    const route = getRoute(request);
    const status = getStatus(request, reply);
    this.requests.inc({ method: request.method, route, status });
    const { access } = request;
    if (access !== undefined) this.uses.inc({ project: access.project.name, key: access.key, status });
    this.durations.observe({ route }, reply.elapsedTime / 1000);
  }

  /** Counts a request that was refused before it was read. */
  countUnreadRequest(status: number): void {
    this.requests.inc({ method: UNREAD, route: UNREAD, status });
  }

  countImport(kind: RecordKind, records: number, bytes: number): void {
    this.records.inc({ kind }, records);
    this.bytes.inc({ kind }, bytes);
  }

  countRefusedImport(kind: RecordKind, status: number): void {
    this.refused.inc({ kind, status });
  }

  private addGauge(name: string, help: string, value: () => number): void {
    new Gauge({
      name: `onwhere_${name}`,
      help,
      registers: [this.registry],
      collect() {
        this.set(value());
      },
    });
  }

  /** Adds a counter. With `count`, its values are read from elsewhere on each scrape. */
  private addCounter<Label extends string>(
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

/** Returns the declared route of a request. */
export function getRoute(request: FastifyRequest): string {
  return request.routeOptions.url ?? UNREAD;
}

/** Returns the status of a response. For errors sent as JSONP, returns their status without a callback. */
export function getStatus({ refusedWith }: FastifyRequest, { statusCode }: FastifyReply): number {
  return refusedWith ?? statusCode;
}
