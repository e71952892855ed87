import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Access } from '../../../../src/queries/access.ts';
import { ENDPOINTS } from '../../../../src/queries/endpoints/endpoints.ts';
import { SERVED_ENDPOINTS } from '../../../../src/queries/endpoints/explain.ts';
import { SECRET, TOKEN } from '../fake-datasets.ts';
import { RunningServer } from '../running-server.ts';
import { stopDocumented } from '../stop-documented.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await RunningServer.start();
});
beforeEach(() => {
  server.services.calls.length = 0;
});
afterAll(() => stopDocumented(server));

const DATES = { from_date: '2024-02-01', to_date: '2024-02-29' };
const RANGE = { from: '2024-02-01', to: '2024-02-29' };
const ON = 'properties["x"]';
const WHERE = 'properties["y"] == "é"';

const SERIES = {
  buckets: ['2024-02-01', '2024-02-02'],
  series: [
    { name: 'b "quoted", once', values: [1, 2.5] },
    { name: '10', values: [0, 0] },
  ],
};
const SERIES_JSON =
  '{"data":{"series":["2024-02-01","2024-02-02"],"values":{"b \\"quoted\\", once":{"2024-02-01":1,"2024-02-02":2.5},' +
  '"10":{"2024-02-01":0,"2024-02-02":0}}},"legend_size":2}';
const SERIES_CSV = 'date,"b ""quoted"", once",10\r\n2024-02-01,1,0\r\n2024-02-02,2.5,0\r\n';

const createStep = (
  event: string,
  count: number,
  stepRatio: number,
  overallRatio: number,
  averageTime: number | null,
) => ({
  event,
  count,
  stepRatio,
  overallRatio,
  averageTime,
});
const CONVERSION = [
  createStep('a', 4, 1, 1, null),
  createStep('b', 1, 0.25, 0.25, 60),
  createStep('c', 1, 1, 0.25, 1.5),
];
const CONVERSION_JSON = {
  steps: [
    { count: 4, step_conv_ratio: 1, goal: 'a', overall_conv_ratio: 1, avg_time: null, event: 'a' },
    { count: 1, step_conv_ratio: 0.25, goal: 'b', overall_conv_ratio: 0.25, avg_time: 60, event: 'b' },
    { count: 1, step_conv_ratio: 1, goal: 'c', overall_conv_ratio: 0.25, avg_time: 1.5, event: 'c' },
  ],
  analysis: { completion: 1, starting_amount: 4, steps: 3, worst: 1 },
};
const STEPS = [{ event: 'view' }, { event: 'purchase', where: 'properties["amount"] > 1' }];
const FUNNEL = { steps: STEPS, dates: RANGE, length: 172_800, bucket: { days: 1 }, limit: 255 };
const EMPTY_FUNNEL = { dates: [], overall: [] };
const EMPTY = { buckets: [], series: [] };
const EMPTY_JSON = { data: { series: [], values: {} }, legend_size: 0 };

interface Case {
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: string;
  readonly request: unknown;
  readonly result: unknown;
  /** The body, or its value if it is JSON. */
  readonly response: unknown;
}

