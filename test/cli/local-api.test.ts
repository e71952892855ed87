import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnsweredPath, renderAnswer } from '../../src/cli/answers/render-answer.ts';
import { LocalApi } from '../../src/cli/api/local-api.ts';
import { EXIT } from '../../src/cli/exit.ts';
import { Catalog } from '../../src/service/datasets/catalog/catalog.ts';
import { stringifyLine, toEventLine, toPersonLine } from '../../src/service/datasets/imports/record-lines.ts';
import { Funnels } from '../../src/service/datasets/saved/funnels.ts';
import { makeVersion } from '../../src/service/datasets/versions/make-version.ts';
import { readConfiguration } from '../../src/service/server/settings/read-configuration.ts';
import type { Configuration } from '../../src/service/server/settings/settings.ts';
import type { EventLine, PersonLine } from '../../src/service/store/log-line.ts';
import { openStore } from '../../src/service/store/open-store.ts';
import { PIPE, testIo } from './test-io.ts';

const DATES = { from_date: '2025-06-01', to_date: '2025-06-02' };
const BAR = '█'.repeat(40);

// biome-ignore format: a table with one event per row
const EVENTS = [
  ['view', 'ada', 1, 'DE'],
  ['view', 'bob', 1, 'US'],
  ['view', 'bob', 2, 'US'],
  ['buy',  'bob', 2, 'US'],
  ['view', 'cy',  2, 'US'],
] as const;

let configuration: Configuration;

beforeAll(async () => {
  const data = await mkdtemp(join(tmpdir(), 'onwhere-local-'));
  configuration = readConfiguration({ flags: { data }, environment: {}, file: undefined });
  const catalog = new Catalog(data);
  await catalog.createProject('shop', 'UTC');
  await catalog.createDataset('shop', 'orders');
  const lines = EVENTS.map(([event, distinct_id, day, country], index) => {
    const time = Date.UTC(2025, 5, day) / 1000 + index;
    return stringifyLine(toEventLine({ event, properties: { distinct_id, time, country } }) as EventLine);
  });
  const person = stringifyLine(toPersonLine({ $distinct_id: 'ada', $set: { plan: 'pro' } }) as PersonLine);
  await makeVersion(
    data,
    { project: 'shop', datasetId: 'orders' },
    (files) => openStore(configuration, files),
    () => expect.fail(),
    async (version) => {
      await version.append('events', lines);
      await version.append('people', [person]);
    },
  );
  const steps = [{ event: 'view' }, { event: 'buy' }];
  await new Funnels(data).create('shop', { name: 'buying', steps, length: 7, lengthUnit: 'day' });
});
afterAll(() => rm(configuration.data, { recursive: true }));

function query(path: string, parameters: Record<string, string>): Promise<string> {
  return LocalApi.with(testIo(), configuration, 'shop', (api) => api.query(path, parameters));
}

async function render(path: AnsweredPath, parameters: Record<string, string>): Promise<readonly string[]> {
  return renderAnswer(PIPE, path, JSON.parse(await query(path, parameters)), { parameters });
}

describe('LocalApi', () => {
  it.each<[AnsweredPath, Record<string, string>, string[]]>([
    [
      '/segmentation',
      { event: 'view', ...DATES },
      ['            view', `2025-06-01     2  ${BAR}`, `2025-06-02     2  ${BAR}`, 'total          4'],
    ],
    [
      '/segmentation',
      { event: 'view', ...DATES, on: 'properties["country"]' },
      ['2025-06-01 to 2025-06-02', '    total', 'US      3  ▄█', 'DE      1  █'],
    ],
    [
      '/segmentation',
      { event: 'view', ...DATES, type: 'unique', where: 'properties["country"] == "US"' },
      [
        '              view',
        `2025-06-01       1  ${BAR.slice(20)}`,
        `2025-06-02       2  ${BAR}`,
        'mean per day   1.5',
      ],
    ],
    [
      '/segmentation/sum',
      { event: 'view', ...DATES, on: '2' },
      ['            sum', `2025-06-01    4  ${BAR}`, `2025-06-02    4  ${BAR}`],
    ],
    [
      '/events',
      { event: '["view","buy"]', ...DATES, unit: 'month' },
      ['      2025-06-01', `view           4  ${BAR}`, `buy            1  ${BAR.slice(30)}`],
    ],
    ['/events/properties/values', { event: 'view', name: 'country' }, ['US', 'DE']],
    [
      '/funnels',
      { funnel_id: '1', ...DATES, interval: '2' },
      [
        'step    users  of the last  of all  after',
        `1 view      3                 100%         ${BAR.slice(3)}`,
        '2 buy       1          33%     33%     1d  ████████████▍',
      ],
    ],
    [
      '/retention',
      { born_event: 'view', event: 'view', ...DATES },
      ['            users     0    1', '2025-06-01      2  100%  50%', '2025-06-02      1  100%   0%'],
    ],
    [
      '/retention/addiction',
      { event: 'view', ...DATES, unit: 'week', addiction_unit: 'day' },
      ['            users     1', '2025-05-26      2  100%', '2025-06-02      2  100%'],
    ],
    ['/engage', {}, ['$distinct_id  $properties', 'ada           {"plan":"pro"}']],
  ])('responds to %s %j', async (path, parameters, lines) => {
    expect(await render(path, parameters)).toEqual(lines);
  });

  it('returns CSV', async () => {
    expect(await query('/events', { event: '["buy"]', ...DATES, format: 'csv' })).toMatch(
      /^date,buy\r\n2025-06-01,0\r\n/,
    );
  });

  it.each([
    [{ event: 'view', ...DATES, where: 'properties["country] == 1' }, 'Query Error in selector, ', EXIT.expression],
    [
      { event: 'view', ...DATES, where: 'properties["country"] and true' },
      'Query Error in selector, ',
      EXIT.expression,
    ],
    [{ event: 'view', from_date: '2025-06-01' }, 'Missing required parameter: to_date', EXIT.usage],
  ])('reports the error of %j', async (parameters, message, exitCode) => {
    await expect(query('/segmentation', parameters)).rejects.toMatchObject({
      message: expect.stringContaining(message),
      exitCode,
    });
  });
});
