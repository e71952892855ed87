import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from './run-cli.ts';

const DAY = 86_400;
const SUNDAY = Date.UTC(2025, 5, 1) / 1000;

const EVENTS = [
  { event: 'buy', properties: { distinct_id: 'ann', time: SUNDAY, plan: 'pro', amount: 10, tags: ['a', 'b', 'a'] } },
  { event: 'buy', properties: { distinct_id: 'ann', time: SUNDAY + DAY, plan: 'pro', amount: '20' } },
  { event: 'buy', properties: { distinct_id: 'bob', time: SUNDAY + 2 * DAY, plan: 'free', amount: 0.1, tags: [] } },
  { event: 'view', properties: { distinct_id: 'bob', time: SUNDAY + 9 * DAY, plan: null } },
  { event: 'view', properties: { distinct_id: 'cat', time: SUNDAY + 40 * DAY } },
];
const lines = EVENTS.map((event) => JSON.stringify(event));

let folder = '';
const path = (name: string) => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-cli-'));
  writeFileSync(path('events.ndjson'), `${lines.join('\n')}\n`);
  writeFileSync(path('events.ndjson.gz'), gzipSync(lines.join('\n')));
  writeFileSync(path('events.json'), JSON.stringify(EVENTS, undefined, 2));
  writeFileSync(path('broken.ndjson'), `${lines[0]}\n{"event": \n[1]\n${lines[1]}\n`);
  writeFileSync(
    path('events.csv'),
    'event,distinct_id,plan,amount,note\nbuy,1,pro,10,"a ""b"", c"\nbuy,2,free,,\nview,2,pro,2.5,x\n',
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

const PRO = 'properties["plan"] == "pro"';

describe('filter', () => {
  it('prints records of every format unchanged', async () => {
    for (const file of ['events.ndjson', 'events.ndjson.gz']) {
      const { code, out, err } = await runCli(['filter', PRO, path(file)]);
      expect({ code, out, err }).toEqual({ code: 0, out: `${lines[0]}\n${lines[1]}\n`, err: '' });
    }
    const { out } = await runCli(['filter', PRO, path('events.json')]);
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(EVENTS.slice(0, 2));
  });

  it('prints the header of a CSV file once', async () => {
    const { out } = await runCli(['filter', PRO, path('events.csv'), path('events.csv')]);
    const rows = 'buy,1,pro,10,"a ""b"", c"\nview,2,pro,2.5,x\n';
    expect(out).toBe(`event,distinct_id,plan,amount,note\n${rows}${rows}`);
  });

  it('reads standard input', async () => {
    const { out } = await runCli(['filter', PRO], { input: lines.join('\n') });
    expect(out).toBe(`${lines[0]}\n${lines[1]}\n`);
  });

  it('keeps numbers that a double cannot hold', async () => {
    const line = '{"id": 12345678901234567890, "x": 1.0}';
    expect((await runCli(['filter', 'true'], { input: line })).out).toBe(`${line}\n`);
  });
});

describe('count', () => {
  it.each([
    [[PRO], '2'],
    [['true', '--event', 'buy'], '3'],
    [['true', '--unique'], '3'],
    [['number(properties["amount"]) > 5'], '2'],
    [['-properties["amount"] < 0'], '2'],
    [['properties["time"] < now', '--now', '2025-06-02'], '1'],
    [['properties["time"] < now', '--now', String(SUNDAY + DAY)], '1'],
  ])('%j counts %s', async (args, expected) => {
    const { code, out } = await runCli(['count', ...args, path('events.ndjson')]);
    expect({ code, out }).toEqual({ code: 0, out: `${expected}\n` });
  });

  it('adds up several files', async () => {
    expect((await runCli(['count', 'true', path('events.ndjson'), path('events.json'), path('events.csv')])).out).toBe(
      '13\n',
    );
  });
});

describe('segment', () => {
  const segment = async (...args: string[]) => (await runCli(['segment', ...args, path('events.ndjson')])).out;

  it('ranks segments by count, then by name', async () => {
    const { segments, rest } = JSON.parse(await segment('properties["plan"]', '--json'));
    expect(segments).toEqual([
      { name: 'pro', count: 2 },
      { name: 'free', count: 1 },
      { name: 'null', count: 1 },
      { name: 'undefined', count: 1 },
    ]);
    expect(rest).toEqual({ segments: 0, count: 0 });
  });

  it('puts a record into the segment of each element of a list once', async () => {
    const { segments } = JSON.parse(await segment('properties["tags"]', '--json', '--event', 'buy'));
    expect(segments).toEqual([
      { name: 'a', count: 1 },
      { name: 'b', count: 1 },
      { name: 'undefined', count: 1 },
    ]);
  });

  it('counts users', async () => {
    expect(await segment('properties["plan"]', '--unique', '--csv')).toBe(
      'segment,users\nfree,1\nnull,1\npro,1\nundefined,1\n',
    );
  });

  it('groups by days, weeks from Monday and months, without gaps', async () => {
    expect(await segment('"all"', '--by', 'day', '--csv', '--event', 'buy')).toBe(
      'day,all\n2025-06-01,1\n2025-06-02,1\n2025-06-03,1\n',
    );
    expect(await segment('"all"', '--by', 'week', '--csv')).toBe(
      'week,all\n2025-05-26,1\n2025-06-02,2\n2025-06-09,1\n2025-06-16,0\n2025-06-23,0\n2025-06-30,0\n2025-07-07,1\n',
    );
    expect(await segment('"all"', '--by', 'month', '--csv')).toBe('month,all\n2025-06-01,4\n2025-07-01,1\n');
    expect(await segment('"all"', '--by', 'hour', '--csv', '--where', 'properties["amount"] == 10')).toBe(
      'hour,all\n2025-06-01 00:00:00,1\n',
    );
  });

  it('prints a table with bars and the number of omitted segments', async () => {
    const out = await segment('properties["plan"]', '--limit', '2');
    expect(out).toContain('pro           2  ████');
    expect(out).toContain('… and 2 more segments with 2 events');
  });

  it('skips records without a time, with a warning', async () => {
    const { out, err } = await runCli(['segment', '"all"', '--by', 'day', '--csv'], {
      input: `${lines[0]}\n{"a":1}\n{"time":1e300}\n`,
    });
    expect(out).toBe('day,all\n2025-06-01,1\n');
    expect(err).toContain('2 records have no time');
  });

  it('handles many segments', async () => {
    const input = Array.from({ length: 130_000 }, (_, id) => `{"id":${id}}\n`).join('');
    const { code, out } = await runCli(['segment', 'properties["id"]', '--limit', '130000'], { input });
    expect(code).toBe(0);
    expect(out.split('\n')).toHaveLength(130_002);
  });

  it('warns about segments that CSV omits', async () => {
    const { err } = await runCli(['segment', 'properties["plan"]', '--csv', '--limit', '3', path('events.ndjson')]);
    expect(err).toBe('warning: and 1 more segment (--limit, --json)\n');
  });

  it('shows no control characters', async () => {
    const { out } = await runCli(['segment', 'properties["x"]'], { input: '{"x":"a\\u001b[31mb\\nc"}' });
    expect(out).not.toContain('\u001b');
    expect(out).toContain('a\ufffd[31mb\ufffdc');
  });
});

describe('sum and average', () => {
  it('count values that are not numbers as 0', async () => {
    expect((await runCli(['sum', 'properties["amount"]', path('events.ndjson')])).out).toBe('10.1\n');
    expect(
      (await runCli(['average', 'number(properties["amount"])', '--event', 'buy', path('events.ndjson')])).out,
    ).toBe('10.033333333333333\n');
    expect((await runCli(['average', '1', '--where', 'false', path('events.ndjson')])).out).toBe('undefined\n');
  });

  it('compensate rounding errors', async () => {
    expect((await runCli(['sum', '0.1'], { input: '{}\n'.repeat(10) })).out).toBe('1\n');
  });
});

describe('properties', () => {
  it('prints a schema that check accepts', async () => {
    const { out } = await runCli(['properties', path('events.ndjson'), '--json']);
    expect(JSON.parse(out).properties.amount).toEqual({
      types: ['string', 'number'],
      count: 3,
      examples: ['10', '"20"', '0.1'],
    });
    writeFileSync(path('schema.json'), out);
    const checked = await runCli(['check', 'properties["paln"] == "pro"', '--schema', path('schema.json'), '--json']);
    const [found] = JSON.parse(checked.out).diagnostics;
    expect(found).toMatchObject({ code: 'unknown-property', line: 1, column: 1, help: 'Did you mean "plan"?' });
    expect(found.page).toBe('docs/diagnostics/unknown-property.md');
    expect(checked.code).toBe(0);
  });

  it('prints a table', async () => {
    const { out } = await runCli(['properties', path('events.csv')]);
    expect(out).toMatch(/amount +number +2 +67% {2}10, 2\.5/);
  });

  it.each([[], ['--json']])('lists at most 10,000 names, and says so (%s)', async (...json) => {
    const names = Array.from({ length: 10_001 }, (_, index) => [`p${index}`, index]);
    const input = JSON.stringify({ properties: Object.fromEntries(names) });
    const { out, err } = await runCli(['properties', ...json], { input });
    expect(out).toContain('p9999');
    expect(out).not.toContain('p10000');
    expect(err.replace(/\s+/g, ' ')).toContain('only the first 10,000 different properties are counted');
  });
});

describe('expressions', () => {
  it('eval prints a value', async () => {
    expect(
      (await runCli(['eval', 'user["n"] + properties["n"]', '--user', '{"n":1}', '--properties', '{"n":2}'])).out,
    ).toBe('3\n');
    expect((await runCli(['eval', '1 / 0'])).out).toBe('undefined\n');
    expect((await runCli(['eval', '-1'])).out).toBe('-1\n');
    expect((await runCli(['eval', 'now', '--now', '2025-06-01T00:00:00Z'])).out).toBe(`${SUNDAY}\n`);
  });

  it('check reports errors by its exit code', async () => {
    expect(await runCli(['check', PRO])).toEqual({ code: 0, out: 'ok: boolean; reads properties["plan"]\n', err: '' });
    const wrong = await runCli(['check', 'a = 1']);
    expect(wrong.code).toBe(1);
    expect(wrong.out).toContain('[bare-name]');
    expect(wrong.out).toContain('[single-equals]');
    expect((await runCli(['check', '5', '--use', 'where'])).code).toBe(1);
    const foreign = [
      ['has_prefix(user["a"], "b")', '\n\nRead as Mixpanel, it means:\nuser["a"] >= "b" and user["a"] < "c"\n'],
      ['has_suffix(user["a"], "b")', '\n\nRead as Mixpanel: onwhere cannot test how a string ends. '],
      [
        "zip = '10115'",
        '\n\nRead as SQL, it means:\nproperties["zip"] == "10115"\nnote: \'10115\' is compared as a string. ',
      ],
    ] as const;
    for (const [source, meaning] of foreign) expect((await runCli(['check', source])).out).toContain(meaning);
    expect((await runCli(['check', 'plan == "pro" && url == "a"'])).out).not.toContain('Read as');
    expect(await runCli(['check', '--fix', 'plan = "pro"'])).toEqual({
      code: 0,
      out: 'properties["plan"] == "pro"\n',
      // In SQL, "pro" could also be a column.
      err: 'note: Double quotes hold strings here: "pro". Remove them from names of columns.\nchanged `=` to `==` [single-equals]\nchanged `plan` to `properties["plan"]` [bare-name]\n',
    });
    const left = await runCli(['check', '--fix', 'properties["plan"] = lower("pro")']);
    expect(left).toMatchObject({ code: 1, out: 'properties["plan"] == lower("pro")\n' });
    expect(left.err).toContain('[no-equivalent]');
    const fixed = JSON.parse((await runCli(['check', '--fix', '--json', 'plan']))?.out);
    expect(fixed).toMatchObject({
      ok: true,
      source: 'properties["plan"]',
      fixes: [{ code: 'bare-name', written: 'plan' }],
    });
    expect((await runCli(['check', '-'], { input: '1 +\n  2\n' })).out).toBe('ok: number\n');
  });

  it('check compares names and values with those of files', async () => {
    const event = (plan: string) => `${JSON.stringify({ event: 'buy', properties: { plan } })}\n`;
    const input = [...'aaaaabbbbb'].map(event).join('');
    const check = async (source: string, ...rest: string[]) => {
      const { code, out, err } = await runCli(['check', source, '-', ...rest, '--json'], { input });
      return { code, err, codes: JSON.parse(out).diagnostics.map((one: { code: string }) => one.code) };
    };
    expect(await check('properties["plan"] == "a"')).toEqual({ code: 0, err: '', codes: [] });
    expect(await check('properties["plan"] == "c"')).toEqual({ code: 0, err: '', codes: ['unknown-value'] });
    expect(await check('properties["paln"] == "a"')).toEqual({ code: 0, err: '', codes: ['unknown-property'] });
    const none = await check('properties["paln"] == "a"', '--event', 'sell');
    expect(none).toMatchObject({ code: 0, codes: [] });
    expect(none.err).toContain('warning: there are no records, so no name and no value is compared with them\n');
    const names = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`p${index}`, index]));
    const wide = await runCli(['check', 'properties["p10000"]', '-'], { input: JSON.stringify({ properties: names }) });
    expect(wide).toMatchObject({ code: 0, out: 'ok: any; reads properties["p10000"]\n' });
    expect(wide.err).toContain('only the first 10,000 different properties are counted');
  });

  it('fmt prints a formatted expression', async () => {
    expect((await runCli(['fmt', 'NOT (1==2)'])).out).toBe('not 1 == 2\n');
    expect((await runCli(['fmt', '-'], { input: "'a'\n" })).out).toBe('"a"\n');
  });
});