const CASES: readonly Case[] = [
  {
    path: '/annotations',
    parameters: DATES,
    query: 'annotations.list',
    request: ['demo', RANGE],
    result: [{ id: 2, date: '2024-02-03 04:05:06', description: 'x' }],
    response: '{"annotations":[{"date":"2024-02-03 04:05:06","project_id":7,"id":2,"description":"x"}],"error":false}',
  },
  {
    path: '/annotations',
    parameters: {},
    query: 'annotations.list',
    request: ['demo', {}],
    result: [],
    response: { annotations: [], error: false },
  },
  {
    path: '/annotations/create',
    parameters: { date: '2024-02-29 23:59:59', description: 'new' },
    query: 'annotations.create',
    request: ['demo', { date: '2024-02-29 23:59:59', description: 'new' }],
    result: { id: 1 },
    response: '{"error":false}',
  },
  {
    path: '/annotations/update',
    parameters: { id: '4', date: '2024-02-29 23:59:59', description: 'new' },
    query: 'annotations.update',
    request: ['demo', 4, { date: '2024-02-29 23:59:59', description: 'new' }],
    result: true,
    response: '{"error":false}',
  },
  {
    path: '/annotations/delete',
    parameters: { id: '4' },
    query: 'annotations.remove',
    request: ['demo', 4],
    result: true,
    response: '{"error":false}',
  },
  {
    path: '/events',
    parameters: { event: '["a","b"]', ...DATES },
    query: 'events',
    request: { events: ['a', 'b'], type: 'general', unit: 'day', period: RANGE },
    result: SERIES,
    response: SERIES_JSON,
  },
  {
    path: '/events',
    parameters: { event: '["a"]', type: 'unique', unit: 'week', interval: '3', format: 'csv' },
    query: 'events',
    request: { events: ['a'], type: 'unique', unit: 'week', period: { latest: 3 } },
    result: SERIES,
    response: SERIES_CSV,
  },
  {
    path: '/events',
    parameters: { event: '["a"]', type: 'average', unit: 'minute', interval: '3', ...DATES, format: 'json' },
    query: 'events',
    request: { events: ['a'], type: 'average', unit: 'minute', period: RANGE },
    result: EMPTY,
    response: EMPTY_JSON,
  },
  {
    path: '/events/top',
    parameters: {},
    query: 'topEvents',
    request: { type: 'general', limit: 100 },
    result: [{ event: 'a', amount: 3, percentChange: -0.5 }],
    response: '{"events":[{"amount":3,"event":"a","percent_change":-0.5}],"type":"general"}',
  },
  {
    path: '/events/names',
    parameters: { type: 'unique' },
    query: 'eventNames',
    request: { type: 'unique', limit: 255 },
    result: ['b', 'a'],
    response: '["b","a"]',
  },
  {
    path: '/events/properties',
    parameters: { event: 'a', name: 'x', values: '["z",1.50,1e21,true,null]', ...DATES, limit: '20000' },
    query: 'property',
    request: {
      event: 'a',
      name: 'x',
      values: ['z', '1.5', '1000000000000000000000', 'true', 'null'],
      type: 'general',
      unit: 'day',
      period: RANGE,
      limit: 20_000,
    },
    result: SERIES,
    response: SERIES_JSON,
  },
  {
    path: '/events/properties',
    parameters: { event: 'a', name: 'x', interval: '1', unit: 'hour', format: 'csv' },
    query: 'property',
    request: { event: 'a', name: 'x', type: 'general', unit: 'hour', period: { latest: 1 }, limit: 255 },
    result: EMPTY,
    response: 'date\r\n',
  },
  {
    path: '/events/properties/top',
    parameters: { event: 'a' },
    query: 'topProperties',
    request: { event: 'a', limit: 10 },
    result: [
      { name: 'x', count: 3 },
      { name: '7', count: 2 },
    ],
    response: '{"x":{"count":3},"7":{"count":2}}',
  },
  {
    path: '/events/properties/values',
    parameters: { event: 'a', name: 'x', limit: '10000' },
    query: 'propertyValues',
    request: { event: 'a', name: 'x', limit: 10_000 },
    result: ['2', '1'],
    response: '["2","1"]',
  },
  {
    path: '/overview',
    parameters: { limit: '2' },
    query: 'overview',
    request: { limit: 2 },
    result: {
      dates: { from: '2024-02-01', to: '2024-02-02' },
      unit: 'hour',
      buckets: ['2024-02-01 00:00:00', '2024-02-02 00:00:00'],
      events: [{ name: 'a', count: 3, values: [1, 2] }],
    },
    response: {
      from_date: '2024-02-01',
      to_date: '2024-02-02',
      unit: 'hour',
      series: ['2024-02-01 00:00:00', '2024-02-02 00:00:00'],
      events: [{ event: 'a', count: 3, values: [1, 2] }],
    },
  },
  {
    path: '/overview',
    parameters: {},
    query: 'overview',
    request: { limit: 100 },
    result: { dates: undefined, unit: 'hour', buckets: [], events: [] },
    response: { from_date: null, to_date: null, unit: 'hour', series: [], events: [] },
  },
  {
    path: '/overview/properties',
    parameters: { scope: 'user', limit: '1000' },
    query: 'names',
    request: { of: 'user', limit: 1000 },
    result: [{ name: 'plan', count: 3 }],
    response: [{ name: 'plan', count: 3 }],
  },
  {
    path: '/overview/values',
    parameters: { name: 'plan' },
    query: 'values',
    request: { scope: 'properties', name: 'plan', limit: 100 },
    result: [{ name: 'pro', type: 'string', count: 3 }],
    response: [{ value: 'pro', type: 'string', count: 3 }],
  },
  {
    path: '/funnels',
    parameters: { funnel_id: '3', ...DATES },
    query: 'funnel',
    request: FUNNEL,
    result: { dates: ['2024-02-01'], overall: [CONVERSION] },
    response: { meta: { dates: ['2024-02-01'] }, data: { '2024-02-01': CONVERSION_JSON } },
  },
  {
    path: '/funnels',
    parameters: { steps: '[{"event":"a"},{"event":"b","where":"true"},{"event":"c","where":""}]', ...DATES },
    query: 'funnel',
    request: { ...FUNNEL, length: 14 * 86_400, steps: [{ event: 'a' }, { event: 'b', where: 'true' }, { event: 'c' }] },
    result: { dates: ['2024-02-01'], overall: [CONVERSION] },
    response: { meta: { dates: ['2024-02-01'] }, data: { '2024-02-01': CONVERSION_JSON } },
  },
  {
    path: '/funnels',
    parameters: { funnel_id: '3', ...DATES, length: '90', unit: 'week', on: ON, where: WHERE, limit: '10000' },
    query: 'funnel',
    request: { ...FUNNEL, length: 7_776_000, bucket: { unit: 'week' }, on: ON, where: WHERE, limit: 10_000 },
    result: {
      dates: ['2024-02-01'],
      overall: [CONVERSION],
      segments: [
        { name: '$overall', dates: [[]] },
        { name: 'x', dates: [[createStep('a', 2, 1, 1, null)]] },
      ],
    },
    response: {
      meta: { dates: ['2024-02-01'] },
      data: {
        '2024-02-01': {
          $overall: CONVERSION_JSON,
          x: {
            steps: [{ count: 2, step_conv_ratio: 1, goal: 'a', overall_conv_ratio: 1, avg_time: null, event: 'a' }],
            analysis: { completion: 2, starting_amount: 2, steps: 1, worst: 0 },
          },
        },
      },
    },
  },
  {
    path: '/funnels',
    parameters: { funnel_id: '3', ...DATES, length: '10', length_unit: 'minute', interval: '7', unit: 'week' },
    query: 'funnel',
    request: { ...FUNNEL, length: 600, bucket: { days: 7 } },
    result: EMPTY_FUNNEL,
    response: { meta: { dates: [] }, data: {} },
  },
  {
    path: '/funnels',
    parameters: { funnel_id: '3', ...DATES, length_unit: 'hour' },
    query: 'funnel',
    request: { ...FUNNEL, length: 7200 },
    result: EMPTY_FUNNEL,
    response: { meta: { dates: [] }, data: {} },
  },
  {
    path: '/segmentation',
    parameters: { event: 'a', ...DATES, interval: '7' },
    query: 'segmentation',
    request: { event: 'a', dates: RANGE, type: 'general', unit: 'day', limit: 60 },
    result: SERIES,
    response: SERIES_JSON,
  },
  {
    path: '/segmentation',
    parameters: { event: 'a', ...DATES, type: 'unique', unit: 'hour', interval: '7', on: ON, where: WHERE, limit: '1' },
    query: 'segmentation',
    request: {
      event: 'a',
      dates: RANGE,
      type: 'unique',
      unit: 'hour',
      interval: 7,
      on: ON,
      where: WHERE,
      limit: 1,
    },
    result: EMPTY,
    response: EMPTY_JSON,
  },
  {
    path: '/segmentation/numeric',
    parameters: { event: 'a', ...DATES, on: ON },
    query: 'numeric',
    request: { event: 'a', dates: RANGE, type: 'general', unit: 'day', on: ON, buckets: 12 },
    result: SERIES,
    response: SERIES_JSON,
  },
  {
    path: '/segmentation/numeric',
    parameters: { event: 'a', ...DATES, on: ON, unit: 'hour', type: 'average', where: WHERE, buckets: '3' },
    query: 'numeric',
    request: { event: 'a', dates: RANGE, type: 'average', unit: 'hour', on: ON, buckets: 3, where: WHERE },
    result: EMPTY,
    response: EMPTY_JSON,
  },
  ...(['sum', 'average'] as const).map((aggregate) => ({
    path: `/segmentation/${aggregate}`,
    parameters: { event: 'a', from_date: '2024-02-01', to_date: '2024-03-01', on: ON, where: WHERE, unit: 'hour' },
    query: 'aggregate',
    request: {
      aggregate,
      event: 'a',
      dates: { from: '2024-02-01', to: '2024-03-01' },
      unit: 'hour',
      on: ON,
      where: WHERE,
    },
    result: { buckets: ['2024-02-01 00:00:00'], series: [{ name: 'a', values: [0.5] }] },
    response: '{"results":{"2024-02-01 00:00:00":0.5},"status":"ok"}',
  })),
  {
    path: '/retention',
    parameters: { ...DATES, born_event: 'a' },
    query: 'retention',
    request: {
      dates: RANGE,
      type: 'birth',
      bornEvent: 'a',
      bucket: { days: 1 },
      intervalCount: 1,
      limit: 255,
    },
    result: { dates: ['2024-02-01'], overall: [{ first: 3, counts: [2, 1] }] },
    response: '{"2024-02-01":{"counts":[2,1],"first":3}}',
  },
  {
    path: '/retention',
    parameters: {
      ...{ ...DATES, retention_type: 'compounded', born_event: 'a', born_where: WHERE, event: 'b', where: WHERE },
      ...{ unit: 'month', interval_count: '5', on: ON, limit: '2' },
    },
    query: 'retention',
    request: {
      dates: RANGE,
      type: 'compounded',
      event: 'b',
      where: WHERE,
      bucket: { unit: 'month' },
      intervalCount: 5,
      on: ON,
      limit: 2,
    },
    result: {
      dates: ['2024-02-01', '2024-03-01'],
      segments: [
        {
          name: 'y',
          dates: [
            { first: 3, counts: [2] },
            { first: 0, counts: [0] },
          ],
        },
        {
          name: '1',
          dates: [
            { first: 1, counts: [1] },
            { first: 2, counts: [2] },
          ],
        },
      ],
    },
    response:
      '{"2024-02-01":{"y":{"counts":[2],"first":3},"1":{"counts":[1],"first":1}},' +
      '"2024-03-01":{"y":{"counts":[0],"first":0},"1":{"counts":[2],"first":2}}}',
  },
  {
    path: '/retention',
    parameters: { ...DATES, born_event: 'a', born_where: WHERE, interval: '90', unit: 'week' },
    query: 'retention',
    request: {
      dates: RANGE,
      type: 'birth',
      bornEvent: 'a',
      bornWhere: WHERE,
      bucket: { days: 90 },
      intervalCount: 1,
      limit: 255,
    },
    result: { dates: [], overall: [] },
    response: '{}',
  },
  {
    path: '/retention/addiction',
    parameters: { ...DATES, unit: 'week', addiction_unit: 'day', event: 'a', where: WHERE },
    query: 'addiction',
    request: { dates: RANGE, unit: 'week', addictionUnit: 'day', limit: 255, event: 'a', where: WHERE },
    result: { dates: ['2024-02-01'], overall: [[3, 2, 0]] },
    response: '{"2024-02-01":[3,2,0]}',
  },
  {
    path: '/retention/addiction',
    parameters: { ...DATES, on: ON, limit: '1' },
    query: 'addiction',
    request: { dates: RANGE, unit: 'day', addictionUnit: 'hour', limit: 1, on: ON },
    result: { dates: ['2024-02-01'], segments: [{ name: 'x', dates: [[1]] }] },
    response: '{"2024-02-01":{"x":[1]}}',
  },
  {
    path: '/engage',
    parameters: {},
    query: 'people.page',
    request: ['demo', {}, { page: 0 }],
    result: { page: 0, pageSize: 1000, results: [{ $distinct_id: 'a', $properties: {} }], sessionId: 's', total: 1 },
    response:
      '{"page":0,"page_size":1000,"results":[{"$distinct_id":"a","$properties":{}}],"session_id":"s","status":"ok","total":1}',
  },
  {
    path: '/engage',
    parameters: { selector: WHERE, session_id: 's', page: '1', dataset_id: 'shop', dataset_version: 'v1' },
    query: 'people.page',
    request: ['demo', { datasetId: 'shop', versionId: 'v1' }, { where: WHERE, sessionId: 's', page: 1 }],
    result: { page: 1, pageSize: 1000, results: [], sessionId: 's', total: 1 },
    response: { page: 1, page_size: 1000, results: [], session_id: 's', status: 'ok', total: 1 },
  },
  {
    path: '/export',
    parameters: { ...DATES, event: '["a"]', where: WHERE, from_time: '5' },
    query: 'exports.open',
    request: ['demo', { ...RANGE, fromTime: 5, events: ['a'], where: WHERE }],
    result: ['{"event":"a"}\n', '{"event":"b"}\n'],
    response: '{"event":"a"}\n{"event":"b"}\n',
  },
];

