import { expect, it } from 'vitest';
import { readServerSample } from '../../../src/web/explore/read-server-sample.ts';
import type { QueryApi, RequestParameters } from '../../../src/web/shared/query-api.ts';

/** Creates a server that has as many events of one user each as are asked for. */
function createApi(count: number) {
  const requests: [path: string, parameters: RequestParameters, limit?: number][] = [];
  const api: QueryApi = {
    obstacle: undefined,
    emptyHint: '',
    hasAnnotations: false,
    async post(path, parameters) {
      requests.push([path, parameters]);
      const ids: string[] = JSON.parse(new Map(parameters).get('distinct_ids') ?? '[]');
      return { results: ids.map((id) => ({ $distinct_id: id, $properties: {} })) };
    },
    async readLines(path, parameters, limit) {
      requests.push([path, parameters, limit]);
      return Array.from({ length: Math.min(count, limit) }, (_, at) => {
        return JSON.stringify({ event: 'a', properties: { distinct_id: `u${at}` } });
      });
    },
    formatCommands: () => [],
  };
  return { api, requests };
}

it('a small project is read whole, with all profiles', async () => {
  const { api, requests } = createApi(3);
  const counted = {
    to_date: '2025-06-02',
    series: ['2025-06-01', '2025-06-02'],
    events: [{ count: 3, values: [1, 2] }],
  };
  const { sample, note } = await readServerSample(api, counted);
  expect([sample.events.length, sample.people.length, note]).toEqual([3, 3, '']);
  expect(requests[0]).toEqual(['export', [], 50_000]);
});

it('of a large project the latest days are read, which the note says', async () => {
  const { api, requests } = createApi(45_000);
  const series = ['2025-06-01', '2025-06-02', '2025-06-03'];
  const counted = { to_date: '2025-06-03', series, events: [{ count: 85_000, values: [40_000, 5_000, 40_000] }] };
  const { sample, note } = await readServerSample(api, counted);
  expect(requests[0]?.[1]).toEqual([['from_date', '2025-06-02']]);
  expect(note).toBe('A sample: 45,000 of 85,000 events, from 2025-06-02 on. Profiles of 5,000 of 45,000 users.');
  expect(sample.people).toHaveLength(5_000);
  // The server refuses more than 1,000 at once.
  expect(requests.filter(([path]) => path === 'engage')).toHaveLength(5);
});

it('a day with too many events is read as far as the limit', async () => {
  const { api, requests } = createApi(60_000);
  const counted = { to_date: '2025-06-01', series: ['2025-06-01'], events: [{ count: 60_000, values: [60_000] }] };
  expect((await readServerSample(api, counted)).note).toMatch(/^A sample: 50,000 of 60,000 events/);
  expect(requests[0]?.[1]).toEqual([['from_date', '2025-06-01']]);
});
