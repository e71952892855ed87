import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli } from './run-cli.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'onwhere-columns-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));

function write(name: string, text: string | Buffer): string {
  const file = join(FOLDER, name);
  writeFileSync(file, text);
  return file;
}

const HEADER = Buffer.from('time,user,ville\n');

const ORDERS = [
  ['2025-06-01 10:00:00', 'ada', 'buy', 5],
  ['2025-06-01T23:00:00Z', 'ben', 'buy', 7],
  ['2025-06-02', 'ada', 'return', 5],
  ['2025-06-02 08:00', 'cleo', 'buy', 9],
  ['yesterday', 'ada', 'buy', 1],
] as const;
const NAMES = ['created_at', 'customer', 'action', 'amount'] as const;
const OBJECTS = ORDERS.map((row) => Object.fromEntries(NAMES.map((name, index) => [name, row[index]])));
const FILES = [
  write('orders.csv', [NAMES, ...ORDERS].map((row) => row.join(',')).join('\n')),
  write('orders.ndjson', OBJECTS.map((object) => JSON.stringify(object)).join('\n')),
  write('orders.json', JSON.stringify(OBJECTS, undefined, 2)),
];
const LINE = 'time: created_at (ISO), user: customer, event: action\n';

describe.each(FILES)('columns of %s', (file) => {
  it('are guessed for the users, the days and the events', async () => {
    expect(await runCli(['count', 'true', '--unique', file])).toEqual({ code: 0, out: '3\n', err: LINE });
    expect(await runCli(['count', 'true', '--event', 'return', file])).toEqual({ code: 0, out: '1\n', err: LINE });
    expect(await runCli(['segment', '1', '--by', 'day', '--csv', file])).toEqual({
      code: 0,
      out: 'day,1\n2025-06-01,2\n2025-06-02,2\n',
      err: `${LINE}warning: 1 record has no time that can be read in "created_at" and was skipped\n`,
    });
  });

  it('are not looked at by commands that do not use them', async () => {
    expect(await runCli(['count', 'properties["amount"] > 5', file])).toEqual({ code: 0, out: '2\n', err: '' });
  });

  it('can be set and turned off', async () => {
    const { out, err } = await runCli(['count', 'true', '--unique', '--user', 'action', '--time', 'none', file]);
    expect([out, err]).toEqual(['2\n', 'time: none, user: action, event: action\n']);
    expect(await runCli(['count', 'true', '--event-column', 'amount', '--event', '5', file])).toMatchObject({
      out: '2\n',
      err: 'time: created_at (ISO), user: customer, event: amount\n',
    });
  });

  it('that do not exist are refused with the nearest name', async () => {
    expect(await runCli(['count', 'true', '--user', 'custmer', file])).toEqual({
      code: 2,
      out: '',
      err: 'error: --user: the first records have no column "custmer". Did you mean "customer"?\n',
    });
    expect((await runCli(['count', 'true', '--time', 'when', file])).err).toBe(
      'error: --time: the first records have no column "when". They have: created_at, customer, action, amount\n',
    );
  });

  it('have the name of the event as a property', async () => {
    expect(await runCli(['segment', 'properties["$event"]', '--csv', file])).toEqual({
      code: 0,
      out: 'segment,events\nbuy,4\nreturn,1\n',
      err: LINE,
    });
    expect(await runCli(['count', 'properties["$event"] == "buy"', file])).toMatchObject({ out: '4\n' });
  });
});

