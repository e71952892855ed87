import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Sample } from '../../src/cli/repl/sample.ts';
import { runCli } from './run-cli.ts';
import { KEY, startRepl, type Terminal } from './terminal.ts';
import { testIo } from './test-io.ts';

const EVENTS = [
  { event: 'buy', properties: { plan: 'pro', amount: 10, tags: ['a', 'b'] } },
  { event: 'buy', properties: { plan: 'free', amount: 20, tags: ['a'] } },
  { event: 'view', properties: { plan: 'pro', page: { path: '/' } } },
  { event: 'view', properties: { plan: 'team' } },
];

const before = process.cwd();
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-repl-'));
  writeFileSync(join(folder, 'events.ndjson'), EVENTS.map((event) => `${JSON.stringify(event)}\n`).join(''));
  writeFileSync(join(folder, 'events.csv'), 'event,plan\nbuy,pro\n');
  writeFileSync(join(folder, 'schema.json'), '{"properties": {"colour": {"types": ["string"], "values": ["red"]}}}');
  process.chdir(folder);
});
afterAll(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

/** Returns the output for a file of inputs, without the greeting. */
async function runInputs(inputs: readonly string[], ...args: string[]): Promise<string[]> {
  const { out } = await runCli(['repl', ...(args.length > 0 ? args : ['events.ndjson'])], { input: inputs.join('\n') });
  return out.trimEnd().split('\n').slice(1);
}

describe('expressions', () => {
  it('show their value on the current event and their types', async () => {
    expect(await runInputs(['properties["plan"]', '.next', 'properties["amount"] * 2', '.5 + .5'])).toEqual([
      '"pro" : string or undefined',
      'Event 2 of 4',
      'event   buy',
      'plan    "free"',
      'amount  20',
      'tags    ["a"]',
      '40 : number or undefined',
      '1 : number',
    ]);
  });

  it('show why they are undefined', async () => {
    const shown = await runInputs([
      'properties["amount"] / (10 - 10)',
      'properties["none"]',
      '.next',
      'properties["tags"] + 1',
    ]);
    expect(shown.filter((line) => line.startsWith('undefined'))).toEqual([
      'undefined: division by zero',
      'undefined: properties["none"] is missing',
      'undefined: `+` takes a number and a number, or a string and a string, not a list and a number',
    ]);
  });

  it('show warnings and errors with their position', async () => {
    const shown = (await runInputs(['properties["paln"] == "pro"', 'a = 1', 'properties["plan"] and true'])).join('\n');
    expect(shown).toContain('help: Did you mean "plan"?');
    expect(shown).toContain('[single-equals]\n  1 | a = 1\n    |   ^');
    expect(shown).toContain('[operand-type]');
  });

  it('can span several lines', async () => {
    const shown = await runInputs(['1 +', '1', '.type (1 ==', '1)', '(1 +', '', '2']);
    expect(shown.slice(0, 2)).toEqual(['2 : number', 'boolean']);
    expect(shown.join('\n')).toContain('[unclosed-bracket]');
    expect(shown.at(-1)).toBe('2 : number');
  });

  it('work without events', async () => {
    const { code, out } = await runCli(['repl'], {
      input: 'defined(properties["a"])\n.event\n.on 1\n.schema\n.next\n.where true',
    });
    expect(code).toBe(0);
    expect(out.trimEnd().split('\n')).toEqual([
      'No events: every property is undefined. Type an expression, or .help for help.',
      'false : boolean',
      'No events: every property is undefined',
      'No events.',
      '0 events',
      'No properties are known.',
      'No events: every property is undefined',
      'No match. Still using 0 events.',
    ]);
  });
});

describe('the exit code of inputs from a file', () => {
  it.each([
    ['1', 0],
    ['1 = 1\n1', 1],
    ['.where properties["plan"]', 1],
    ['.nonsense', 2],
    ['.load no-such.ndjson', 3],
    ['1 +', 1],
  ])('of %j is %i', async (input, code) => {
    expect((await runCli(['repl', 'events.ndjson'], { input })).code).toBe(code);
  });
});

describe('commands', () => {
  it('visit and find events', async () => {
    const shown = await runInputs(['.previous', '.find properties["plan"] == "pro"', '.find', '.find false']);
    expect(shown.filter((line) => line.startsWith('Event') || line.startsWith('No match'))).toEqual([
      'Event 4 of 4',
      'Event 1 of 4',
      'Event 3 of 4',
      'No match in 4 events.',
    ]);
    expect(shown).toContain('page   {"path":"/"}');
  });

  it('filter the events until the filter is reset', async () => {
    const inputs = [
      '.where properties["plan"] == "pro"',
      '.on properties["plan"]',
      '.next',
      '.next',
      '.where 1 == 2',
      '.where',
      '.on "all"',
    ];
    const shown = await runInputs(inputs);
    expect(shown.slice(0, 3)).toEqual([
      '2 of 4 events, where properties["plan"] == "pro".',
      `Event 1 of 4: ${JSON.stringify(EVENTS[0])}`,
      `Event 3 of 4: ${JSON.stringify(EVENTS[2])}`,
    ]);
    expect(shown.slice(3, 6)).toEqual([
      'segment  events',
      `pro           2  ${'█'.repeat(40)}`,
      '2 of 4 events, where properties["plan"] == "pro"',
    ]);
    expect(shown.filter((line) => /^Event \d of 4$/.test(line))).toEqual(['Event 3 of 4', 'Event 1 of 4']);
    expect(shown).toContain('No match. Still using 2 of 4 events, where properties["plan"] == "pro".');
    expect(shown.at(-1)).toBe('4 events');
  });

  it('name the record that a filter fails on and keep the previous filter', async () => {
    const shown = await runInputs(['.where properties["tags"]', '.on properties["tags"]']);
    expect(shown).toContain('error: the expression failed on the record at events.ndjson:1');
    expect(shown.slice(-4)).toEqual([
      'a               2  ████████████████████████████████████████',
      'undefined       2  ████████████████████████████████████████',
      'b               1  ████████████████████',
      '4 events',
    ]);
  });

  it('explain an expression, by default the last one', async () => {
    expect(await runInputs(['NOT(1==properties["amount"])', '.type', '.fmt', '.tree', '.explain'])).toEqual([
      'true : boolean',
      'boolean',
      'not 1 == properties["amount"]',
      'not',
      '  ==',
      '    1',
      '    properties["amount"]',
      'expression                    value',
      'not                           true',
      '└─ 1 == properties["amount"]  false',
      '   └─ properties["amount"]    10',
      '',
      'Why it is true:',
      '  1 == properties["amount"] is false: properties["amount"] is 10',
    ]);
  });

  it('show the schema of the events or load another', async () => {
    const shown = await runInputs(['.schema', '.schema schema.json', 'properties["color"]']);
    expect(shown.slice(0, 3)).toEqual([
      'property              types      values',
      'properties["plan"]    string',
      'properties["amount"]  number',
    ]);
    expect(shown).toContain('properties["colour"]  string  "red"');
    expect(shown.join('\n')).toContain('Did you mean "colour"?');
    expect(await runInputs(['.schema'], '--schema', 'schema.json')).toContain('properties["colour"]  string  "red"');
  });

  it('load other events and infer their schema', async () => {
    expect(await runInputs(['.load events.csv', '.schema'])).toEqual([
      '1 event of events.csv.',
      'property             types   values',
      'properties["event"]  string',
      'properties["plan"]   string',
    ]);
  });

  it('refuse a CSV file with a repeated column name', async () => {
    writeFileSync(join(folder, 'twice.csv'), 'plan,plan\npro,free\n');
    expect(await runInputs(['.load twice.csv'])).toEqual([
      'error: twice.csv:1: the header row has several columns called "plan". Rename them so that each name is unique',
    ]);
  });

  it('save inputs for replay and never overwrite a file', async () => {
    const inputs = ['.where properties["plan"] ==', '"pro"', '.on properties["plan"]', '.save played', '.save played'];
    const shown = await runInputs(inputs);
    expect(shown.slice(-2)).toEqual([
      'Saved 2 inputs to played.',
      'error: played already exists. Choose another name.',
    ]);
    expect(readFileSync(join(folder, 'played'), 'utf8')).toBe(`${inputs.slice(0, 3).join('\n')}\n`);
    expect(await runInputs(readFileSync(join(folder, 'played'), 'utf8').split('\n'))).toEqual(shown.slice(0, -2));
  });

  it.each([
    ['.nxt', 'Unknown command .nxt. Did you mean .next?'],
    ['.', 'Unknown command .. Type .help for the commands.'],
    ['.help zzz', 'Unknown command .zzz. Type .help for the commands.'],
    ['.next 5', '.next takes no argument.'],
    ['.load', 'Missing file: .load <file>'],
    ['.tree', 'Missing expression: .tree [expression]'],
    ['.load -', 'repl reads your input from standard input, so the events must come from a file'],
    ['.schema events.ndjson', 'Invalid schema events.ndjson:'],
  ])('%s prints: %s', async (input, message) => {
    expect((await runInputs([input])).join('\n')).toContain(`error: ${message}`);
  });

  it('are all listed in the help', async () => {
    const shown = await runInputs(['.help', '.help on']);
    const names = shown.flatMap((line) => /^ {2}(\.\w+) /.exec(line)?.[1] ?? []);
    expect(names.slice(-2)).toEqual(['.exit', '.on']);
    expect(names).toHaveLength(16);
    expect(Math.max(...shown.map(({ length }) => length))).toBeLessThanOrEqual(80);
  });
});

describe('words that other programs have as commands', () => {
  it.each(['help', '?', ' HELP '])('%j shows the help', async (input) => {
    expect(await runInputs([input])).toEqual(await runInputs(['.help']));
  });

  it.each(['exit', 'quit', 'EXIT'])('%s leaves', async (input) => {
    expect(await runInputs(['1', input, '2'])).toEqual(['1 : number']);
  });
});

describe('--events', () => {
  it('sets the number of events, also for .load', async () => {
    const inputs = ['.where true', '.load events.ndjson'];
    expect(await runInputs(inputs, 'events.ndjson', '--events', '2')).toEqual([
      '2 of 2 events, where true.',
      `Event 1 of 2: ${JSON.stringify(EVENTS[0])}`,
      `Event 2 of 2: ${JSON.stringify(EVENTS[1])}`,
      'The first 2 events of events.ndjson.',
    ]);
  });

  it('can be more than a thousand', async () => {
    writeFileSync(join(folder, 'many.ndjson'), '{"event":"a","properties":{}}\n'.repeat(1500));
    expect(await runInputs(['.where'], 'many.ndjson')).toEqual(['1,000 events.']);
    expect(await runInputs(['.where'], 'many.ndjson', '--events', '5000')).toEqual(['1,500 events.']);
  });

  it('is refused when the events fill the memory', async () => {
    const options = { events: 10_000, hasRoom: () => false };
    writeFileSync(join(folder, 'many.ndjson'), '{"event":"a","properties":{}}\n'.repeat(1500));
    await expect(Sample.load(testIo(), 'many.ndjson', options)).rejects.toThrow(
      /^the memory is full after 1,500 events of many\.ndjson\. Ask for fewer with --events, or .*=\d+$/,
    );
  });

  it('refuses a number that is not one', async () => {
    expect(await runCli(['repl', '--events', '0'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('at least 1'),
    });
  });
});

describe('the history', () => {
  let open: Terminal[] = [];
  const start = async (state: string, options: { env?: Record<string, string> } = {}) => {
    const terminal = await startRepl([], state, options);
    open.push(terminal);
    return terminal;
  };
  const leave = async (terminal: Terminal) => {
    terminal.type(KEY.ctrl('d'));
    expect(await terminal.ended()).toBe(0);
  };
  afterEach(() => {
    for (const terminal of open) terminal.kill();
    open = [];
  });

  it('is kept between runs, readable by its owner only', async () => {
    const state = join(folder, 'state-1');
    const first = await start(state);
    for (const input of ['1', '2', '2', ' 3', '.help on']) await first.enter(input);
    await leave(first);
    const file = join(state, 'onwhere', 'history');
    expect(readFileSync(file, 'utf8')).toBe('1\n2\n.help on\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const second = await start(state);
    second.type(KEY.up, KEY.up);
    await second.until(({ lines }) => lines.at(-1) === 'onwhere> 2');
    second.type(KEY.down);
    await second.until(({ lines }) => lines.at(-1) === 'onwhere> .help on');
    second.type(KEY.down, '1 ', KEY.up);
    await second.until(({ lines }) => lines.at(-1) === 'onwhere> 1');
  });

  it('keeps the entries of two simultaneous runs', async () => {
    const state = join(folder, 'state-2');
    const [one, two] = [await start(state), await start(state)];
    for (let index = 0; index < 3; index++) {
      await one.enter(`1${index}`);
      await two.enter(`2${index}`);
    }
    await leave(one);
    await leave(two);
    expect(readFileSync(join(state, 'onwhere', 'history'), 'utf8')).toBe('10\n20\n11\n21\n12\n22\n');
  });

  it('is cut to the last 1,000 entries when it gets long', async () => {
    const state = join(folder, 'state-3');
    mkdirSync(join(state, 'onwhere'), { recursive: true });
    const file = join(state, 'onwhere', 'history');
    writeFileSync(file, Array.from({ length: 2001 }, (_, index) => `${index}\n`).join(''));
    const terminal = await start(state);
    await terminal.enter('5 + 5');
    const kept = readFileSync(file, 'utf8').split('\n');
    expect([kept.length, kept[0], kept.at(-2)]).toEqual([1002, '1001', '5 + 5']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('warns once if it cannot be saved, and the REPL continues', async () => {
    const state = join(folder, 'state-4');
    writeFileSync(state, '');
    const terminal = await start(state);
    await terminal.enter('1');
    expect(await terminal.enter('2')).toEqual(['2 : number']);
    expect(terminal.text.match(/the history is not saved/g)).toHaveLength(1);
    terminal.type(KEY.up, KEY.up);
    await terminal.until(({ lines }) => lines.at(-1) === 'onwhere> 1');
  });
});
