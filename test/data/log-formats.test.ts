import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findLogFormat, LOG_FORMATS } from '../../src/data/log-formats.ts';
import { LogSplitter } from '../../src/data/log-splitter.ts';
import { parseRecords } from '../../src/data/parse-records.ts';
import type { Properties } from '../../src/lang/value.ts';

/** A line of Snowplow, with values at these columns. */
function createSnowplowLine(values: Readonly<Record<number, string>>): string {
  return Array.from({ length: 131 }, (_, at) => values[at] ?? '').join('\t');
}

const EVENT_ID = 'c6ef3124-b53a-4b13-a233-0088f79dcbcb';
const CONTEXTS = '{"schema": "iglu:a", "data": ["x"]}';

/** A file in each format, what each of its records has, and the lines that are broken. */
const SAMPLES: Readonly<Record<string, { lines: string[]; expected: Properties[]; broken: number[] }>> = {
  'an access log of Apache or nginx': {
    lines: [
      '203.0.113.7 - frank [10/Oct/2000:13:55:36 -0700] "GET /a?b=1 HTTP/1.0" 200 2326 "http://example.com/" "Mozilla/4.08 \\"x\\""',
      '2001:db8::1 - - [31/Dec/2024:23:59:59 +0530] "-" 408 -',
      'not an access',
      'host.example.com - - [01/Jan/2025:00:00:00 +0000] "POST /x HTTP/2.0" 302 0 "-" "-" 0.003',
    ],
    expected: [
      {
        remote_addr: '203.0.113.7',
        remote_user: 'frank',
        time_local: '2000-10-10T13:55:36-07:00',
        request_method: 'GET',
        request_uri: '/a?b=1',
        server_protocol: 'HTTP/1.0',
        status: 200,
        body_bytes_sent: 2326,
        http_referer: 'http://example.com/',
      },
      { remote_addr: '2001:db8::1', time_local: '2024-12-31T23:59:59+05:30', status: 408 },
      { remote_addr: 'host.example.com', request_method: 'POST', status: 302, body_bytes_sent: 0 },
    ],
    broken: [3],
  },
  'a log in the W3C extended format': {
    lines: [
      '#Version: 1.0',
      '#Fields: date time c-ip cs-uri-stem sc-status cs(Referer)',
      '2025-06-01 10:00:00 203.0.113.9 /index.html 200 "a ""b"" c"',
      '2025-06-01 10:00:01 203.0.113.9',
      '#Fields: time x',
      '10:00:02 -',
    ],
    expected: [
      {
        datetime: '2025-06-01T10:00:00Z',
        date: '2025-06-01',
        time: '10:00:00',
        'c-ip': '203.0.113.9',
        'sc-status': 200,
        'cs(Referer)': 'a "b" c',
      },
      { time: '10:00:02' },
    ],
    broken: [4],
  },
  'enriched events of Snowplow': {
    lines: [
      createSnowplowLine({
        0: 'shop',
        3: '2025-06-01 10:00:00.123',
        5: 'page_view',
        6: EVENT_ID,
        52: CONTEXTS,
        130: 'x',
      }),
      'shop\tweb',
    ],
    expected: [
      {
        app_id: 'shop',
        collector_tstamp: '2025-06-01 10:00:00.123',
        event: 'page_view',
        contexts: { schema: 'iglu:a', data: ['x'] },
        true_tstamp: 'x',
      },
    ],
    broken: [2],
  },
};

function read(text: string, chunkSize = 7) {
  const bytes = new TextEncoder().encode(text);
  const splitter = new LogSplitter();
  const broken: number[] = [];
  const report = (line: number) => broken.push(line);
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkSize) }, (_, at) =>
    bytes.slice(at * chunkSize, (at + 1) * chunkSize),
  );
  const found = [...chunks.flatMap((chunk) => splitter.feed(chunk)), ...splitter.end()];
  return { ...parseRecords(found, report), broken };
}

describe.each(LOG_FORMATS.map(({ title }) => title))('%s', (title) => {
  const { lines = [], expected, broken } = SAMPLES[title] ?? {};

  it('is known by its first line, and no other format is', () => {
    expect(LOG_FORMATS.filter(({ isOf }) => isOf(lines[0] ?? '')).map((format) => format.title)).toEqual([title]);
    expect(findLogFormat(`\n${lines.join('\r\n')}`)?.title).toBe(title);
  });

  it('has the records of its lines, unchanged, and says which lines are broken', () => {
    const found = read(lines.join('\r\n'));
    expect(found.records.map(({ properties }) => properties)).toMatchObject(expected ?? []);
    expect(found.broken).toEqual(broken);
    expect(found.records.map((record) => record.text())).toEqual(found.records.map(({ line }) => lines[line - 1]));
  });

  it('reads any line without failing', () => {
    const part = fc.constantFrom(...lines.flatMap((line) => line.split(/(?<=[ "[\]\t#:])/)), '-', '"', '\\', '\t', ' ');
    const noise = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(noise, { maxLength: 5 }), fc.integer({ min: 1, max: 50 }), (added, size) => {
        const all = [...lines, ...added.filter((line) => line.trim() !== '')];
        const found = read(all.join('\n'), size);
        const directives = all.filter((line) => title.includes('W3C') && line.startsWith('#')).length;
        expect(found.records.length + found.broken.length).toBeGreaterThanOrEqual(all.length - directives);
        for (const { properties } of found.records) expect(Object.values(properties)).not.toContain('-');
      }),
      { numRuns: 50 },
    );
  });
});

it('fields of a log with the same name are refused', () => {
  expect(read('#Fields: a b a\n1 2 3').broken).toEqual([1, 2]);
});