describe('columns', () => {
  it('are guessed from standard input', async () => {
    const input = OBJECTS.map((object) => JSON.stringify(object)).join('\n');
    expect(await runCli(['count', 'true', '--unique'], { input })).toEqual({ code: 0, out: '3\n', err: LINE });
  });

  it('are the same for all files of a command', async () => {
    const other = write('other.ndjson', '{"user_id": "x", "customer": "y"}\n{"user_id": "z", "customer": "y"}\n');
    expect(await runCli(['count', 'true', '--unique', ...FILES.slice(0, 1), other])).toMatchObject({
      out: '4\n',
      err: LINE,
    });
  });

  it('do not depend on the fast path', async () => {
    const file = write('codes.ndjson', '{"code": 200, "n": 1}\n{"code": "200", "n": 2}\n{"code": 404, "n": 3}\n');
    const args = ['--event-column', 'code', file];
    expect(await runCli(['count', 'true', '--event', '200', ...args])).toMatchObject({ out: '2\n' });
    expect(await runCli(['count', 'properties["$event"] == "200"', ...args])).toMatchObject({ out: '2\n' });
  });

  it('with dates that could be day or month first are named', async () => {
    const file = write('dates.csv', 'order_date,email\n01/06/2025,a@b.c\n');
    expect((await runCli(['count', 'true', '--unique', file])).err).toBe(
      'time: none (01/06/2025 in order_date could be day or month first; write dates as 2025-06-01), user: email, event: none\n',
    );
    expect((await runCli(['count', 'true', '--time', 'order_date', file])).err).toBe(
      'time: order_date (01/06/2025 in order_date could be day or month first; write dates as 2025-06-01), user: email, event: none\n',
    );
  });

  it('in the standard places are read silently', async () => {
    const nested = write(
      'nested.ndjson',
      '{"event":"e","properties":{"distinct_id":"u","time":1,"created_at":"2025-06-01"}}\n',
    );
    const flat = write('flat.ndjson', '{"event":"e","distinct_id":"u","time":1,"customer":"c"}\n');
    for (const file of [nested, flat]) {
      expect(await runCli(['segment', 'properties["$event"]', '--unique', '--by', 'day', '--csv', file])).toEqual({
        code: 0,
        out: 'day,e\n1970-01-01,1\n',
        err: '',
      });
    }
  });
});

describe('nested objects', () => {
  const file = write(
    'nested-objects.ndjson',
    '{"user":{"id":"u1"},"geo":{"country":"DE"}}\n{"user":{"id":"u2"},"geo":{"country":"FR"}}\n',
  );

  it('are opened by --flatten', async () => {
    const args = ['--flatten', '--user', 'user.id', file];
    expect(await runCli(['count', 'properties["geo.country"] == "DE"', '--unique', ...args])).toMatchObject({
      out: '1\n',
    });
    expect((await runCli(['properties', '--flatten', file])).out).toContain('geo.country  string');
  });

  it('are opened in the REPL', async () => {
    const result = await runCli(['repl', '--flatten', file], { input: 'properties["geo.country"]\n' });
    expect(result.out).toContain('"DE"');
  });

  it('are named if an expression seems to read them', async () => {
    expect(await runCli(['count', 'properties["geo.country"] == "DE"', file])).toEqual({
      code: 0,
      out: '0\n',
      err:
        'note: "geo" holds an object. Pass --flatten to read it as properties["geo.country"].\n' +
        'warning: No record has the property "geo.country". Properties include "geo" (2 records), "user" (2 records).\n',
    });
    expect((await runCli(['properties', file])).err).toBe(
      'note: "user" holds an object. Pass --flatten to read it as properties["user.id"].\n',
    );
    expect(await runCli(['count', 'properties["plan.name"] == "DE"', file])).toMatchObject({
      err: expect.not.stringContaining('--flatten'),
    });
  });

  it('are named with a property that has a value', async () => {
    const input = '{"headers":{},"data":{"object":{"id":1}}}\n';
    expect((await runCli(['properties'], { input })).err).toBe(
      'note: "data" holds an object. Pass --flatten to read it as properties["data.object.id"].\n',
    );
    expect((await runCli(['properties'], { input: '{"headers":{}}\n' })).err).toBe('');
  });

  it('are named if an expression reads them as JavaScript does', async () => {
    const where = 'properties["user"]["address"]["zip \\"code\\""] == "1"';
    const { code, err } = await runCli(['count', where, file]);
    expect(code).toBe(1);
    expect(err).toContain('properties["user.address.zip \\"code\\""] with `--flatten`');
    expect((await runCli(['count', 'properties["tags"][0] == "a"', file])).err).not.toContain('--flatten');
  });
});

it('text that is not UTF-8 is reported once for each file, with the option that reads it', async () => {
  const row = Buffer.from('2025-06-01,u,Orl\xe9ans\n', 'latin1');
  const files = ['first.csv', 'second.csv'].map((name) => write(name, Buffer.concat([HEADER, ...Array(15).fill(row)])));
  const advice = 'not UTF-8 text (Western European text needs --encoding latin1); skipped';
  expect(await runCli(['count', 'true', ...files])).toEqual({
    code: 0,
    out: '0\n',
    err: `${files.map((file) => `warning: ${file}:2: ${advice}\n`).join('')}warning: 30 broken records skipped\n`,
  });
  const { out } = await runCli(['count', 'properties["ville"] == "Orléans"', '--encoding', 'latin1', ...files]);
  expect(out).toBe('30\n');
});