const PEOPLE = [
  { $distinct_id: 'a', $properties: { plan: 'pro', n: 1 } },
  { $distinct_id: 'b', $properties: { n: 2 } },
];

describe('an endpoint', () => {
  it.each(CASES)(
    'passes its parameters to the query and returns the documented response: $path $parameters',
    async ({ path, parameters, query, request, result, response }) => {
      server.services.result = result;
      const { status, text, headers } = await server.request(`/api/2.0${path}/?${new URLSearchParams(parameters)}`);
      expect(server.services.calls).toEqual([[query, request]]);
      expect(typeof response === 'string' ? text : JSON.parse(text)).toEqual(response);
      const type =
        parameters.format === 'csv' ? 'text/csv' : path === '/export' ? 'application/x-ndjson' : 'application/json';
      expect([status, headers['content-type']]).toEqual([200, `${type}; charset=utf-8`]);
    },
  );

  const times = { waited_ms: expect.any(Number), ran_ms: expect.any(Number) };
  const explainable = new Set(SERVED_ENDPOINTS.flatMap(({ path, parameters }) => (parameters.explain ? [path] : [])));

  it.each(CASES)(
    'adds how it was answered to a JSON object, and changes nothing else: $path $parameters',
    async ({ path, parameters, result, response }) => {
      server.services.result = result;
      const query = new URLSearchParams({ ...parameters, explain: '1' });
      const { status, text } = await server.request(`/api/2.0${path}?${query}`);
      expect(status).toBe(200);
      const isExplained = explainable.has(path) && parameters.format !== 'csv';
      if (!isExplained) {
        expect(typeof response === 'string' ? text : JSON.parse(text)).toEqual(response);
        return;
      }
      const { explain, ...rest } = JSON.parse(text);
      expect(rest).toEqual(typeof response === 'string' ? JSON.parse(response) : response);
      expect(explain).toEqual({ ...(path !== '/engage' && { answer: 'computed' }), ...times });
    },
  );

  it('explains after its warnings, and only if it is asked to', async () => {
    server.services.result = SERIES;
    const ask = async (more: object) => {
      const query = new URLSearchParams({ event: '["a"]', ...DATES, ...more });
      return server.request(`/api/2.0/events?${query}`);
    };
    expect((await ask({ explain: '0' })).text).toBe(SERIES_JSON);
    const { text } = await ask({ callback: 'show', explain: '1' });
    expect(text).toMatch(/,"explain":\{"answer":"computed","waited_ms":[\d.]+,"ran_ms":[\d.]+\}\}\);$/);
    const { status, text: refusal } = await ask({ explain: 'x' });
    expect([status, JSON.parse(refusal).error]).toEqual([400, expect.stringMatching(/^Invalid parameter: explain/)]);
  });

  it('returns only some properties of people', async () => {
    server.services.result = { page: 0, pageSize: 1000, results: PEOPLE, sessionId: 's', total: 2 };
    const query = new URLSearchParams({ distinct_ids: '["a","b"]', output_properties: '["plan","x","plan"]' });
    const { text } = await server.request(`/api/2.0/engage?${query}`);
    expect(server.services.calls).toEqual([['people.page', ['demo', {}, { page: 0, distinctIds: ['a', 'b'] }]]]);
    expect(JSON.parse(text).results).toEqual([
      { $distinct_id: 'a', $properties: { plan: 'pro' } },
      { $distinct_id: 'b', $properties: {} },
    ]);
  });

  it.each([
    ['distinct_ids', '[]'],
    ['distinct_ids', '[1]'],
    ['distinct_ids', JSON.stringify(Array.from({ length: 1_001 }, (_, id) => `u${id}`))],
    ['output_properties', '{}'],
  ])('refuses %s without a list of strings, or with too many: %#', async (name, value) => {
    const { status, text } = await server.request('/api/2.0/engage', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: String(new URLSearchParams({ [name]: value })),
    });
    expect([status, text]).toEqual([400, expect.stringContaining(`Invalid parameter: ${name}. Expected a JSON array`)]);
  });

  it('lists the names of saved funnels', async () => {
    const { text } = await server.request('/api/2.0/funnels/list');
    expect(text).toBe('[{"funnel_id":3,"name":"Buying"}]');
  });

  it('names the project and its time zone', async () => {
    const { text } = await server.request('/api/2.0/overview/project');
    expect(JSON.parse(text)).toEqual({ name: 'demo', time_zone: 'UTC' });
  });

  it('lists the datasets with their versions', async () => {
    const access = (await server.datasets.accessOf(SECRET)) as Access;
    const version = await server.datasets.createVersion(access, TOKEN, 'shop');
    const { text } = await server.request('/api/2.0/overview/datasets');
    expect(JSON.parse(text)).toEqual([
      {
        dataset_id: 'shop',
        versions: [{ version_id: version.version_id, created_at: version.created_at, is_live: false }],
      },
    ]);
  });

  it('is always covered by the cases above', () => {
    const tested = new Set([
      ...CASES.map(({ path }) => path),
      '/funnels/list',
      '/overview/datasets',
      '/overview/project',
    ]);
    expect([...tested].sort()).toEqual(ENDPOINTS.map(({ path }) => path).sort());
  });
});

