import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ORIGIN_SAMPLES } from '../data/origin-samples.ts';
import { runCli } from './run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'onwhere-'));

afterAll(() => rmSync(folder, { recursive: true }));

const ITEMS = [
  { event: 'view', properties: { time: 1_748_772_000, distinct_id: 'ann', plan: 'pro' } },
  { event: 'buy', properties: { time: 1_748_772_060, distinct_id: 'bob', plan: 'free' } },
];
const ANSWER = { page: { items: ITEMS, 'next links': [{ rel: 'next' }] }, total: 2 };

describe.each([
  ['on one line', JSON.stringify(ANSWER)],
  ['on many lines', JSON.stringify(ANSWER, null, 2)],
])('an answer of an API %s', (_, input) => {
  it('names the lists that could be its records', async () => {
    const { out, err } = await runCli(['count', 'properties["plan"] == "pro"'], { input });
    expect(out).toBe('0\n');
    expect(err).toContain(
      "note: The only record holds lists of objects. To read one of them, pass --records page.items or --records 'page.next links'.\n",
    );
    expect((await runCli(['describe', '--flatten'], { input })).err).not.toContain('--records');
  });

  it('is read at the list that --records names', async () => {
    const read = ['--records', 'page.items'];
    const { code, out, err } = await runCli(['count', 'properties["plan"] == "pro"', ...read], { input });
    expect({ code, out, err }).toEqual({ code: 0, out: '1\n', err: '' });
    const { out: found } = await runCli(['filter', 'properties["plan"] == "free"', ...read], { input });
    expect(JSON.parse(found)).toEqual(ITEMS[1]);
    expect((await runCli(['count', 'true', ...read], { input })).out).toBe('2\n');
    expect((await runCli(['describe', ...read], { input })).out).toMatch(/^2 records, 2 users, 2025-06-01 10:00:00/);
  });
});

it('a list is only named if --records can name it', async () => {
  const input = JSON.stringify({ a: { '': [{ n: 1 }] }, b: { c: [{ n: 1 }] }, '.d': [{ n: 1 }], e: [{ n: 1 }] });
  const { err } = await runCli(['count', 'true'], { input });
  expect(err).toContain('pass --records b.c or --records e.\n');
});

it('objects without the list are broken records, with their lines', async () => {
  const input = `${JSON.stringify(ANSWER)}\n{"error": "rate limit"}\n${JSON.stringify(ANSWER)}\n`;
  const { out, err } = await runCli(['count', 'true', '--records', 'page.items'], { input });
  expect(out).toBe('4\n');
  expect(err).toContain('2: there is no list "page.items" in this object; skipped');
});

it.each(['', '.', 'a.', '.a', 'a..b', 'a.b.c.d.e.f.g.h.i'])('--records refuses a path such as %j', async (path) => {
  const { code, err } = await runCli(['count', 'true', '--records', path], { input: '{}' });
  expect(code).toBe(2);
  expect(err).toContain('Expected at most 8 names joined by dots, such as "log.entries".');
});

it('--records is refused for a table', async () => {
  const file = join(folder, 'empty.parquet');
  writeFileSync(file, 'PAR1');
  const { code, err } = await runCli(['count', 'true', file, '--records', 'a']);
  expect(code).toBe(3);
  expect(err).toContain('empty.parquet is a table, and --records is for lists in JSON files');
});

it('the requests that a browser has recorded are read as they are', async () => {
  const entries = ORIGIN_SAMPLES.har.map(({ record }) => record);
  const file = join(folder, 'shop.har');
  writeFileSync(file, JSON.stringify({ log: { version: '1.2', pages: [{ id: 'p' }], entries } }));
  const { out, err } = await runCli(['count', '"b=2" in properties["request.headers.cookie"]', file]);
  expect(out).toBe('1\n');
  expect(err).toContain('requests of a browser (HAR), time: startedDateTime (ISO), user: none, event: request.method');
});

describe('requests of OpenTelemetry', () => {
  const [log] = ORIGIN_SAMPLES.otelLogs;
  const request = {
    resourceLogs: ['shop', 'pay'].map((service) => ({
      resource: { attributes: [{ key: 'service.name', value: { stringValue: service } }] },
      scopeLogs: [1, 2].map((n) => ({ scope: { name: `scope ${n}` }, logRecords: [log?.record] })),
    })),
  };
  const line = `${JSON.stringify(request)}\n`;

  it.each([
    ['on a line', line, 4],
    ['on many lines', line.repeat(3), 12],
    ['as pretty JSON', JSON.stringify(request, null, 2), 4],
    ['in a list', JSON.stringify([request, request]), 8],
  ])('have the records of all their lists, with the fields around them: %s', async (_, input, count) => {
    for (const file of ['requests.json', 'requests.jsonl']) {
      writeFileSync(join(folder, file), input);
      const { out, err } = await runCli(['events', join(folder, file)]);
      expect(err).toContain('OpenTelemetry log records, time: timeUnixNano (nanoseconds), user: attributes.user.id');
      expect(out).toMatch(new RegExp(`INFO +${count} `));
      const where = 'properties["resource.attributes.service.name"] == "pay" and properties["scope.name"] == "scope 2"';
      expect((await runCli(['count', where, join(folder, file)])).out).toBe(`${count / 4}\n`);
    }
    const { out } = await runCli(['filter', 'properties["scope.name"] == "scope 2"'], { input });
    expect(
      out
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text)),
    ).toEqual(Array(count / 2).fill(log?.record));
  });
});

it('records in lists of lists are named, and read with the fields before them', async () => {
  const orders = ['ann', 'bob'].map((user, id) => ({
    id,
    user,
    address: { tags: [{ id: 'x' }], lines: { city: 'Rome', items: [{ sku: 'A' }, { sku: 'B', id: 7 }] } },
  }));
  for (const input of [JSON.stringify({ orders }), JSON.stringify({ orders }, null, 2)]) {
    const { err } = await runCli(['describe'], { input: JSON.stringify({ orders: [{ list: [{ a: [{ b: 1 }] }] }] }) });
    expect(err).toContain('--records');
    const read = ['--records', 'orders.address.lines.items', '--flatten'];
    const segments = async (on: string) =>
      JSON.parse((await runCli(['segment', on, ...read, '--json'], { input })).out);
    expect(await segments('properties["user"] + "/" + properties["sku"] + "/" + string(properties["id"])')).toEqual({
      segments: ['ann/A/0', 'ann/B/7', 'bob/A/1', 'bob/B/7'].map((name) => ({ name, count: 1 })),
      rest: { segments: 0, count: 0 },
    });
    const where = 'properties["address.lines.city"] == "Rome" and not defined(properties["address.lines.items"])';
    expect((await runCli(['count', where, ...read], { input })).out).toBe('4\n');
    expect((await runCli(['count', '"x" in properties["address.tags.id"]', ...read], { input })).out).toBe('4\n');
  }
});

it('documents that a search of Elasticsearch has found are read as they are', async () => {
  const hits = ORIGIN_SAMPLES.elasticsearch.map(({ record }) => record);
  const input = JSON.stringify({ took: 3, _shards: { total: 1 }, hits: { total: { value: 1 }, hits } });
  const { out, err } = await runCli(['count', 'properties["amount"] == 5'], { input });
  expect(out).toBe('1\n');
  expect(err).toContain('documents of Elasticsearch, time: @timestamp (ISO), user: user.id, event: event.action');
});
