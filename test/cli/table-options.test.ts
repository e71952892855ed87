import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CsvTable, type TableOptions } from '../../src/data/csv-table.ts';
import { runCli } from './run-cli.ts';

const ROWS = ['2025-06-01;ann;view;1,5', '2025-06-02;bob;buy;-0,25', '2025-06-02;ann;buy;1.5'];
const INPUT = `${ROWS.join('\n')}\n`;
const COLUMNS = ['--columns', 'time,user,event,amount'];

describe('a table without a header row', () => {
  it('has the columns that --columns names', async () => {
    const { code, out } = await runCli(['count', 'properties["user"] == "ann"', ...COLUMNS], { input: INPUT });
    expect([code, out]).toEqual([0, '2\n']);
    const { out: buyers } = await runCli(['count', 'true', '--event', 'buy', '--unique', ...COLUMNS], { input: INPUT });
    expect(buyers).toMatch(/^2\b/);
  });

  it('has numbered columns with --no-header', async () => {
    const { out } = await runCli(['count', 'properties["column2"] == "ann"', '--no-header'], { input: INPUT });
    expect(out).toBe('2\n');
  });

  it('is printed by `filter` as it is', async () => {
    const { out } = await runCli(['filter', 'properties["event"] == "buy"', ...COLUMNS], { input: INPUT });
    expect(out).toBe(`${ROWS.slice(1).join('\n')}\n`);
  });

  it('has broken rows where they are not as wide as the columns', async () => {
    const { out, err } = await runCli(['count', 'true', '--columns', 'a,b'], { input: 'x,1\ny\n' });
    expect(out).toBe('1\n');
    expect(err).toContain('2: 1 cell instead of 2; skipped');
  });
});

it('numbers with a decimal comma are read with --decimal, and only these', async () => {
  const sum = (args: readonly string[]) => runCli(['count', ...args, ...COLUMNS], { input: INPUT });
  expect((await sum(['properties["amount"] == 1.5', '--decimal', ','])).out).toBe('1\n');
  expect((await sum(['properties["amount"] == "1.5"', '--decimal', ','])).out).toBe('1\n');
  expect((await sum(['properties["amount"] == 1.5'])).out).toBe('1\n');
});

it.each([
  [',', ['1.200,50', '2.000', '-1.234.567,8', '0,25', '1.20', '1.2000', '0.123'], 1200.5 + 2000 - 1_234_567.8 + 0.25],
  ['.', ['1,200.50', '2,000', '-1,234,567.8', '0.25', '1,20', '1,2000', '0,123'], 1200.5 + 2000 - 1_234_567.8 + 0.25],
])('numbers with their thousands apart are read with --decimal %s, and nothing else', async (decimal, cells, sum) => {
  const input = `amount;n\n${cells.map((cell) => `${cell};1\n`).join('')}`;
  const { out } = await runCli(['sum', 'properties["amount"]', '--decimal', decimal], { input });
  expect(Number(out)).toBeCloseTo(sum, 6);
  const strings = await runCli(['count', 'string(properties["amount"]) in ["1.20", "1,20"]', '--decimal', decimal], {
    input,
  });
  expect(strings.out).toBe('1\n');
});

describe('numbers that are not written as in JSON', () => {
  const note = (example: string, decimal: string) =>
    `numbers such as "${example}" are read as strings. Pass --decimal ${decimal} to read them as numbers`;

  it.each([
    ['a decimal comma', 'name;amount\nann;1,37\n', note('1,37', ',')],
    ['a decimal comma and thousands', 'name\tamount\nann\t-1.200,50\n', note('-1.200,50', ',')],
    ['a decimal comma in quotes', 'name,amount\nann,"1,5"\n', note('1,5', ',')],
    ['thousands apart', 'name,amount\nann,"1,200.50"\n', note('1,200.50', '.')],
    ['whole thousands apart', 'name,amount\nann,"12,200"\n', note('12,200', '.')],
  ])('have a note that says what to pass: %s', async (_, input, expected) => {
    const { err } = await runCli(['describe'], { input });
    expect(err).toContain(expected);
    expect((await runCli(['describe', '--decimal', '.'], { input })).err).not.toContain('--decimal');
  });

  it.each([
    'name;amount\nann;1.37\n',
    'name,a,b\nann,1,37\n',
    'name;list\nann;"1,2,3"\n',
    'name;day\nann;01.06.2025\n',
    'name;ip\nann;192.168.100.1\n',
  ])('are not seen in %j', async (input) => {
    expect((await runCli(['describe'], { input })).err).not.toContain('--decimal');
  });
});

it('a cell with more digits than a number can have is a string', async () => {
  const input = 'id,n\n1e999,1\n-1e999,2\n12e3,3\n';
  const { out } = await runCli(['segment', 'properties["id"]', '--json'], { input });
  expect(JSON.parse(out)).toMatchObject({ segments: expect.anything() });
  expect((await runCli(['count', 'properties["id"] == "1e999"'], { input })).out).toBe('1\n');
  expect((await runCli(['count', 'properties["id"] == 12000'], { input })).out).toBe('1\n');
});

it.each([
  [['--columns', 'a,,b'], 'this list has an empty name'],
  [['--columns', 'a,b,a'], 'this list has several columns called "a"'],
  [['--decimal', ';'], 'Allowed choices are ., ,'],
])('%j is refused', async (args, text) => {
  const { code, err } = await runCli(['count', 'true', ...args], { input: INPUT });
  expect([code, err]).toEqual([2, expect.stringContaining(text)]);
});

describe('the records of a table', () => {
  const names = ['a', 'b', 'c'];
  const cell = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.string(),
    fc.constantFrom('', 'true', '1e5'),
  );
  const table = fc.array(fc.tuple(cell, cell, cell));

  function read(rows: readonly (readonly string[])[], options?: TableOptions): unknown[] {
    const lines = rows.map((cells, index) => ({ cells, line: index + 1, text: '' }));
    const { records } = new CsvTable((line, reason) => expect.unreachable(`${line}: ${reason}`), options).read(
      lines as never,
    );
    return records.map(({ properties }) => properties);
  }

  it('are the same with a header row and with names', () => {
    fc.assert(
      fc.property(table, (rows) => {
        expect(read(rows, { columns: names })).toEqual(read([names, ...rows]));
      }),
    );
  });

  it('are the same with a dot and with a decimal comma', () => {
    const swap = (text: string) => text.replace(/[.,]/g, (mark) => (mark === '.' ? ',' : '.'));
    const swapAll = (record: unknown) =>
      Object.fromEntries(
        Object.entries(record as object).map(([name, value]) => [
          name,
          typeof value === 'string' ? swap(value) : value,
        ]),
      );
    fc.assert(
      fc.property(table, (rows) => {
        const commas = rows.map((cells) => cells.map(swap));
        const points = read(rows, { columns: names, decimal: '.' });
        expect(read(commas, { columns: names, decimal: ',' }).map(swapAll)).toEqual(points);
      }),
    );
  });
});
