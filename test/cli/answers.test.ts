import { describe, expect, it } from 'vitest';
import { drawSparkline, formatDuration, formatPercent } from '../../src/cli/answers/figures.ts';
import { renderFunnel } from '../../src/cli/answers/funnel.ts';
import { renderAddiction, renderRetention } from '../../src/cli/answers/grids.ts';
import { renderTopEvents, renderTopProperties } from '../../src/cli/answers/lists.ts';
import { renderPeople } from '../../src/cli/answers/people.ts';
import { renderResults, renderSeries } from '../../src/cli/answers/series.ts';
import type { Bucket } from '../../src/queries/requests.ts';
import { PIPE } from './test-io.ts';

const DAYS = ['2025-06-01', '2025-06-02', '2025-06-03', '2025-06-04'];
const [FIRST = '', SECOND = ''] = DAYS;

/** How series of events are rendered. */
const STYLE = { adds: true, unit: 'day', sorted: true, charted: false };

/** Returns numbers by day, as the HTTP interface does. */
function byDay(...numbers: number[]): Record<string, number> {
  return Object.fromEntries(numbers.map((number, index) => [DAYS[index], number]));
}

describe('renderSeries and renderResults', () => {
  it('renders one series as a bar per bucket with the total', () => {
    const data = { series: DAYS.slice(0, 3), values: { purchase: byDay(500, 1_000, 0) } };
    expect(renderSeries(PIPE, { data }, STYLE)).toEqual([
      '            purchase',
      `2025-06-01       500  ${'█'.repeat(20)}`,
      `2025-06-02     1,000  ${'█'.repeat(40)}`,
      '2025-06-03         0',
      'total          1,500',
    ]);
  });

  it('does not add up unique users', () => {
    const data = { series: DAYS.slice(0, 2), values: { purchase: byDay(1, 2) } };
    const lines = renderSeries(PIPE, { data }, { ...STYLE, adds: false, inAll: new Map([['purchase', 2]]) });
    expect(lines.at(-1)).toBe('in all             2');
  });

  it('sorts series of users by the users in all, which days say little about', () => {
    const data = { series: DAYS.slice(0, 2), values: { loyal: byDay(2, 2), new: byDay(1, 2) } };
    const style = { ...STYLE, adds: false, inAll: new Map(Object.entries({ loyal: 2, new: 3 })) };
    expect(renderSeries(PIPE, { data }, style)).toEqual([
      '2025-06-01 to 2025-06-02',
      '       in all',
      'new         3  ▄█',
      'loyal       2  ██',
    ]);
  });

  it('calls the mean of buckets a mean if the number in all is not known', () => {
    const data = { series: DAYS.slice(0, 2), values: { '0 - 5': byDay(1, 2) } };
    expect(renderSeries(PIPE, { data }, { ...STYLE, adds: false }).at(-1)).toBe('mean per day    1.5');
  });

  it('renders several series as sparklines, largest first, regardless of their order in the JSON', () => {
    const data = { series: DAYS, values: { 10: byDay(1, 0, 2, 1), DE: byDay(8, 4, 2, 1), US: byDay(9, 9, 9) } };
    expect(renderSeries(PIPE, { data }, STYLE)).toEqual([
      '2025-06-01 to 2025-06-04',
      '    total',
      'US     27  ███',
      'DE     15  █▄▂▁',
      '10      4  ▄ █▄',
    ]);
    expect(renderSeries(PIPE, { data }, { ...STYLE, sorted: false })[2]).toContain('10');
  });

  it('renders several series with one bucket as a bar each', () => {
    const data = { series: [FIRST], values: { DE: byDay(1), US: byDay(2) } };
    expect(renderSeries(PIPE, { data }, STYLE)).toEqual([
      '    2025-06-01',
      `US           2  ${'█'.repeat(40)}`,
      `DE           1  ${'█'.repeat(20)}`,
    ]);
  });

  it('renders an empty result', () => {
    expect(renderSeries(PIPE, { data: { series: DAYS, values: {} } }, STYLE)).toEqual(['No events.']);
  });

  it('escapes control characters of names', () => {
    const data = { series: DAYS, values: { '\u001b[31m': byDay(1), b: byDay(1) } };
    expect(renderSeries(PIPE, { data }, STYLE).join()).not.toContain('\u001b');
  });

  it('draws at most 6 charts, counts the others, and escapes control characters', () => {
    const names = ['\u001b[31m', ...'abcdefg'];
    const data = { series: DAYS, values: Object.fromEntries(names.map((name, index) => [name, byDay(9 - index)])) };
    const lines = renderSeries(PIPE, { data }, { ...STYLE, charted: true });
    expect(lines.filter((line) => line.includes('total'))).toHaveLength(6);
    expect(lines.at(-1)).toBe('… and 2 more series (--json)');
    expect(lines.join()).not.toContain('\u001b');
  });

  it('renders sums as a bar per bucket', () => {
    expect(renderResults(PIPE, { results: byDay(0.5, -2) }, 'sum', false)).toEqual([
      '            sum',
      `2025-06-01  0.5  ${'█'.repeat(40)}`,
      '2025-06-02   -2',
    ]);
  });

  it('renders a sum that overflows as undefined', () => {
    expect(renderResults(PIPE, { results: { '2025-06-01': null, '2025-06-02': 2 } }, 'sum', false)).toEqual([
      '                  sum',
      '2025-06-01  undefined',
      `2025-06-02          2  ${'█'.repeat(40)}`,
    ]);
  });

  it('draws sparklines of at most the given width, with blanks only for 0', () => {
    expect(drawSparkline([0, 1, 500, 1_000], 10)).toBe(' ▁▄█');
    expect(drawSparkline([4, 4, 8, 8, 0, 0, 1], 3)).toBe('▄█▁');
    expect(drawSparkline([], 3)).toBe('');
  });
});

