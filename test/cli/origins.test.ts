import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ORIGIN_SAMPLES } from '../data/origin-samples.ts';
import { runCli } from './run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'onwhere-'));

afterAll(() => rmSync(folder, { recursive: true }));

function save(name: keyof typeof ORIGIN_SAMPLES): string {
  const file = join(folder, `${name}.ndjson`);
  writeFileSync(file, ORIGIN_SAMPLES[name].map(({ record }) => `${JSON.stringify(record)}\n`).join(''));
  return file;
}

const SEGMENT = `Segment or RudderStack calls, time: timestamp (ISO), user: userId (else anonymousId), event: event (else type)\n`;

describe('a file of calls', () => {
  const file = save('segment');

  it.each([
    ['properties["userId"] == "u11"', 2],
    ['properties["context.ip"] == "203.0.113.7"', 1],
    ['properties["revenue"] > 40', 1],
    ['"B-2" in properties["products.sku"]', 1],
    ['properties["traits.plan"] == "pro"', 1],
  ])('is counted with the fields beside the properties: %s', async (where, count) => {
    const { out, err } = await runCli(['count', where, file]);
    expect([out, err]).toEqual([`${count}\n`, SEGMENT]);
  });

  it('has users, events and times', async () => {
    const { out } = await runCli(['events', '--type', 'unique', '--by', 'month', file, '--json']);
    expect(JSON.parse(out).data.values).toEqual({
      'Order Completed': { '2025-06-01': 1 },
      page: { '2025-06-01': 1 },
      identify: { '2025-06-01': 1 },
    });
  });

  it('keeps its records as they are', async () => {
    const { out } = await runCli(['filter', 'properties["name"] == "Home"', file]);
    expect(JSON.parse(out)).toEqual(ORIGIN_SAMPLES.segment[1]?.record);
  });

  it('has another time if one is chosen', async () => {
    const { err } = await runCli(['describe', '--time', 'originalTimestamp', file]);
    expect(err).toContain('time: originalTimestamp (ISO)');
  });
});

it('the lists of keys and values of Google Analytics are properties', async () => {
  const file = save('ga4');
  expect(
    (await runCli(['count', 'properties["event_params.page_location"] == "https://example.com/"', file])).out,
  ).toBe('1\n');
  const { out } = await runCli(['describe', file]);
  expect(out).toContain('event_params.ga_session_id');
  expect(out).not.toContain('event_params  ');
});
