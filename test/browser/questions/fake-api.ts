import fastify, { type FastifyInstance } from 'fastify';
import { addPageRoutes } from '../../../src/service/server/routes/add-page-routes.ts';
import { readPage } from '../../../src/service/server/routes/page-files.ts';
import type { KnownSavedFilter } from '../../../src/web/shared/query-api.ts';

export const SECRET = 'sec-nobody-may-see-this';

/** A request: an endpoint below `/api/2.0/` and its parameters. */
export interface ApiRequest {
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The response of an endpoint. A string is an error message. */
type Response = object | string | Promise<object>;

const DAYS = ['2025-06-01', '2025-06-02', '2025-06-03'];

const PAGE_SIZE = 100;

/** Serves the built page as a server does, and endpoints with fixed responses. */
export class FakeApi {
  readonly requests: ApiRequest[] = [];
  /** Requested paths, with the query string. */
  readonly paths: string[] = [];
  /** Responses that override the fixed ones, by the path of an endpoint. */
  readonly overrides = new Map<string, (parameters: ApiRequest['parameters']) => Response>();
  /** The warnings of all answers that can have them. */
  warnings: readonly string[] = [];
  /** The segments of the project. */
  savedFilters: readonly KnownSavedFilter[] = [];
  /** The exported events, as NDJSON. */
  events = '{"event":"purchase","properties":{"amount":12.5,"country":"NL"}}\n';
  /** How many clients closed the connection before the response. */
  abandoned = 0;
  address = '';

  private constructor(private readonly app: FastifyInstance) {}

  static async start(): Promise<FakeApi> {
    const app = fastify();
    const fake = new FakeApi(app);
    addPageRoutes(
      app,
      await readPage({ 'onwhere-source': 'server' }, new URL('../../../dist/cli/page.json.br', import.meta.url)),
    );
    app.addHook('onRequest', async ({ raw }) => void fake.paths.push(raw.url ?? ''));
    app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) => {
      done(null, Object.fromEntries(new URLSearchParams(String(body))));
    });
    app.post('/api/2.0/*', async ({ params, body, headers, raw }, reply) => {
      reply.raw.once('close', () => {
        if (!reply.raw.writableFinished) fake.abandoned++;
      });
      const path = (params as { '*': string })['*'].replace(/\/$/, '');
      const [, secret] = /^Basic (.*)$/.exec(headers.authorization ?? '') ?? [];
      if (Buffer.from(secret ?? '', 'base64').toString() !== `${SECRET}:`) {
        reply.code(401).header('WWW-Authenticate', 'Basic realm="onwhere"');
        return { error: 'The secret opens no project', request: raw.url };
      }
      const { verbose, ...parameters } = (body ?? {}) as Record<string, string>;
      fake.requests.push({ path, parameters });
      if (path === 'export') return reply.type('application/x-ndjson').send(fake.events);
      const response = await (fake.overrides.get(path) ?? RESPONSES[path])?.(parameters);
      if (typeof response === 'object') return verbose === '1' ? { ...response, warnings: fake.warnings } : response;
      reply.code(400);
      return { error: response ?? `Invalid endpoint: ${path}`, request: raw.url };
    });
    app.get('/segments', async () => ({ data: fake.savedFilters }));
    fake.address = `${await app.listen({ port: 0, host: '127.0.0.1' })}/`;
    return fake;
  }

  /** Requests for answers, without those for names. */
  get questions(): readonly ApiRequest[] {
    return this.requests.filter(({ path }) => !NAMES.has(path));
  }

  async stop(): Promise<void> {
    this.app.server.closeAllConnections();
    await this.app.close();
  }
}

const NAMES = new Set([
  ...[
    'overview',
    'overview/project',
    'overview/datasets',
    'overview/properties',
    'overview/values',
    'events/properties/top',
    'funnels/list',
    'annotations',
    'export',
  ],
]);

/** The buckets of a request: a day each, or one over the whole range. */
function listBuckets(interval: string | undefined): readonly string[] {
  return interval === undefined ? DAYS : DAYS.slice(0, 1);
}

function series(values: Readonly<Record<string, readonly number[]>>, interval?: string): object {
  const buckets = listBuckets(interval);
  const byDay = (numbers: readonly number[]) => Object.fromEntries(buckets.map((day, at) => [day, numbers[at] ?? 0]));
  const named = Object.entries(values).map(([name, numbers]) => [name, byDay(numbers)]);
  return { data: { series: buckets, values: Object.fromEntries(named) }, legend_size: named.length };
}

function funnel(...counts: readonly number[]): object {
  const events = ['view item', 'add to cart', 'purchase'];
  const [first = 0] = counts;
  const steps = counts.map((count, at) => ({
    count,
    step_conv_ratio: at === 0 ? 1 : count / (counts[at - 1] ?? 1),
    goal: events[at],
    overall_conv_ratio: at === 0 ? 1 : count / first,
    avg_time: at === 0 ? null : 3700 * at,
    event: events[at],
  }));
  return { steps, analysis: { completion: counts.at(-1), starting_amount: first, steps: counts.length, worst: 1 } };
}

