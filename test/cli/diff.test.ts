import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { trace } from '../../src/api/explain.ts';
import { check } from '../../src/api/expressions.ts';
import { runCli as run } from '../../src/cli/run-cli.ts';
import { OutputStream } from '../../src/cli/terminal/output-stream.ts';
import { DiffCounter } from '../../src/cli/workers/diff-counter.ts';
import { DiffTotals } from '../../src/cli/workers/diff-totals.ts';
import { DecidedFilter } from '../../src/data/decided-filter.ts';
import { type EventRecord, toEventRecord } from '../../src/data/event-record.ts';
import { Random } from '../../src/data/random.ts';
import { why } from '../../src/lang/explain/why.ts';
import { drawFilter, drawRecords } from '../related-filters.ts';
import { runs } from '../runs.ts';
import { runCli } from './run-cli.ts';
import { testIo, Written } from './test-io.ts';

const OLD = 'properties["plan"] == "pro" and properties["amount"] > 100';
const NEW = 'properties["plan"] in ["pro", "team"] and properties["amount"] > 50';

const toRecord = (user: string, properties: object) => ({
  event: 'buy',
  properties: { distinct_id: user, ...properties },
});
const RECORDS = [
  toRecord('ann', { plan: 'pro', amount: 200 }),
  toRecord('bob', { plan: 'team', amount: 200 }),
  toRecord('bob', { plan: 'pro', amount: 70 }),
  toRecord('ann', { plan: 'team', amount: 60 }),
  toRecord('cat', { plan: 'free', amount: 60 }),
];
const input = RECORDS.map((record) => `${JSON.stringify(record)}\n`).join('');

