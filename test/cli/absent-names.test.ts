import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scan } from '../../src/cli/scan.ts';
import { OutputStream } from '../../src/cli/terminal/output-stream.ts';
import type { Job } from '../../src/cli/workers/job.ts';
import { runs } from '../runs.ts';
import { runCli } from './run-cli.ts';
import { testIo, Written } from './test-io.ts';

const EVENTS = [
  { event: 'purchase', properties: { plan: 'pro', country: 'DE', amount: 10, tags: ['sale'], size: '10' } },
  { event: 'purchase', properties: { plan: 'free', country: 'US', amount: 2, size: '6', paid: 'true' } },
  { event: 'view', properties: { plan: 'pro', country: 'US', size: '10' } },
];
const ndjson = EVENTS.map((event) => `${JSON.stringify(event)}\n`).join('');

let folder = '';
const path = (name: string) => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-absent-'));
  writeFileSync(path('e.ndjson'), ndjson);
  writeFileSync(path('e.ndjson.gz'), gzipSync(ndjson));
  writeFileSync(path('e.json'), JSON.stringify(EVENTS));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a name that no record has', () => {
  it.each([
    [['count', 'properties["paln"] == "pro"'], 'No record has the property "paln". Did you mean "plan" (3 records)?'],
    [['segment', 'properties["contry"]'], 'No record has the property "contry". Did you mean "country" (3 records)?'],
    [['count', 'true', '--event', 'purchse'], 'No event is called "purchse". Did you mean "purchase" (2)?'],
    [
      ['filter', 'properties["country"] == "Germany"'],
      '"Germany" never occurs in properties["country"]. Its values include "US" (2), "DE" (1).',
    ],
    [
      ['count', 'properties["country"] in ["DE", "Peru"]'],
      '"Peru" never occurs in properties["country"]. Its values include "US" (2), "DE" (1).',
    ],
    [['count', '"Pro" != properties["plan"]'], '"Pro" never occurs in properties["plan"]. Did you mean "pro" (2)?'],
    [['sum', 'properties["plan"]'], 'properties["plan"] is never a number, so every value counts as 0.'],
    [
      ['count', 'properties["size"] > 6 and properties["size"] in [6, 7]'],
      'properties["size"] is never a number. Its values include "10" (2), "6" (1). Write number(properties["size"]) to read strings as numbers.',
    ],
    [
      ['segment', 'properties["country"] != 5 and true != properties["paid"]'],
      'properties["country"] is never a number. Its values include "US" (2), "DE" (1).',
      'properties["paid"] is never a boolean. Its values include "true" (1).',
    ],
    [
      ['count', 'properties["amount"] in [10, 99] or properties["amount"] > 500'],
      '99 never occurs in properties["amount"].',
    ],
    [['count', 'user["plan"] == "pro"'], 'No record has the user property "plan".'],
    [
      ['count', 'properties["zzzzzzz"] == 1'],
      'No record has the property "zzzzzzz". Properties include "country" (3 records), "plan" (3 records), "size" (3 records).',
    ],
  ])('of %j is reported once', async (args, ...messages) => {
    const warnings = messages.map((message) => `warning: ${message}\n`).join('');
    for (const file of ['e.ndjson', 'e.ndjson.gz', 'e.json']) {
      const { code, err } = await runCli([...args, path(file)]);
      expect({ code, err }).toEqual({ code: 0, err: warnings });
    }
    expect((await runCli(args, { input: ndjson })).err).toBe(warnings);
  });

  it.each([
    [['count', 'properties["plan"] == "pro"']],
    [['count', '"sale" in properties["tags"]']],
    [['count', 'properties["tags"] == "sale"']],
    [['count', 'true', '--event', 'view']],
    [['sum', 'properties["amount"]']],
    [['filter', 'number(properties["size"]) > 5 and properties["paid"] != "true"']],
  ])('is not reported where %j names what occurs', async (args) => {
    const { code, err } = await runCli([...args, path('e.ndjson')]);
    expect(code).toBe(0);
    expect(err).not.toContain('warning');
  });

  it('is not reported where there are no records', async () => {
    expect((await runCli(['count', 'properties["paln"]'])).err).toBe('');
  });

  it('may be in records that were skipped unread', async () => {
    const lines = ['{"a":1,"b":2}', '{"c":"x"}'].map((line) => `${line}\n`.repeat(300)).join('');
    const { err } = await runCli(['count', 'properties["b"] == 2 and properties["c"] == "x"'], { input: lines });
    expect(err).not.toContain('warning');
  });
});

