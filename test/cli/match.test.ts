import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli } from './run-cli.ts';

const FILTERS = [
  { id: 'pro', where: 'properties["plan"] == "pro"' },
  { id: 'paid', where: 'properties["plan"] and true' },
  { id: 7, where: 'properties["\\u0024event"] == "buy" and number(properties["amount"]) > 5' },
];

const RECORDS = [
  { event: 'view', properties: { plan: 'pro' } },
  { event: 'buy', properties: { plan: true, amount: '12' } },
  { event: 'buy', properties: { amount: 1 } },
];

const toLines = (items: readonly object[]) => items.map((item) => `${JSON.stringify(item)}\n`).join('');
const input = toLines(RECORDS);

describe('match', () => {
  const folder = mkdtempSync(join(tmpdir(), 'onwhere-match-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const save = (text: string) => {
    const file = join(folder, 'filters.ndjson');
    writeFileSync(file, text);
    return file;
  };

  it('counts the records of each filter, and tells of those that fail', async () => {
    const { code, out, err } = await runCli(['match', save(toLines(FILTERS))], { input });
    expect(code).toBe(0);
    expect(out).toBe('filter  records\npro           1\npaid          1\n7             1\n');
    expect(err).toContain('paid failed on 1 record: `and` takes booleans; this is a string.');
    const json = await runCli(['match', save(toLines(FILTERS)), '--json', '--event', 'buy'], { input });
    expect(JSON.parse(json.out)).toEqual({
      filters: [
        { id: 'pro', count: 0, failures: 0 },
        { id: 'paid', count: 1, failures: 0 },
        { id: '7', count: 1, failures: 0 },
      ],
    });
  });

  it('lists the records with the filters that match them', async () => {
    const { out } = await runCli(['match', save(toLines(FILTERS)), '--list'], { input });
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { filters: ['pro'], record: RECORDS[0] },
      { filters: ['paid', '7'], record: RECORDS[1] },
    ]);
  });

  it('takes a file with an expression per line, without ids', async () => {
    const file = save(`# Plans\n${FILTERS[0]?.where}\r\n\n  properties["amount"] == "12"\n`);
    const { out, err } = await runCli(['match', file, '--json'], { input });
    expect(err).toBe('');
    expect(JSON.parse(out)).toEqual({
      filters: [
        { id: 'properties["plan"] == "pro"', count: 1, failures: 0 },
        { id: 'properties["amount"] == "12"', count: 1, failures: 0 },
      ],
    });
  });

  it('explains when each filter is evaluated', async () => {
    const { err } = await runCli(['match', save(toLines(FILTERS.slice(0, 1))), '--explain'], { input });
    expect(err).toBe('pro: equal  properties["plan"] == "pro"\n');
    const twice = [...FILTERS, { id: 'again', where: '"pro" == properties["plan"]' }];
    const again = await runCli(['match', save(toLines(twice)), '--explain'], { input });
    expect(again.err).toContain('pro: equal  properties["plan"] == "pro"  same as again\n');
    expect(again.err).toContain('again: equal  properties["plan"] == "pro"  same as pro\n');
  });

  it('counts the same records as count does, for each filter', async () => {
    for (const { id, where } of FILTERS.filter((filter) => filter.id !== 'paid')) {
      const { out } = await runCli(['match', save(toLines([{ id, where }])), '--json'], { input });
      const counted = await runCli(['count', where], { input });
      expect(String(JSON.parse(out).filters[0].count)).toBe(counted.out.trim());
    }
  });

  it.each([
    ['{"id": "a"}\n', ':1: expected a filter such as {"id": "pro"'],
    ['\n{}\n', ':2: expected a filter such as'],
    ['# all\n\ntrue and\n', ':3: '],
    ['true\n true\n', ':2: an earlier filter has the id "true" too'],
    ['{"id": "a", "where": "plan == 1"}\n', ':1: Unknown name "plan".'],
    [toLines([FILTERS[0] as object, FILTERS[0] as object]), ':2: an earlier filter has the id "pro" too'],
    ['', ' has no filters: write one per line'],
  ])('refuses %j as filters', async (text, message) => {
    const { code, err } = await runCli(['match', save(text)], { input });
    expect([code, err]).toEqual([3, expect.stringContaining(message)]);
  });
});