describe('errors', () => {
  it.each([
    [['count', '1 = 1'], 1, '[single-equals]'],
    [['count', '5'], 1, '[filter-type]'],
    [['eval', '1', '--properties', '{'], 2, '--properties is not JSON'],
    [['eval', '1', '--properties', '[]'], 2, '--properties takes a JSON object'],
    [['count', 'true', '--now', 'soon'], 2, 'Expected Unix seconds or a date'],
    [['check', '1', '--schema', 'no-such.json'], 3, 'No such file: no-such.json'],
    [['check', '1', 'no-such.ndjson'], 3, 'No such file: no-such.ndjson'],
    [['check', '1', 'a.ndjson', '--schema', 'b.json'], 2, 'Name event files or a schema with --schema, not both'],
    [['check', '-', '-'], 2, 'Standard input can be only one of the expression and files: write - once'],
    [['segment', '1', '--limit', '0'], 2, 'whole number'],
    [['segment', '1', '--by', 'year'], 2, 'Allowed choices'],
    [['segment', '1', '--chart'], 2, '--chart draws values over time. Add --by day'],
    [['segment', '1', '--by', 'day', '--chart', '--csv'], 2, "'--chart' cannot be used with option '--csv'"],
    [['segment', '1', '--json', '--csv'], 2, 'cannot be used with'],
    [['cuont', 'true'], 2, 'Did you mean count?'],
    [['count'], 2, "missing required argument 'where'"],
    [['count', 'true', 'no-such.ndjson'], 3, 'No such file: no-such.ndjson'],
    [['count', 'true', 'src/data'], 3, 'There are no event files in src/data'],
  ])('%j exits with %i and prints %s', async (args, code, message) => {
    const result = await runCli(args);
    expect(result.code).toBe(code);
    expect(result.err).toContain(message);
    expect(result.err).not.toMatch(/^ +at /m);
    expect(result.out).toBe('');
  });

  it('reports, counts and skips a broken line', async () => {
    const { code, out, err } = await runCli(['count', 'true', path('broken.ndjson')]);
    expect({ code, out }).toEqual({ code: 0, out: '2\n' });
    expect(err).toContain('broken.ndjson:2: not JSON');
    expect(err).toContain('broken.ndjson:3: not an object');
    expect(err).toContain('2 broken records skipped');
  });

  it('--strict stops at a broken line', async () => {
    const { code, out, err } = await runCli(['count', 'true', '--strict', path('broken.ndjson')]);
    expect({ code, out }).toEqual({ code: 3, out: '' });
    expect(err).toContain('broken.ndjson:2: not JSON');
  });

  it('prints the results before an error', async () => {
    const after = await runCli(['filter', PRO, path('events.ndjson'), 'no-such.ndjson']);
    expect(after).toMatchObject({ code: 3, out: `${lines[0]}\n${lines[1]}\n` });
    const cut = await runCli(['filter', 'true', '-'], { input: '[{"a":1},{"b":2}' });
    expect(cut).toMatchObject({ code: 3, out: '{"a":1}\n' });
    expect(cut.err).toContain('standard input:1: the file ends within this element');
  });

  it('eval says on standard error why a value is undefined', async () => {
    const month = await runCli(['eval', 'datetime(properties["a"])', '--properties', '{"a": "2025-13-01"}']);
    expect(month).toEqual({ code: 0, out: 'undefined\n', err: 'undefined: no month 13\n' });
  });

  it('prints warnings and still runs the command', async () => {
    const counted = await runCli(['count', '"5" < 3', path('events.ndjson')]);
    expect(counted).toMatchObject({ code: 0, out: '0\n' });
    expect(counted.err).toContain('[always-undefined]');
    expect((await runCli(['sum', '"x"', path('events.ndjson')])).err).toContain('[never-number]');
    expect((await runCli(['eval', '1 < 2 < 3'])).err).toContain('[chained-comparison]');
  });

  it('distinguishes a mistyped option from an expression with a minus', async () => {
    expect((await runCli(['count', '--uniqe', 'true'])).err).toContain("unknown option '--uniqe'");
    expect((await runCli(['eval', '-now == 0 - now'])).out).toBe('true\n');
    expect((await runCli(['count', 'true', '--event', '-1'], { input: '{"event":"-1"}' })).out).toBe('1\n');
    expect((await runCli(['count', 'true', '--', '-1.ndjson'])).err).toContain('No such file: -1.ndjson');
  });

  it('escapes control characters of names', async () => {
    const name = 'no\u001b[31m\u202e-such';
    for (const args of [
      ['count', 'true', name],
      ['check', '1', '--schema', name],
      ['count', 'true', '--by', name],
      [name],
    ]) {
      expect((await runCli(args)).err).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
    }
    expect((await runCli(['fmt', `"\u202e\u0085"`])).out).toBe('"\\u202e\\u0085"\n');
  });

  it('a type error names the operator, the type and the record', async () => {
    const { code, out, err } = await runCli(['count', 'properties["plan"] and true', path('events.ndjson')]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('`and` takes booleans; this is a string.');
    expect(err).toContain('events.ndjson:1');
  });

  it('the help has every command in a group that says what the commands read', async () => {
    const { out } = await runCli(['--help']);
    const list = out.slice(out.indexOf('Files (')).split('\n\nFiles: ')[0] ?? '';
    const groups = list.split('\n\n').map((group) => group.split('\n')[0]);
    expect(groups).toEqual([
      'Files (read event files or, with --server or --project, the events of a project):',
      'Expressions (need no files and no server):',
      'Server (run it, and manage its data folder; saved funnels: funnel create, list and delete):',
      'Queries (of event files or, with --server or --project, of a project):',
      'Tools (try expressions on a file; support for editors, shells and models):',
    ]);
    expect(out).not.toMatch(/^Commands:/m);
  });

  it('an error names the command whose help says more', async () => {
    expect((await runCli(['count', '--no-such'])).err).toContain('Run `onwhere count --help` for usage.');
    expect((await runCli(['secret', 'show'])).err).toContain('Run `onwhere secret show --help` for usage.');
    expect((await runCli(['cuont'])).err).toContain('Run `onwhere --help` for usage.');
  });

  it('every command has help', async () => {
    const { out } = await runCli(['--help']);
    const commands = [...out.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = '']) => name);
    expect(commands.length).toBeGreaterThan(9);
    for (const command of commands.filter((name) => name !== 'help')) {
      const help = await runCli([command, '--help']);
      expect(help).toMatchObject({ code: 0, err: '' });
      expect(help.out).toContain(`onwhere ${command}`);
    }
  });
});
