import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runs } from '../runs.ts';
import { runCli } from './run-cli.ts';

const DAY = 86_400;
const START = Date.UTC(2025, 5, 1) / 1000;

let folder = '';
let file = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-shown-'));
  file = join(folder, 'events.ndjson');
});
afterAll(() => rmSync(folder, { recursive: true }));

interface ShownEvent {
  readonly event: string;
  readonly user: string;
  readonly day: number;
  readonly plan?: string | undefined;
}

const event: fc.Arbitrary<ShownEvent> = fc.record({
  event: fc.constantFrom('view', 'buy'),
  user: fc.constantFrom('ada', 'bob', 'cy'),
  day: fc.nat(20),
  plan: fc.constantFrom('pro', 'undefined', undefined),
});

const events = fc.array(event, { minLength: 1, maxLength: 20 });

/** Runs a command over events, each at noon of its day. Returns the cells of its lines. */
async function show(written: readonly ShownEvent[], args: readonly string[]): Promise<string[][]> {
  const lines = written.map(({ event: name, user, day, plan }) => {
    return JSON.stringify({
      event: name,
      properties: { distinct_id: user, time: START + (day + 0.5) * DAY, plan },
    });
  });
  writeFileSync(file, `${lines.join('\n')}\n`);
  const { code, err, out } = await runCli([...args, file]);
  expect(code, err).toBe(0);
  return out.split('\n').map((line) => line.trim().split(/ {2,}/));
}

function countUsers(found: readonly ShownEvent[]): number {
  return new Set(found.map(({ user }) => user)).size;
}

const DATES = ['--from-date', '2025-06-01', '--to-date', '2025-06-21'];

it('a funnel begins with the users of the whole range, each once', async () => {
  await fc.assert(
    fc.asyncProperty(events, fc.constantFrom([], ['--by', 'week'], ['--interval', '2']), async (written, size) => {
      const cells = await show(written, ['funnel', '--steps', 'view,buy', ...DATES, ...size]);
      const views = written.filter(({ event: name }) => name === 'view');
      const buys = written.filter(({ event: name, user, day }) => {
        return name === 'buy' && views.some((view) => view.user === user && view.day <= day && day <= view.day + 14);
      });
      expect(cells.slice(1, 3).map(([step, users]) => [step, users])).toEqual([
        ['1 view', String(countUsers(views))],
        ['2 buy', String(countUsers(buys))],
      ]);
    }),
    { numRuns: runs(60) },
  );
});

/** Queries of users, and how their answer names a series of events. */
const USER_QUERIES: readonly (readonly [args: string[], nameOf: (event: ShownEvent) => string | undefined])[] = [
  [['segmentation', '--event', 'view', ...DATES], ({ event: name }) => (name === 'view' ? name : undefined)],
  [
    ['segmentation', '--event', 'view', '--on', 'properties["plan"]', ...DATES],
    ({ event: name, plan }) => (name === 'view' ? String(plan) : undefined),
  ],
  [['events', '--event', 'view', '--event', 'buy', ...DATES], ({ event: name }) => name],
  [['events', '--event', 'view', '--event', 'buy', '--by', 'week', ...DATES], ({ event: name }) => name],
  [['events', 'properties', '--event', 'view', '--name', 'plan', ...DATES], nameValue],
  [['events', 'properties', '--event', 'view', '--name', 'plan', '--values', '"pro"', ...DATES], nameValue],
];

function nameValue({ event: name, plan }: ShownEvent): string | undefined {
  return name === 'view' ? plan : undefined;
}

it.each(USER_QUERIES)('users of %j in all are each counted once', async (args, nameOf) => {
  await fc.assert(
    fc.asyncProperty(events, async (written) => {
      const cells = await show(written, [...args, '--type', 'unique']);
      const isOne = cells[1]?.[0] === '2025-06-01';
      const shown = isOne
        ? [[cells[0]?.[0], cells.find(([label]) => label === 'in all')?.[1]]]
        : cells.slice(2).filter(([name]) => name !== '' && name !== 'No events.');
      for (const [name, users] of shown)
        expect([name, users]).toEqual([name, String(countUsers(written.filter((one) => nameOf(one) === name)))]);
    }),
    { numRuns: runs(30) },
  );
});

it.each(['day', 'week', 'month'] as const)('users of the latest units of a %s are each counted once', async (unit) => {
  const last = { event: 'view', user: 'ada', day: 20 };
  await fc.assert(
    fc.asyncProperty(events, fc.integer({ min: 2, max: 4 }), async (written, count) => {
      const args = ['events', '--event', 'view', '--type', 'unique', '--by', unit, '--interval', String(count)];
      const cells = await show([...written, last], args);
      const from = { day: 21 - count, week: 15 - 7 * (count - 1), month: 0 }[unit];
      const found = written.filter(({ event: name, day }) => name === 'view' && day >= from);
      expect(cells.find(([label]) => label === 'in all')?.[1]).toBe(String(countUsers([...found, last])));
    }),
    { numRuns: runs(30) },
  );
});

it('an average in all is that of the whole range, not the mean of its days', async () => {
  const written = [0, 0, 0, 1].map((day) => ({ event: 'view', user: 'ada', day }));
  const cells = await show(written, ['segmentation', '--event', 'view', '--type', 'average']);
  expect(cells.slice(1, 4).map(([label, value]) => [label, value])).toEqual([
    ['2025-06-01', '3'],
    ['2025-06-02', '1'],
    ['in all', '4'],
  ]);
});

it('retention follows each cohort up to today, and marks the interval that runs', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(8), async (days) => {
      const written = Array.from({ length: days + 1 }, (_, day) => ({ event: 'view', user: 'ada', day }));
      const cells = await show(written, ['retention']);
      const rows = cells.filter(([date]) => date?.startsWith('2025-'));
      expect(rows.map(([, , ...intervals]) => intervals)).toEqual(
        written.map((_, day) => [...Array.from({ length: days - day }, () => '100%'), '100%*']),
      );
    }),
    { numRuns: runs(20) },
  );
});

it('retention has the intervals that are asked for, and its JSON is that of the interface', async () => {
  const written = [0, 1, 2, 3].map((day) => ({ event: 'view', user: 'ada', day }));
  const [title = []] = await show(written, ['retention', '--interval-count', '2']);
  expect(title).toEqual(['users', '0', '1', '2']);
  const [[json = ''] = []] = await show(written, ['retention', '--json']);
  expect(JSON.parse(json)['2025-06-01']).toEqual({ first: 1, counts: [1, 1] });
});

it('frequency has a column for each number that anybody reaches', async () => {
  await fc.assert(
    fc.asyncProperty(events, async (written) => {
      const args = ['retention', 'addiction', '--by', 'week', '--addiction-unit', 'day', ...DATES];
      const [title = []] = await show(written, args);
      // 2025-06-01 is a Sunday.
      const reached = ['ada', 'bob', 'cy'].flatMap((user) =>
        [0, 1, 2, 3].map((week) => {
          const days = written.flatMap((one) => (one.user === user ? [one.day] : []));
          return new Set(days.filter((day) => Math.floor((day + 6) / 7) === week)).size;
        }),
      );
      expect(title).toEqual(['users', ...Array.from({ length: Math.max(...reached) }, (_, at) => String(at + 1))]);
    }),
    { numRuns: runs(30) },
  );
});
