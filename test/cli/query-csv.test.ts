import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FileDatabase } from '../../src/cli/query/file-database.ts';
import { QueryDatabase } from '../../src/cli/query/query-database.ts';
import { generateShopSample } from '../../src/data/shop-sample.ts';
import { runCli } from './run-cli.ts';
import { runQuery } from './run-query.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-csv-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, content: string | Uint8Array): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

/** Returns whether DuckDB reads a file itself. */
async function isReadByDuckDb(file: string): Promise<boolean> {
  const task = { kind: 'count', where: 'true', unique: false, now: 0 } as const;
  const engine = await FileDatabase.open([file]);
  try {
    return (await new QueryDatabase(engine, {}, true).answers(task, file)) !== undefined;
  } finally {
    engine.close();
  }
}

/** Expects `query` to print the same as the file command. */
async function compare(args: readonly string[]): Promise<void> {
  const expected = await runCli(args);
  expect({ args, ...(await runQuery(args)) }).toEqual({ args, ...expected });
}

/** Writes CSV by RFC 4180, with quotes where they are needed and where `isQuoted` asks for them. */
function csvText(rows: readonly (readonly string[])[], lineBreak: string, isQuoted: (cell: string) => boolean): string {
  const cell = (text: string) => (/[",\r\n]/.test(text) || isQuoted(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows.map((cells) => `${cells.map(cell).join(',')}${lineBreak}`).join('');
}

describe('the sample events as CSV', () => {
  let files: string[];

  beforeAll(() => {
    const events = [...generateShopSample()].slice(0, 3000);
    const records = events.map((event): Record<string, unknown> => ({ event: event.event, ...event.properties }));
    const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
    const text = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value ?? ''));
    const rows = [names, ...records.map((record) => names.map((name) => text(record[name])))];
    files = [
      write(
        'shop.csv',
        csvText(rows, '\n', () => false),
      ),
      write('shop', gzipSync(`\ufeff${csvText(rows, '\r\n', () => true)}`)),
    ];
  });

  it.each(
    [
      ['count', 'properties["plan"] == "pro" and not defined(properties["country"])'],
      ['count', 'number(properties["amount"]) > 100 or "google" in properties["referrer"]', '--unique'],
      ['count', '"sale" in properties["tags"]', '--event', 'purchase', '--strict'],
      ['count', 'datetime(properties["time"]) < now', '--now', '2025-06-02'],
      ['count', 'user["plan"] == properties["nothing"]'],
      ['segment', 'properties["country"]'],
      ['segment', 'properties["tags"]', '--unique', '--json'],
      ['segment', 'properties["category"]', '--by', 'week', '--unique', '--json'],
      ['segment', 'properties["is_gift"]', '--by', 'hour', '--csv'],
      [
        'segment',
        'floor(number(properties["amount"]) / 50)',
        '--by',
        'month',
        '--where',
        'defined(properties["amount"])',
      ],
      ['segment', 'properties["event"] + "/" + properties["plan"]', '--event', 'purchase', '--unique', '--limit', '2'],
    ].map((args): [title: string, args: string[]] => [args.join(' '), args]),
  )('make query print the same as the file commands: %s', async (_, args) => {
    for (const file of files) {
      expect(await isReadByDuckDb(file)).toBe(true);
      await compare([...args, file]);
    }
    await compare([...args, ...files]);
  });

  it('names the record of a type error, like the file commands', async () => {
    for (const file of files) await compare(['count', 'properties["plan"] and true', file]);
  });

  it('filter prints the rows unchanged', async () => {
    for (const file of files) await compare(['filter', 'properties["plan"] == "team"', file]);
  });
});

const NAMES = [
  'a',
  'time',
  'distinct_id',
  '$distinct_id',
  'event',
  '',
  '__proto__',
  'properties',
  '"',
  'b,',
  '\u00e9',
  '0',
];

const NUMBERS = [
  '0',
  '-0',
  '1',
  '1.0',
  '01',
  '+1',
  '.5',
  '1e3',
  '-1E-400',
  '1e999',
  '1_0',
  '0x1',
  'inf',
  'nan',
  '4294967296',
  '1748739374',
  '1748739374000',
];

const cells = fc.oneof(
  fc.constantFrom('', 'true', 'false', 'TRUE', 'NULL', ' ', ' 1', '#', '\ufeff', '\\', '"', '""', ',', "'", ...NUMBERS),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.string({ unit: fc.constantFrom('a', '1', '"', ',', ' ', '\u00e9', '\ufeff', '\u{1f600}'), maxLength: 5 }),
);