/** Returns one value per day; with `on`, one per day and segment. */
function byDay(on: string | undefined, value: (day: number) => unknown): object {
  return Object.fromEntries(
    DAYS.map((day, at) => [day, on === undefined ? value(at) : { NL: value(at), DE: value(at + 1) }]),
  );
}

const RESPONSES: Readonly<Record<string, (parameters: ApiRequest['parameters']) => Response>> = {
  overview: () => ({
    from_date: '2025-06-01',
    to_date: '2025-06-03',
    unit: 'day',
    series: DAYS,
    events: [
      { event: 'view item', count: 12, values: [6, 2, 4] },
      { event: 'purchase', count: 7, values: [1, 2, 4] },
      { event: '$experiment', count: 1, values: [0, 0, 1] },
    ],
  }),
  'overview/project': () => ({ name: 'shop', time_zone: 'Europe/Amsterdam' }),
  'overview/datasets': () => [
    {
      dataset_id: 'shop',
      versions: [
        { version_id: 'b2', created_at: '2025-06-04T05:06:07.890Z', is_live: false },
        { version_id: 'a1', created_at: '2025-06-03T05:06:07.890Z', is_live: true },
      ],
    },
    { dataset_id: 'app', versions: [] },
  ],
  'overview/properties': ({ scope }) =>
    scope === 'user'
      ? [{ name: 'plan', count: 3 }]
      : [
          { name: 'country', count: 19 },
          { name: 'amount', count: 7 },
        ],
  'overview/values': ({ name }) =>
    name === 'amount'
      ? [
          { value: '12.5', type: 'number', count: 4 },
          { value: 'none', type: 'string', count: 1 },
        ]
      : [{ value: 'NL', type: 'string', count: 9 }],
  'events/properties/top': ({ event }) =>
    event === 'purchase' ? { amount: { count: 7 }, country: { count: 7 }, 'a "b"': { count: 1 } } : {},
  annotations: () => ({ annotations: [{ date: '2025-06-02 00:00:00', description: 'Sale \u202e' }], error: false }),
  'annotations/create': () => ({ error: false }),
  'funnels/list': () => [
    { funnel_id: 3, name: 'to buy' },
    { funnel_id: 7, name: 'to come back' },
  ],
  segmentation: ({ event = '', on, interval }) =>
    series(
      on === undefined ? { [event]: [1200, 0, 34] } : { '10': [1, 2, 3], NL: [40, 50, 60], DE: [7, 8, 9] },
      interval,
    ),
  'segmentation/numeric': () => series({ '0 - 100': [5, 6, 7], '100 - 200': [0, 1, 20], '1,000 - 1,100': [1, 0, 0] }),
  'segmentation/sum': () => ({
    results: { '2025-06-02': 12.5, '2025-06-01': -3.25, '2025-06-03': 1e6 },
    status: 'ok',
  }),
  'segmentation/average': () => ({ results: { '2025-06-01': 0.125, '2025-06-02': 0.5 }, status: 'ok' }),
  events: ({ event = '[]' }) => series(Object.fromEntries(JSON.parse(event).map((name: string) => [name, [1, 2, 3]]))),
  'events/top': ({ type = 'general' }) => ({
    events: [
      { amount: 30, event: 'purchase', percent_change: 0.5 },
      { amount: 10, event: 'view item', percent_change: -0.25 },
    ],
    type,
  }),
  'events/properties': () => series({ NL: [3, 3, 3], undefined: [1, 1, 1] }),
  funnels: ({ on, interval }) => ({
    meta: { dates: listBuckets(interval) },
    data: Object.fromEntries(
      listBuckets(interval).map((day, at) => {
        const all = interval === undefined ? funnel(100 * (at + 1), 50, 10) : funnel(600, 150, 30);
        return [day, on === undefined ? all : { $overall: all, NL: funnel(20, 10, 5) }];
      }),
    ),
  }),
  retention: ({ on, interval_count = '1' }) =>
    byDay(on, (day) => ({ counts: [80, 40, 20, 5 * day].slice(0, Number(interval_count) + 1), first: 100 })),
  'retention/addiction': ({ on }) => byDay(on, (day) => [90, 45, 10 + day, 0]),
  engage: ({ page = '0', session_id = 's1' }) => {
    const all = Array.from({ length: 250 }, (_, at) => ({
      $distinct_id: `p${String(at).padStart(3, '0')}`,
      $properties: { $email: `p${at}@example.org`, plan: 'pro', ...(at % 2 === 0 && { tags: ['a', 'b'] }) },
    }));
    const start = Number(page) * PAGE_SIZE;
    const results = all.slice(start, start + PAGE_SIZE);
    return { page: Number(page), page_size: PAGE_SIZE, results, session_id, status: 'ok', total: all.length };
  },
};