describe('diff', () => {
  const folder = mkdtempSync(join(tmpdir(), 'onwhere-diff-'));
  const file = join(folder, 'events.ndjson');
  beforeAll(() => writeFileSync(file, input));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('says how filters relate, with a record for each difference', async () => {
    expect(await runCli(['diff', OLD, NEW])).toEqual({
      code: 1,
      out:
        'The new filter selects all records that the old one selects, and others.\n' +
        'only new: {"properties":{"plan":"pro","amount":100}}\n',
      err: '',
    });
    expect(await runCli(['diff', '-', 'event["a"] == 1'], { input: '1 == event["a"]\n' })).toEqual({
      code: 0,
      out: 'Both filters select the same records.\n',
      err: '',
    });
  });

  it.each([
    ['properties["a"] == 1', 'properties["a"] == 2', 'No record is selected by both filters.'],
    ['properties["a"] == 1', 'properties["b"] == 2', 'Each filter selects records that the other does not'],
    ['properties["a"] in [1, 2]', '-1 == properties["a"] or properties["a"] == 1', 'Each filter selects'],
    ['properties["a"] == true', 'properties["a"]', 'but raise type errors on different ones.\nonly new fails: {"prop'],
    ['properties["a"] > 1', 'properties["a"] > 1 and properties["a"] < 1', 'The new filter selects no record at all.'],
    ['properties["n"] % 2 == 1', 'properties["n"] % 4 == 0', 'It could not be decided'],
  ])('describes %s and %s', async (old, changed, words) => {
    const { code, out } = await runCli(['diff', old, changed]);
    expect([code, out]).toEqual([1, expect.stringContaining(words)]);
  });

  it('uses what a schema knows', async () => {
    const schema = join(folder, 'schema.json');
    writeFileSync(schema, JSON.stringify({ type: 'object', properties: { plan: { enum: ['pro', 'team'] } } }));
    const filters = ['properties["plan"] == "pro"', 'defined(properties["plan"]) and properties["plan"] != "team"'];
    expect((await runCli(['diff', ...filters])).code).toBe(1);
    expect((await runCli(['diff', ...filters, '--schema', schema])).code).toBe(0);
  });

  it('counts the records and users that join and leave, and says why', async () => {
    const { code, out } = await runCli(['diff', OLD, NEW, file]);
    expect(code).toBe(1);
    expect(out.slice(out.indexOf('of 5'))).toBe(
      `of 5     records  users
old            1      1
new            4      2
joining        3      1
leaving        0      0

Why 3 records join:
  1  old properties["plan"] == "pro" is false
  1  old properties["amount"] > 100 is false
  1  old properties["plan"] == "pro" is false, old properties["amount"] > 100 is false
  ${file}:2: {"properties":{"plan":"team","amount":200}}
  ${file}:3: {"properties":{"plan":"pro","amount":70}}
  ${file}:4: {"properties":{"plan":"team","amount":60}}
`,
    );
  });

  it('prints all of it as JSON', async () => {
    const { out } = await runCli(['diff', NEW, OLD, '-', '--json'], { input });
    const clause = (code: string) => ({ filter: 'new', code, is: 'false' });
    expect(JSON.parse(out)).toEqual({
      relation: 'implied-by',
      never: [],
      witnesses: { both: expect.anything(), only_old: expect.anything() },
      data: {
        records: 5,
        old: { records: 4, failures: 0, users: 2 },
        new: { records: 1, failures: 0, users: 1 },
        joining: { records: 0, users: 0, reasons: [], other_reasons: 0, examples: [] },
        leaving: {
          records: 3,
          users: 1,
          reasons: [
            { records: 1, clauses: [clause('properties["plan"] == "pro"')] },
            { records: 1, clauses: [clause('properties["amount"] > 100')] },
            { records: 1, clauses: [clause('properties["plan"] == "pro"'), clause('properties["amount"] > 100')] },
          ],
          other_reasons: 0,
          examples: [2, 3, 4].map((line) => {
            const { distinct_id: _, ...properties } = { ...RECORDS[line - 1]?.properties };
            return { line, properties, file: 'standard input' };
          }),
        },
        limited: [],
      },
    });
  });

  it.each([
    [
      'a part that is new',
      'properties["a"] == 1 or properties["b"] == 1',
      'or properties["c"] == 1',
      'new properties["c"] == 1 is true',
    ],
    ['a shared part only', 'properties["a"] == 1', 'and properties["c"] == 5', 'new properties["c"] == 5 is false'],
    ['a missing property', 'properties["c"] == 1', 'and properties["z"] > 5', 'new properties["z"] > 5 is undefined'],
    ['a type error', 'properties["c"] == 1', 'and properties["s"]', 'new properties["s"] is a type error'],
  ])('names as the reason %s', async (_, old, more, reason) => {
    const record = `${JSON.stringify({ a: more.startsWith('or') ? 0 : 1, b: 0, c: 1, s: 'x' })}\n`;
    const { out } = await runCli(['diff', old, `(${old}) ${more}`, '-'], { input: record });
    expect(out).toContain(`  1  ${reason}\n`);
  });

  it('names the clauses of both filters that decide, if only some of one do', async () => {
    const filters = ['properties["a"] > 5', 'properties["a"] >= 5 or properties["b"]'];
    const { out } = await runCli(['diff', ...filters, '-'], { input: '{"a":5}\n{"a":1,"b":true}\n{"a":1,"b":true}\n' });
    expect(out).toContain(
      '  2  old properties["a"] > 5 is false, new properties["b"] is true\n' +
        '  1  old properties["a"] > 5 is false, new properties["a"] >= 5 is true\n',
    );
  });

  it('counts type errors, which do not stop it', async () => {
    const { out } = await runCli(['diff', 'properties["plan"] == "pro"', 'properties["plan"]', '-'], { input });
    expect(out).toContain('new fails        5\n');
    expect(out).toContain('leaving          2      2\n');
  });

  it('takes the options of other commands over files', async () => {
    const csv = 'who;what;plan\na;view;pro\nb;buy;team\nc;buy;pro\n';
    const fields = ['--user', 'who', '--event-column', 'what', '--event', 'buy', '--delimiter', ';'];
    const { out, err } = await runCli(['diff', 'true', 'properties["plan"] == "pro"', '-', ...fields], { input: csv });
    expect(out).toContain('of 2     records  users\nold            2      2\nnew            1      1\n');
    expect(out).toContain('standard input:3: {"properties":{"plan":"team"}}');
    expect(err).not.toContain('warning');
    const absent = await runCli(['diff', 'true', 'properties["paln"] == "pro"', '-'], { input });
    expect(absent.err).toContain('No record has the property "paln". Did you mean "plan"');
  });

  it('refuses files in place of filters, and standard input twice', async () => {
    const refused = await runCli(['diff', file, 'true']);
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('is a file, not a filter. To pass what')]);
    expect((await runCli(['diff', '-', 'true', '-'])).err).toContain('write - once');
    expect((await runCli(['diff', 'true', 'plan == 1'])).err).toContain('Unknown name "plan"');
    expect((await runCli(['diff', 'true', 'false', join(folder, 'missing')])).code).toBe(3);
  });

  it('prints no control characters to a terminal', async () => {
    const out = new Written();
    const terminal = Object.assign(out, { isTTY: true, columns: 60 });
    const io = testIo({ out: new OutputStream(terminal, { NO_COLOR: '1' }) });
    const hostile = join(folder, 'hostile.ndjson');
    writeFileSync(hostile, `${JSON.stringify({ a: `\u001b[2J\u202e${'x'.repeat(500)}` })}\n`);
    await run(['diff', 'properties["a"] == "\\u001b[2J"', 'defined(properties["a"])', hostile], io);
    expect(out.text).toContain('joining');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(out.text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(Math.max(...out.text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(60);
  });

  it('counts as many users as its limit', () => {
    const counter = new DiffCounter({ old: 'true', new: 'false' }, 0, 'UTC');
    const totals = new DiffTotals(2);
    for (const user of ['a', 'b', 'c', 'a', 'c']) {
      counter.add(toEventRecord(toRecord(user, {}), () => '', 1) as EventRecord);
      totals.merge(counter.take(), { file: 'f', line: 0 });
    }
    expect([totals.countUsers('old'), totals.getDiffering('leaving').users, totals.areUsersLimited]).toEqual([
      2,
      2,
      true,
    ]);
    expect(totals.getDiffering('leaving').examples).toHaveLength(3);
  });
});

/** Filters and records for which the reasons of `why` are known. */
it('decides by the same clauses as `why`', () => {
  let decided = 0;
  const property = fc.property(fc.noShrink(fc.nat()), (seed) => {
    const random = new Random(seed);
    const [source] = drawFilter(random);
    if (!check(source, { use: 'where' }).ok) return;
    for (const { properties, user, now } of drawRecords(random, [source], 5)) {
      const traced = trace(source, properties, user, { use: 'where', now });
      if (traced.error !== undefined) continue;
      const filter = new DecidedFilter(source, now);
      const codes = filter.decide(filter.evaluate(properties, user)).map((index) => filter.clauses[index]?.code);
      const reasons = why(traced).map(({ code }) => code.replace(/^not /, ''));
      expect(codes.map((code) => code?.replace(/^not /, ''))).toEqual(reasons);
      decided++;
    }
  });
  fc.assert(property, { numRuns: runs(500), seed: 1 });
  expect(decided).toBeGreaterThan(100);
});