/** At the start of a file, U+FEFF is a byte order mark and not part of the first name. */
const hasNoBom = (text: string) => !text.startsWith('\ufeff');

const withBreaks = fc.oneof(cells, fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r\n'), maxLength: 5 }));

const tables = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom(cells, withBreaks)).chain(([width, cell]) =>
  fc.tuple(
    fc.uniqueArray(fc.oneof(fc.constantFrom(...NAMES), cells.filter(hasNoBom)), {
      minLength: width,
      maxLength: width,
    }),
    fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 8 }),
  ),
);

/** Returns commands that depend on the type of a column, the event, the user and the time of a record. */
function commandsOn(names: readonly string[]): string[][] {
  const [name] = names.filter((name) => !/[\r\n\0\ufffd]/.test(name));
  const property = `properties[${JSON.stringify(name ?? 'a')}]`;
  return [
    ['count', `${property} == 1 or boolean(${property}) == true`, '--event', 'a'],
    ['segment', property, '--json'],
    ['segment', `string(${property}) + "/" + string(number(${property}))`, '--by', 'day', '--unique', '--json'],
  ];
}

async function compareAll(file: string, names: readonly string[]): Promise<void> {
  for (const args of commandsOn(names)) await compare([...args, file]);
}

/** The pieces of random files, special characters first. */
// biome-ignore format: a long list of short strings
const PIECES = [
  '"', ',', '\n', ',', 'a', '1', '\r\n', '\r', ' ', '"a"', '""', 'a,b\n', '\u00e9', '\ufeff', '\0', '\\', '#',
];

describe('query on CSV', () => {
  it('prints the same as the file commands for RFC 4180 files, which DuckDB reads', async () => {
    let round = 0;
    await fc.assert(
      fc.asyncProperty(
        tables,
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        async ([header, rows], lineBreak, quoted) => {
          const all = [header, ...rows];
          const text = csvText(all, lineBreak, (cell) => quoted || (cell === '' && header.length === 1));
          const file = write(`rules-${round++}.csv`, text);
          expect(await isReadByDuckDb(file)).toBe(true);
          await compareAll(file, header);
        },
      ),
      { numRuns: 20 },
    );
  });

  it.each(['count', 'segment', 'filter'])('refuses a header that repeats a name: %s', async (command) => {
    const file = write('twice.csv', 'plan,amount,plan\npro,1,free\n');
    const args = [command, 'properties["plan"] == "pro"', file];
    expect(await runQuery(args)).toMatchObject({
      code: 3,
      err: expect.stringContaining('several columns called "plan"'),
    });
    await compare(args);
  });

  it('distinguishes names that differ only in case', async () => {
    const file = write('case.csv', 'plan,Plan,PLAN\npro,free,\n');
    expect(await isReadByDuckDb(file)).toBe(true);
    for (const name of ['plan', 'Plan', 'PLAN', 'pLAN'])
      await compare(['segment', `properties["${name}"]`, '--json', file]);
  });

  it('prints the same as the file commands for gzipped and damaged files', async () => {
    const parts = [gzipSync('a,b\n1,2\n'), gzipSync('3,4\n'), gzipSync('5,6\n')];
    const whole = Buffer.concat(parts);
    const files = [whole, whole.subarray(0, -3), Buffer.concat([whole, Buffer.from('xx')]), Buffer.alloc(0)];
    expect(await isReadByDuckDb(write('parts.csv.gz', whole))).toBe(true);
    for (const [index, bytes] of files.entries()) {
      await compare(['segment', 'properties["a"]', '--json', write(`${index}.csv`, bytes)]);
    }
  });

  it('prints the same as the file commands for files that break a rule', async () => {
    const pieces = fc.constantFrom(...PIECES, ...PIECES.slice(0, 4));
    let round = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('', 'a\n', 'a,b\n', 'a,b\r\n', 'time,distinct_id,event\n1748739374,a,a\n'),
        fc.array(pieces, { maxLength: 12 }),
        fc.constantFrom('', '', '', '\xff', '\xc3'),
        fc.array(pieces, { maxLength: 6 }),
        async (header, before, raw, after) => {
          const bytes = [header, ...before].join('');
          const file = write(
            `any-${round++}.csv`,
            Buffer.concat([Buffer.from(bytes), Buffer.from(raw, 'latin1'), Buffer.from(after.join(''))]),
          );
          await compareAll(file, ['a']);
        },
      ),
      { numRuns: 20 },
    );
  });
});
