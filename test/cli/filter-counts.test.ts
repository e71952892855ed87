import { expect, it } from 'vitest';
import { runCli } from './run-cli.ts';

const RECORDS = [
  { event: 'buy', properties: { plan: 'pro', amount: 10, country: 'DE' } },
  { event: 'buy', properties: { plan: 'pro', amount: 'ten', country: 'US' } },
  { event: 'buy', properties: { plan: 'free', amount: 20 } },
  { event: 'buy', properties: { amount: 20 } },
  { event: 'view', properties: { plan: 'pro' } },
];
const input = RECORDS.map((record) => `${JSON.stringify(record)}\n`).join('');
const FILTER = 'properties["plan"] == "pro" and properties["amount"] > 15';

it('--explain shows what each part of a filter removes', async () => {
  expect(await runCli(['count', FILTER, '--event', 'buy', '--explain'], { input })).toEqual({
    code: 0,
    out: '0\n',
    err: `5 records
event "buy"                     4 left, 1 removed
and                             0 left, 4 removed
├─ properties["plan"] == "pro"  2 left, 2 removed (1 has no "plan")
└─ properties["amount"] > 15    0 left, 2 removed (1 is undefined)

Each part of an \`and\` sees the records that the part above it leaves. Each part of an \`or\` sees all.
`,
  });
});

it('--explain counts matches inside of `or` and `not`', async () => {
  const filter =
    'not (properties["plan"] == "free" or properties["amount"] == 20 or properties["x"]) and user["a"] != 1';
  const { err } = await runCli(['filter', filter, '--explain'], { input });
  expect(err.split('\n').map((line) => line.replace(/ {2,}/g, '  '))).toEqual(
    expect.arrayContaining([
      '├─ not  3 left, 2 removed',
      '│  └─ or  2 of 5 match',
      '│  ├─ properties["plan"] == "free"  1 of 5 match (1 has no "plan")',
      '│  ├─ properties["amount"] == 20  2 of 5 match, 1 of them new (1 has no "amount")',
      '│  └─ properties["x"]  0 of 5 match (5 have no "x")',
      '└─ user["a"] != 1  3 left, 0 removed',
    ]),
  );
});

it('--explain does not change the output', async () => {
  for (const args of [
    ['count', 'properties["plan"] == "pro"'],
    ['filter', 'properties["plan"] == "pro"'],
    ['segment', 'properties["plan"]', '--where', 'properties["amount"] > 1'],
    ['sum', 'properties["amount"]', '--event', 'buy'],
    ['average', 'properties["amount"]', '--where', 'properties["plan"] == "pro"'],
  ]) {
    const [plain, explained] = [await runCli(args, { input }), await runCli([...args, '--explain'], { input })];
    expect(explained.out).toBe(plain.out);
    expect(explained.err).toContain('5 records\n');
  }
});

it('--explain counts lines that need no parsing', async () => {
  const lines = '{"plan":"pro"}\n'.repeat(400) + '{"plan":"free"}\n'.repeat(400);
  const { err } = await runCli(['count', 'properties["plan"] == "free"', '--explain'], { input: lines });
  expect(err).toBe('800 records\nproperties["plan"] == "free"  400 left, 400 removed\n');
});

it('--json --explain adds the counts to the answer', async () => {
  const { out, err } = await runCli(['count', FILTER, '--event', 'buy', '--json', '--explain'], { input });
  expect(err).toBe('');
  expect(JSON.parse(out)).toMatchObject({
    count: 0,
    explain: {
      records: 5,
      event: { name: 'buy', matched: 4 },
      filter: {
        kind: 'and',
        seen: 4,
        matched: 0,
        clauses: [
          { seen: 4, matched: 2, missing: [{ scope: 'properties', name: 'plan', count: 1 }] },
          { seen: 2, matched: 0, undefined: 1 },
        ],
      },
    },
  });
});

it('an empty answer without a warning says how to ask for the reason', async () => {
  const note = 'note: None of 5 records match. Pass --explain to see why.\n';
  const none = ['properties["amount"] > 100', '--json'];
  for (const args of [
    ['count', 'properties["amount"] > 100'],
    ['filter', 'false'],
    ['sum', '1', '--where', 'false'],
  ])
    expect((await runCli(args, { input })).err).toContain(note);
  expect((await runCli(['count', ...none], { input })).err).toBe('');
  expect((await runCli(['count', 'properties["paln"] == 1'], { input })).err).not.toContain('--explain');
  expect((await runCli(['count', 'false'])).err).not.toContain('--explain');
});