/** All intervals have ended. */
const PAST = { bucket: { days: 1 }, today: '2026-01-01' };

function attempts(...counts: number[]) {
  const steps = counts.map((count, index) => ({ event: `e${index + 1}`, count, avg_time: index === 0 ? null : count }));
  return { steps, analysis: {} };
}

describe('renderFunnel', () => {
  it('draws a bar for each step', () => {
    const answer = { meta: { dates: [FIRST] }, data: { [FIRST]: attempts(200, 100, 7) } };
    expect(renderFunnel(PIPE, answer, answer)).toEqual([
      'step  users  of the last  of all   after',
      `1 e1    200                 100%          ${'█'.repeat(38)}`,
      `2 e2    100          50%     50%  1m 40s  ${'█'.repeat(19)}`,
      '3 e3      7         7.0%    3.5%      7s  █▍',
    ]);
  });

  it('has the users of all dates at the top, who are fewer than those of each date together', () => {
    const data = { [FIRST]: attempts(3, 1), [SECOND]: attempts(5, 3) };
    const whole = { meta: { dates: [FIRST] }, data: { [FIRST]: attempts(6, 3) } };
    const lines = renderFunnel(PIPE, { meta: { dates: [FIRST, SECOND] }, data }, whole);
    expect(lines[1]).toMatch(/^1 e1 +6 +100% /);
    expect(lines[2]).toMatch(/^2 e2 +3 +50% +50% +3s /);
    expect(lines.slice(3)).toEqual([
      '',
      'started on  step 1  step 2  of all',
      '2025-06-01       3       1     33%',
      '2025-06-02       5       3     60%',
    ]);
  });

  it('prints a line for each segment, largest first', () => {
    const data = {
      [FIRST]: { $overall: attempts(9, 2), 10: attempts(4, 0), US: attempts(5, 2), none: attempts(0, 0) },
    };
    const answer = { meta: { dates: [FIRST] }, data };
    const lines = renderFunnel(PIPE, answer, answer);
    expect(lines[1]).toMatch(/^1 e1 +9 /);
    expect(lines.slice(4)).toEqual([
      'segment  step 1  step 2  of all',
      'US            5       2     40%',
      '10            4       0      0%',
      'none          0       0',
    ]);
  });
});