describe('a large input', () => {
  // More than the sample holds, so that its end is not looked at again.
  const input = `{"plan":"pro"}\n{"pad":"${'x'.repeat(1000)}"}\n`.repeat(20_000);

  it('limits the claim to the first records if records were skipped unread', async () => {
    const { err } = await runCli(['count', 'properties["paln"] == "none"'], { input });
    expect(err).toMatch(
      /^warning: None of the first [\d,]+ records has the property "paln"\. Did you mean "plan" \([\d,]+ of the first [\d,]+ records\)\?\n$/,
    );
  });

  it('needs no limit if all records were read', async () => {
    const { err } = await runCli(['segment', 'properties["paln"]'], { input });
    expect(err).toMatch(/^warning: No record has the property "paln"\. Did you mean "plan" \(.* of the first/);
  });
});

describe('the warnings', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'toString', '__proto__', 'é"');
  const value = fc.oneof(fc.constantFrom('x', 'y', 'z\n', ''), fc.nat(3), fc.constant(null));
  const record = fc.record({
    event: fc.constantFrom('view', 'buy'),
    properties: fc.array(fc.tuple(name, fc.oneof(value, fc.array(value, { maxLength: 2 })))),
  });
  const text = (string: string) => JSON.stringify(string);
  const condition = fc.oneof(
    fc
      .tuple(name, value)
      .map(([of, than]) => ({ of, than: than ?? 1, source: `properties[${text(of)}] == ${toLiteral(than)}` })),
    fc
      .tuple(name, value)
      .map(([of, than]) => ({ of, than: than ?? 1, source: `${toLiteral(than)} != properties[${text(of)}]` })),
    name.map((of) => ({ of, than: undefined, source: `defined(properties[${text(of)}])` })),
  );

  it('come if and only if no record has the name or value', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { minLength: 1, maxLength: 8 }),
        fc.array(condition, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(' and ', ' or '),
        fc.constantFrom(undefined, 'buy', 'veiw'),
        fc.integer({ min: 1, max: 3 }),
        async (records, conditions, word, event, blocks) => {
          const lines = records.map(({ event: called, properties }) => {
            const members = properties.map(([of, is]) => `${text(of)}:${text(is as string)}`);
            return `{"event":${text(called)},"properties":{${members.join(',')}}}\n`;
          });
          const err = new Written();
          const io = testIo({
            err: new OutputStream(err, {}),
            in: Readable.from(
              lines.flatMap((line) => {
                const size = Math.ceil(Buffer.byteLength(line) / blocks);
                return Array.from({ length: blocks }, (_, at) =>
                  Buffer.from(line).subarray(at * size, (at + 1) * size),
                );
              }),
            ),
          });
          const where = conditions.map(({ source }) => source).join(word);
          const job: Job = { kind: 'count', unique: false, where, now: 0, ...(event !== undefined && { event }) };
          await scan(io, [], job, { part: () => undefined });

          const parsed = lines.map((line) => JSON.parse(line).properties as Record<string, unknown>);
          const expected = new Set<string>();
          if (event === 'veiw' || !records.some(({ event: called }) => called === (event ?? called)))
            expected.add(`event ${event}`);
          for (const { of, than } of conditions) {
            const having = parsed.filter((properties) => Object.hasOwn(properties, of));
            const values = having.flatMap((properties) => [properties[of]].flat());
            if (having.length === 0) expected.add(`property ${of}`);
            // A type that never occurs is told instead of its values.
            const isOther = typeof than === 'number' && !values.some((value) => typeof value === 'number');
            if (having.length > 0 && than !== undefined && !isOther && !values.includes(than))
              expected.add(`value ${of} ${JSON.stringify(than)}`);
          }
          const printed = err.text
            .split('\n')
            .filter((line) => /^warning: (?:No (?:event|record)|.* never occurs)/.test(line));
          expect(printed).toHaveLength(expected.size);
        },
      ),
      { numRuns: runs(100) },
    );
  });
});

function toLiteral(value: string | number | null): string {
  return value === null ? '1' : JSON.stringify(value);
}
