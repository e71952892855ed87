import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import type { Funnel } from '../../../src/queries/funnel-content.ts';
import type { Queries, QueryName } from '../../../src/queries/requests.ts';
import type { Annotation } from '../../../src/queries/services.ts';
import { QueryExecutor } from '../../../src/service/analytics/execution/query-executor.ts';
import type { ServedParts } from '../../../src/service/server/routes/endpoint-services.ts';
import { FakeDatasets } from './fake-datasets.ts';

/** The current time, which is fixed. */
const NOW = 1_750_000_000;

/** The services behind a server. They record every call and return the result that a test sets. */
export class FakeServices implements ServedParts {
  readonly datasets = new FakeDatasets();
  /** Every call: the name of the query and its request. */
  readonly calls: [name: string, request: unknown][] = [];
  /** The result of the next queries: a value, or a function that returns it or throws. */
  result: unknown;

  readonly executor = new QueryExecutor(
    { atOnce: 2, waiting: 2, seconds: 60, cacheBytes: 0, cacheFileBytes: 0 },
    tmpdir(),
    () => this.queries,
    () => NOW,
  );

  readonly annotations: ServedParts['annotations'] = {
    list: async (project, dates) => this.record<Annotation[]>('annotations.list', [project, dates]),
    create: async (project, annotation) => this.record<Annotation>('annotations.create', [project, annotation]),
    update: async (project, id, annotation) => this.record<boolean>('annotations.update', [project, id, annotation]),
    remove: async (project, id) => this.record<boolean>('annotations.remove', [project, id]),
  };

  readonly people: ServedParts['people'] = {
    page: async (access, narrowing, request) => {
      await this.datasets.stateOf(access, narrowing);
      return this.record('people.page', [access.project.name, narrowing, request]);
    },
  };

  readonly exports: ServedParts['exports'] = {
    open: async (target, request) => {
      await target.state();
      const stream = Readable.from(this.record<Iterable<string>>('exports.open', [target.project, request]));
      return { bytes: 1_000, stream, readWhole: () => readText(stream) };
    },
  };

  readonly saved: Funnel[] = [
    {
      id: 3,
      name: 'Buying',
      steps: [{ event: 'view' }, { event: 'purchase', where: 'properties["amount"] > 1' }],
      length: 2,
      lengthUnit: 'day',
    },
  ];

  readonly funnels: ServedParts['funnels'] = {
    list: async () => this.saved,
    find: async (_, id) => this.saved.find((funnel) => funnel.id === id),
  };

  close(): Promise<void> {
    return this.datasets.close();
  }

  private get queries(): Queries {
    const names: readonly QueryName[] = [
      ...(['events', 'topEvents', 'eventNames', 'property', 'topProperties', 'propertyValues', 'overview'] as const),
      ...(['names', 'values', 'segmentation', 'numeric', 'aggregate', 'funnel', 'retention', 'addiction'] as const),
    ];
    const entries = names.map((name) => [name, async (request: unknown) => this.record(name, request)]);
    return Object.fromEntries(entries);
  }

  private record<Result>(name: string, request: unknown): Result {
    this.calls.push([name, request]);
    return (typeof this.result === 'function' ? this.result() : this.result) as Result;
  }
}