describe('renderRetention and renderAddiction', () => {
  it('show retention in percent, in as many columns as fit', () => {
    const counts = [999, 500, 94, 1, 0, 1, 2, 3, 4, 5, 6];
    const answer = { [FIRST]: { first: 1_000, counts }, [SECOND]: { first: 0, counts } };
    expect(renderRetention(PIPE, answer, PAST)).toEqual([
      '            users    0    1     2    3   4    5    6    7    8    9',
      '2025-06-01  1,000  99%  50%  9.4%  <1%  0%  <1%  <1%  <1%  <1%  <1%',
      '2025-06-02      0',
      '… and 1 more interval (--interval-count 10 --json)',
    ]);
  });

  it.each<[Bucket, string, string[], string]>([
    [{ days: 1 }, '2025-06-03', ['100%', '50%', '25%*'], '100%  50%*'],
    [{ days: 2 }, '2025-06-03', ['100%', '50%*'], '100%*'],
    [{ days: 7 }, '2025-06-07', ['100%*'], '100%*'],
    [{ unit: 'month' }, '2025-07-30', ['100%', '50%*'], '100%  50%*'],
  ])('leave intervals of %j blank that begin after %s', (bucket, today, first, second) => {
    const one = { first: 4, counts: [4, 2, 1, 0] };
    const lines = renderRetention(PIPE, { [FIRST]: one, [SECOND]: one }, { bucket, today });
    expect(lines[1]?.trimEnd().split(/ +/)).toEqual([FIRST, '4', ...first]);
    expect(lines[2]?.replace(/ +/g, ' ').trimEnd()).toBe(`${SECOND} 4 ${second.replace(/ +/g, ' ')}`);
    expect(lines.at(-1)).toBe(`* not over on ${today}`);
  });

  it('have no footnote for a segment with an asterisk', () => {
    const lines = renderRetention(PIPE, { [FIRST]: { '*': { first: 1, counts: [1] } } }, PAST);
    expect(lines).toHaveLength(2);
  });

  it('have a line for each date and segment', () => {
    const one = { first: 2, counts: [2, 1] };
    expect(renderRetention(PIPE, { [FIRST]: { counts: one, US: { first: 4, counts: [1, 0] } } }, PAST)).toEqual([
      '            segment  users     0    1',
      '2025-06-01  counts       2  100%  50%',
      '2025-06-01  US           4   25%   0%',
    ]);
  });

  it('show how often users were active', () => {
    expect(renderAddiction(PIPE, { [FIRST]: [8, 4, 0, 0], [SECOND]: [9, 3, 1, 0] })).toEqual([
      '            users     1    2    3',
      '2025-06-01      8  100%  50%   0%',
      '2025-06-02      9  100%  33%  11%',
    ]);
    expect(renderAddiction(PIPE, {})).toEqual(['No users.']);
  });
});

describe('lists', () => {
  it('of events show a bar and the change', () => {
    const events = [
      { event: 'view', amount: 1_200, percent_change: 0.25 },
      { event: 'buy', amount: 300, percent_change: -0.5 },
    ];
    expect(renderTopEvents(PIPE, { events })).toEqual([
      'event  today  change',
      `view   1,200    +25%  ${'█'.repeat(40)}`,
      `buy      300    -50%  ${'█'.repeat(10)}`,
    ]);
  });

  it('of properties show a bar, the most frequent first', () => {
    const lines = renderTopProperties(PIPE, { 1: { count: 1 }, plan: { count: 2 } });
    expect(lines.map((line) => line.replace(/ *█+$/, ''))).toEqual([
      'property  events',
      'plan           2',
      '1              1',
    ]);
  });

  it('of people print how to get the next page', () => {
    const page = { page: 1, page_size: 1_000, session_id: 's', total: 2_500 };
    const results = Array.from({ length: 1_000 }, () => ({ $distinct_id: 'a', $properties: { $email: 'a@b.c' } }));
    expect(renderPeople(PIPE, { ...page, results }).slice(0, 2)).toEqual([
      '$distinct_id  $properties',
      'a             {"$email":"a@b.c"}',
    ]);
    expect(renderPeople(PIPE, { ...page, results }).at(-1)).toBe(
      '… 2,000 of 2,500; next page: --session-id s --page 2, with --server',
    );
    expect(renderPeople(PIPE, { ...page, page: 2, results: results.slice(500) })).toHaveLength(501);
    expect(renderPeople(PIPE, { ...page, results: [] })).toEqual(['No people.']);
  });
});

it('formats numbers, percentages and durations', () => {
  expect([0, 0.0004, 0.0994, 0.0996, 0.996, 1, 12.5].map(formatPercent)).toEqual([
    '0%',
    '<1%',
    '9.9%',
    '10%',
    '99%',
    '100%',
    '1250%',
  ]);
  expect([0, 0.25, 59.4, 59.6, 3_599, 3_600, 90_061, 172_800].map(formatDuration)).toEqual([
    '0s',
    '0.3s',
    '59.4s',
    '1m',
    '59m 59s',
    '1h',
    '1d 1h',
    '2d',
  ]);
});