describe('a request', () => {
  const parameters = { event: '["a"]', from_date: '2024-02-01', to_date: '2024-02-02', limit: '1' };
  const json = { ...parameters, event: ['a'], limit: 1, format: null, unknown: { of: ['any', 'kind'] } };
  const headers = { 'content-type': 'application/json' };

  it.each([
    ['GET', 'a query string', `?${new URLSearchParams(parameters)}`, undefined, {}],
    ['POST', 'a query string', `?${new URLSearchParams(parameters)}`, undefined, {}],
    [
      'POST',
      'a form',
      '',
      new URLSearchParams(parameters).toString(),
      { 'content-type': 'application/x-www-form-urlencoded' },
    ],
    ['POST', 'JSON', '', JSON.stringify(parameters), headers],
    ['POST', 'JSON with lists and numbers', '', JSON.stringify(json), headers],
    ['POST', 'a query string and JSON', '?event=x', JSON.stringify(json), headers],
    [
      'GET',
      'a query string with unknown parameters',
      `?${new URLSearchParams(parameters)}&x=1&x=2&__proto__=3&where=`,
      undefined,
      {},
    ],
  ])('by %s can have its parameters in %s', async (method, _, query, body, contentType) => {
    server.services.result = EMPTY;
    for (const slash of ['', '/']) {
      const options = { method, headers: contentType as Record<string, string>, ...(body !== undefined && { body }) };
      expect((await server.request(`/api/2.0/events${slash}${query}`, options)).status).toBe(200);
    }
    const period = { from: '2024-02-01', to: '2024-02-02' };
    const request = { events: ['a'], type: 'general', unit: 'day', period };
    expect(server.services.calls).toEqual([
      ['events', request],
      ['events', request],
    ]);
  });

  it('can select one dataset or one of its versions', async () => {
    server.services.result = [];
    server.datasets.reads.length = 0;
    for (const narrowing of ['', 'dataset_id=shop', 'dataset_id=shop&dataset_version=v1'])
      expect((await server.request(`/api/2.0/events/names?${narrowing}`)).status).toBe(200);
    const narrowings = server.datasets.reads.map(({ narrowing }) => narrowing);
    expect(narrowings).toEqual([{}, { datasetId: 'shop' }, { datasetId: 'shop', versionId: 'v1' }]);
  });
});
