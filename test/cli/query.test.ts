import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateShopSample } from '../../src/data/shop-sample.ts';
import { type QueryFiles, runStatements, writeQueryFiles } from './query-files.ts';
import { type CliResult, runCli } from './run-cli.ts';
import { runQuery } from './run-query.ts';

const EVENTS = 3000;

let folder: string;
let ndjson: string;
let files: QueryFiles;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-query-'));
  ndjson = join(folder, 'shop.ndjson');
  const events = [...generateShopSample()].slice(0, EVENTS);
  writeFileSync(ndjson, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  files = await writeQueryFiles(ndjson, folder);
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the output of the file command for the NDJSON file. Other kinds of files must give the same. */
async function compare(args: readonly string[], kinds: readonly (keyof QueryFiles)[]): Promise<void> {
  // Columns store null as a missing value, so counts of names differ.
  const withoutCounts = ({ err, ...rest }: CliResult) => ({ ...rest, err: err.replace(/ Properties include .*/g, '') });
  const expected = withoutCounts(await runCli([...args, ndjson]));
  expect(expected).toMatchObject({ code: 0 });
  for (const kind of kinds) {
    const found = withoutCounts(await runQuery([...args, files[kind]]));
    expect({ kind, ...found }).toEqual({ kind, ...expected });
  }
}

/** Returns a row for `it.each`: the arguments as one string, for the title, and as a list. */
const toCase = (args: string[]): [title: string, args: string[]] => [args.join(' '), args];

const EVERY_KIND = ['json', 'struct', 'flat', 'map', 'duckdb'] as const;

describe('query count', () => {
  it.each(
    [
      ['properties["plan"] == "pro" and not defined(properties["country"])'],
      ['number(properties["amount"]) > 100 or "google" in properties["referrer"]', '--unique'],
      ['"sale" in properties["tags"]', '--event', 'purchase'],
      ['datetime(properties["time"]) < now', '--now', '2025-06-02'],
      ['event["age"] * 2 >= 60', '--unique', '--event', 'view product'],
      ['user["plan"] == properties["nothing"]'],
    ].map(toCase),
  )('prints the same as count: %s', async (_, args) => compare(['count', ...args], EVERY_KIND));
});

describe('query segment', () => {
  it.each(
    [
      ['properties["country"]'],
      ['properties["tags"]', '--unique', '--json'],
      ['properties["tags"]', '--by', 'day', '--csv', '--limit', '3'],
      ['properties["category"]', '--by', 'week', '--unique', '--json'],
      ['properties["plan"] == "pro"', '--by', 'hour', '--csv'],
      ['floor(number(properties["amount"]) / 50)', '--by', 'month', '--where', 'defined(properties["amount"])'],
      ['properties["$browser"] + "/" + properties["plan"]', '--event', 'purchase', '--unique', '--limit', '2'],
    ].map(toCase),
  )('prints the same as segment: %s', async (_, args) => compare(['segment', ...args], EVERY_KIND));
});

describe('query filter', () => {
  it('prints records unchanged if the file has their JSON', async () => {
    await compare(['filter', 'properties["plan"] == "team"'], ['json', 'duckdb']);
  });

  it.each(['struct', 'flat', 'map'] as const)(
    'prints records with the same properties as the events: %s',
    async (kind) => {
      const printed = join(folder, `${kind}.ndjson`);
      writeFileSync(printed, (await runQuery(['filter', 'properties["plan"] == "team"', files[kind]])).out);
      for (const args of [
        ['segment', 'properties["tags"]', '--unique', '--by', 'week', '--json'],
        ['segment', 'number(properties["amount"])', '--json'],
      ]) {
        const expected = await runCli([...args, ndjson, '--where', 'properties["plan"] == "team"']);
        expect(await runCli([...args, printed])).toEqual(expected);
      }
    },
  );

  it('reads other files like filter', async () => {
    const csv = join(folder, 'some.csv');
    writeFileSync(csv, 'plan,"the, city"\npro,"New ""York"""\nfree,\n');
    const gzipped = join(folder, 'some.gz');
    writeFileSync(gzipped, gzipSync('{"plan": "pro"}\nbroken\n [1]\n  {"plan":"pro","plan":"free"}\n'));
    for (const given of [[csv], [gzipped], [csv, gzipped, ndjson], []]) {
      const options = { input: '[{"plan": "pro"}]' };
      const expected = await runCli(['filter', 'properties["plan"] == "pro"', ...given], options);
      expect(await runCli(['filter', 'properties["plan"] == "pro"', ...given], { ...options, largeCsv: 0 })).toEqual(
        expected,
      );
    }
  });
});

describe('query over several files', () => {
  it.each(
    [
      ['count', 'properties["plan"] == "pro"', '--unique'],
      ['segment', 'properties["country"]', '--by', 'week', '--unique', '--json'],
      ['segment', 'properties["tags"]', '--json'],
    ].map(toCase),
  )('counts users once: %s', async (_, args) => {
    const expected = await runCli([...args, ndjson, ndjson, ndjson]);
    expect(await runQuery([...args, files.flat, ndjson, files.duckdb])).toEqual(expected);
  });
});

describe('columns of a Parquet file', () => {
  let typed: string;

  beforeAll(async () => {
    typed = join(folder, "it's [a] *? file.parquet");
    const others = join(folder, "it's a xy file.parquet");
    await runStatements([
      `COPY (SELECT 'other' AS "event") TO '${others.replaceAll("'", "''")}' (FORMAT parquet)`,
      `COPY (SELECT 'seen' AS "event", 7 AS distinct_id, TIMESTAMP '2025-06-01 12:00:00.5' AS "time",
          DATE '2025-06-02' AS "day", 12.10::DECIMAL(30, 2) AS price, 9007199254740993::UBIGINT AS big, 'NaN'::DOUBLE AS "none",
          [1.5, NULL, 'inf'::DOUBLE] AS numbers, [DATE '1970-01-02'] AS days, [[1]] AS deep, NULL::VARCHAR AS missing,
          'x'::BLOB AS bytes, INTERVAL 1 DAY AS "long", {a: 1, b: NULL, c: 'x'} AS inner, chr(65279) || 'marked' AS mark,
          true AS "yes", 5.0::DOUBLE AS whole, '{"a": [1, null]}'::JSON AS json, 'a'::ENUM('a', 'b') AS choice)
        TO '${typed.replaceAll("'", "''")}' (FORMAT parquet)`,
    ]);
  });

  it.each([
    ['time', '1748779200.5'],
    ['day', '1748822400'],
    ['price', '12.1'],
    ['big', '9007199254740992'],
    ['none', 'undefined'],
    ['numbers', '1.5'],
    ['days', '86400'],
    ['missing', 'undefined'],
    ['bytes', 'undefined'],
    ['long', 'undefined'],
    ['inner', 'undefined'],
    ['mark', '\ufeffmarked'],
    ['yes', 'true'],
    ['whole', '5'],
    ['json', 'undefined'],
    ['choice', 'a'],
    ['event', 'seen'],
    ['distinct_id', '7'],
    ['other', 'undefined'],
  ])('%s reads as %s', async (name, text) => {
    const { out } = await runQuery(['segment', `properties["${name}"]`, typed, '--unique', '--json']);
    expect(JSON.parse(out).segments).toEqual([{ name: text, count: 1 }]);
  });

  it('omits list elements of types that the language does not have', async () => {
    const { out } = await runQuery(['count', 'defined(properties["deep"]) and not 1 in properties["deep"]', typed]);
    expect(out).toBe('1\n');
  });

  it('ignore hive-style folder names', async () => {
    mkdirSync(join(folder, 'year=2024'));
    const file = join(folder, 'year=2024', 'events.parquet');
    await runStatements([`COPY (SELECT 'pro' AS plan) TO '${file}' (FORMAT parquet)`]);
    expect((await runQuery(['count', 'defined(properties["year"])', file])).out).toBe('0\n');
    expect((await runQuery(['count', 'properties["plan"] == "pro"', file])).out).toBe('1\n');
  });

  it('are printed with the values that expressions read', async () => {
    const { out } = await runQuery(['filter', 'true', typed]);
    expect(out).toBe(
      '{"event":"seen","distinct_id":7,"time":1748779200.5,"day":1748822400,"price":12.1,"big":9007199254740993,' +
        '"numbers":[1.5],"days":[86400.0],"deep":[],"inner":{"a":1,"c":"x"},"mark":"\ufeffmarked","yes":true,"whole":5,' +
        '"json":{"a":[1,null]},"choice":"a"}\n',
    );
  });
});

describe('query errors', () => {
  it('counts the records that raise a type error', async () => {
    const { code, out, err } = await runQuery(['count', 'properties["plan"] and true', files.flat]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('`and` takes booleans; this is a string.');
    expect(err).toMatch(/the expression failed on [\d,]+ records of .*flat\.parquet/);
  });

  it('raises type errors only for selected records', async () => {
    await compare(['segment', 'properties["age"] and true', '--where', 'properties["country"] == "none"'], EVERY_KIND);
  });

  it('skips records without a user or a time, with a warning', async () => {
    const some = join(folder, 'lacking');
    writeFileSync(
      `${some}.ndjson`,
      [
        { distinct_id: 'a', time: 1 },
        { distinct_id: true, time: 1e9 },
        { time: 1e9 },
        { $distinct_id: 'a', time: 4294967296500 },
        { distinct_id: 'b', time: 0.5 },
        { distinct_id: 1e21, time: 1e9 },
      ]
        .map((record) => `${JSON.stringify({ distinct_id: null, $distinct_id: null, ...record })}\n`)
        .join(''),
    );
    await runStatements([
      `COPY (FROM read_ndjson('${some}.ndjson', columns = {distinct_id: 'JSON', "$distinct_id": 'VARCHAR', "time": 'DOUBLE'}))
        TO '${some}.parquet' (FORMAT parquet)`,
    ]);
    for (const args of [
      ['segment', '1', '--by', 'day', '--unique', '--json'],
      ['segment', '1', '--by', 'month', '--json'],
      ['count', 'true', '--unique'],
    ]) {
      const expected = await runCli([...args, `${some}.ndjson`]);
      expect(expected.err).toContain('skipped');
      expect(await runQuery([...args, `${some}.parquet`])).toEqual(expected);
    }
  });

  it('reports a broken or missing file', async () => {
    const broken = join(folder, 'broken.parquet');
    writeFileSync(broken, readFileSync(files.flat).subarray(0, 1000));
    expect(await runQuery(['count', 'true', broken])).toMatchObject({ code: 3, out: '' });
    expect(await runQuery(['count', 'true', 'missing.parquet'])).toEqual({
      code: 3,
      out: '',
      err: 'error: No such file: missing.parquet\n',
    });
  });

  it('reports an invalid expression', async () => {
    expect((await runQuery(['count', 'properties[', files.flat])).code).toBe(1);
  });
});

describe('tables of a .duckdb file', () => {
  it('are chosen by name if there are several', async () => {
    const several = join(folder, 'several.duckdb');
    await runStatements([
      `ATTACH '${several}' AS written`,
      'CREATE TABLE written.people AS SELECT 1 AS "$distinct_id", {plan: \'pro\'} AS "$properties"',
      'CREATE TABLE written."the ""table""" AS SELECT 2 AS distinct_id',
      'CREATE TABLE written."\ufeffmarked" AS SELECT 3 AS "\ufeffid"',
    ]);
    const result = await runQuery(['count', 'true', several]);
    expect(result).toMatchObject({ code: 2, out: '' });
    expect(result.err).toContain('--table: people, the "table", \ufeffmarked');
    const of = async (...args: string[]) => (await runQuery(['segment', ...args, several, '--unique', '--json'])).out;
    expect(await of('user["plan"]', '--table', 'people')).toContain('[{"name":"pro","count":1}]');
    expect(await of('properties["distinct_id"]', '--table', 'the "table"')).toContain('[{"name":"2","count":1}]');
    const marked = await runQuery(['count', 'properties["\ufeffid"] == 3', several, '--table', '\ufeffmarked']);
    expect(marked.out).toBe('1\n');
    expect((await runQuery(['count', 'true', several, '--table', 'none'])).code).toBe(2);
  });

  it('are never written to', async () => {
    const before = readFileSync(files.duckdb);
    await runQuery(['count', 'true', files.duckdb]);
    expect(readFileSync(files.duckdb).equals(before)).toBe(true);
  });
});
