import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { KEY, startRepl, type Terminal, type TerminalOptions } from './terminal.ts';

const EVENTS = [
  { event: 'buy', properties: { distinct_id: 'ann', plan: 'pro', amount: 10, country: 'DE' } },
  { event: 'buy', properties: { distinct_id: 'bob', plan: 'free', amount: 20, country: 'US' } },
  { event: 'view', properties: { distinct_id: 'cat', plan: 'pro', country: 'US' } },
];

const before = process.cwd();
let folder = '';
let open: Terminal[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-repl-'));
  writeFileSync(
    join(folder, 'events.ndjson'),
    EVENTS.map((event) => `${JSON.stringify(event)}\n`)
      .join('')
      .repeat(4),
  );
  process.chdir(folder);
});
afterAll(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});
afterEach(() => {
  for (const terminal of open) terminal.kill();
  open = [];
});

async function start(options: TerminalOptions = {}, file = 'events.ndjson'): Promise<Terminal> {
  const terminal = await startRepl([file], mkdtempSync(join(folder, 'state-')), options);
  open.push(terminal);
  return terminal;
}

async function runHelp(): Promise<string> {
  const terminal = await start({ columns: 200, rows: 100 });
  return (await terminal.enter('.help')).join('\n');
}

const [RED, GREEN, YELLOW, MAGENTA, CYAN, NONE] = [1, 2, 3, 5, 6, -1];
const all = (colour: number, text: string) => Array.from(text, () => colour);

describe('typing', () => {
  it('colours as you type', async () => {
    const terminal = await start();
    terminal.type('properties["plan"] == "pro" and 12 >');
    await terminal.until(({ cursor }) => cursor.column === 45);
    expect(terminal.colours('properties')).toEqual(all(NONE, 'properties'));
    expect(terminal.colours('"plan"')).toEqual(all(CYAN, '"plan"'));
    expect(terminal.colours('"pro"')).toEqual(all(GREEN, '"pro"'));
    expect(terminal.colours('and')).toEqual(all(MAGENTA, 'and'));
    expect(terminal.colours('12')).toEqual(all(YELLOW, '12'));
  });

  it('highlights a mistake once the cursor has left it', async () => {
    const terminal = await start();
    terminal.type('plam');
    await terminal.shows('plam');
    expect(terminal.colours('plam')).toEqual(all(NONE, 'plam'));
    terminal.type(' ');
    await terminal.until(() => terminal.colours('plam').every((colour) => colour === RED));
  });

  it('colours a known command and its expression', async () => {
    const terminal = await start();
    terminal.type('.fmt "a"');
    await terminal.until(({ cursor }) => cursor.column === 17);
    expect(terminal.colours('"a"')).toEqual(all(GREEN, '"a"'));
    expect(terminal.written).toContain('\x1b[1m.fmt\x1b[22m');
    terminal.type(KEY.ctrl('c'), '.load "a"');
    await terminal.shows('.load "a"');
    expect(terminal.colours('"a"')).toEqual(all(NONE, '"a"'));
  });

  it('has no colours if they are disabled', async () => {
    const terminal = await start({ env: { NO_COLOR: '1' } });
    await terminal.enter('"text" == 5 and a');
    expect(terminal.written).not.toMatch(/\p{Cc}\[[0-9;]*m/u);
  });

  it('edits in the middle of a line that wraps', async () => {
    const terminal = await start({ columns: 20 });
    terminal.type('"abcdefghijklmnopqrstuvwxyz"');
    await terminal.shows('vwxyz"');
    expect(terminal.lines.slice(-2)).toEqual(['onwhere> "abcdefghij', 'klmnopqrstuvwxyz"']);
    expect(terminal.cursor).toEqual({ row: terminal.lines.length - 1, column: 17 });
    terminal.type(KEY.ctrl('a'), '12', KEY.left, KEY.backspace);
    await terminal.until(({ cursor }) => cursor.column === 9 && terminal.text.includes('2"abc'));
    expect(terminal.lines.slice(-2)).toEqual(['onwhere> 2"abcdefghi', 'jklmnopqrstuvwxyz"']);
    expect(terminal.cursor.row).toBe(terminal.lines.length - 2);
    expect(terminal.colours('jklm')).toEqual(all(GREEN, 'jklm'));
  });

  it('continues on the next row when a row is full', async () => {
    const terminal = await start({ columns: 20 });
    terminal.type('12345678901');
    await terminal.until(({ cursor }) => cursor.column === 0);
    expect(terminal.lines.at(-1)).toBe('onwhere> 12345678901');
    expect(terminal.cursor.row).toBe(terminal.lines.length);
    terminal.type(KEY.backspace);
    await terminal.until(({ cursor }) => cursor.column === 19);
    expect(terminal.lines.at(-1)).toBe('onwhere> 1234567890');
    terminal.type('1', KEY.enter);
    await terminal.shows('12345678901 : number');
    await terminal.prompt();
    expect(terminal.lines.slice(-3)).toEqual(['onwhere> 12345678901', '12345678901 : number', 'onwhere>']);
  });

  it('counts wide characters as two columns', async () => {
    const terminal = await start({ columns: 20 });
    terminal.type('"日本語日本語"');
    await terminal.shows('語"');
    expect(terminal.lines.slice(-2)).toEqual(['onwhere> "日本語日本', '語"']);
    terminal.type(KEY.left, KEY.left);
    await terminal.until(({ cursor }) => cursor.column === 0);
    expect(terminal.cursor.row).toBe(terminal.lines.length - 1);
  });

  it('keeps the cursor on the screen if the line is taller', async () => {
    const terminal = await start({ columns: 20, rows: 5 });
    const digits = Array.from({ length: 30 }, (_, index) => 100 + index).join(', ');
    terminal.type(`1 in [${digits}]`);
    await terminal.shows('129]');
    terminal.type(KEY.ctrl('a'));
    await terminal.until(({ lines, cursor }) => cursor.column === 9 && lines.at(-5)?.startsWith('onwhere> 1') === true);
    terminal.type(KEY.enter);
    await terminal.shows('false : boolean');
    await terminal.prompt();
  });

  it('repaints when the terminal is resized', async () => {
    const terminal = await start({ columns: 40 });
    terminal.type('"abcdefghijklmnopqrstuvwxyz"');
    await terminal.shows('xyz"');
    terminal.resize(20, 24);
    await terminal.until(({ cursor }) => cursor.column === 17);
    expect(terminal.lines.slice(-2)).toEqual(['onwhere> "abcdefghij', 'klmnopqrstuvwxyz"']);
    terminal.resize(60, 24);
    await terminal.until(({ lines }) => lines.at(-1) === 'onwhere> "abcdefghijklmnopqrstuvwxyz"');
    terminal.type(KEY.enter);
    await terminal.shows(': string');
  });

  it('writes once per burst of keys and nothing without changes', async () => {
    const terminal = await start();
    const before = terminal.written.length;
    terminal.type('12345');
    await terminal.shows('> 12345');
    const written = terminal.written.slice(before);
    expect(written.split('onwhere>').length - 1).toBeLessThanOrEqual(5);
    const after = terminal.written.length;
    terminal.type('\x1b[24~', KEY.down);
    terminal.type('6');
    await terminal.shows('123456');
    expect(terminal.written.slice(after).split('onwhere>')).toHaveLength(2);
  });
});

describe('pasting', () => {
  it('pastes several lines as one input and a tab as a space', async () => {
    const terminal = await start();
    terminal.type(KEY.paste('properties["plan"]\r\n  in [\n\t"pro",\t"team"\n]\n'));
    await terminal.shows('in [ "pro", "team" ]');
    expect(terminal.lines.at(-1)).toBe('onwhere> properties["plan"] in [ "pro", "team" ]');
    terminal.type(KEY.enter);
    await terminal.shows('true : boolean');
  });

  it('pastes several lines as several inputs without bracketed paste', async () => {
    const terminal = await start();
    terminal.type('1 + 1\r2 +\r2\r.type 3\r');
    await terminal.shows('onwhere> .type 3\nnumber');
    await terminal.prompt();
    expect(terminal.lines.slice(1)).toEqual([
      'onwhere> 1 + 1',
      '2 : number',
      'onwhere> 2 +',
      '     ... 2',
      '4 : number',
      'onwhere> .type 3',
      'number',
      'onwhere>',
    ]);
  });

  it('drops control characters', async () => {
    const terminal = await start();
    const before = terminal.written.length;
    terminal.type(KEY.paste('"a\x07\x1b[31mb\u202e"'));
    await terminal.shows('"a��[31mb�"');
    const written = terminal.written.slice(before).replace(/\p{Cc}\[[0-9;?]*[A-Za-z]/gu, '');
    expect(written).not.toMatch(/[^\P{Cc}\r\n]|\p{Bidi_Control}/u);
  });

  it('enables bracketed paste only while it reads keys', async () => {
    const terminal = await start();
    expect(terminal.written).toContain('\x1b[?2004h');
    terminal.type(KEY.ctrl('d'));
    expect(await terminal.ended()).toBe(0);
    expect(terminal.written.lastIndexOf('\x1b[?2004l')).toBeGreaterThan(terminal.written.lastIndexOf('\x1b[?2004h'));
  });
});

describe('control keys', () => {
  it('Ctrl-D on an empty line leaves with a line break', async () => {
    const terminal = await start();
    terminal.type('ab', KEY.left, KEY.ctrl('d'));
    await terminal.until(({ lines }) => lines.at(-1) === 'onwhere> a');
    terminal.type(KEY.backspace, KEY.ctrl('d'));
    expect(await terminal.ended()).toBe(0);
    expect(terminal.cursor).toEqual({ row: terminal.lines.length, column: 0 });
  });

  it('Ctrl-C drops the input or, on an empty one, prints how to leave', async () => {
    const terminal = await start();
    terminal.type('1 +', KEY.ctrl('c'));
    await terminal.until(({ lines }) => lines.slice(-2).join() === 'onwhere> 1 +,onwhere>');
    terminal.type('1 +', KEY.enter, '2 +', KEY.ctrl('c'));
    await terminal.until(({ lines }) => lines.slice(-2).join() === '     ... 2 +,onwhere>');
    terminal.type(KEY.ctrl('c'));
    await terminal.shows('Press Ctrl-D or type .exit to leave.\nonwhere>');
    expect(await terminal.enter('3')).toEqual(['3 : number']);
    terminal.type('.exit', KEY.enter);
    expect(await terminal.ended()).toBe(0);
  });

  it('Ctrl-L clears the screen and keeps the line', async () => {
    const terminal = await start();
    terminal.type('1 + 1', KEY.ctrl('l'));
    await terminal.until(({ lines }) => lines.join() === 'onwhere> 1 + 1');
    terminal.type(KEY.enter);
    await terminal.shows('2 : number');
  });
});

describe('several lines', () => {
  it('continue while an operand or a bracket is missing', async () => {
    const terminal = await start();
    terminal.type('properties["plan"] in [', KEY.enter);
    await terminal.shows('     ...');
    expect(terminal.cursor.column).toBe(9);
    terminal.type('"pro"', KEY.enter, '] and', KEY.enter, 'true', KEY.enter);
    await terminal.shows('true : boolean');
  });

  it('end with an empty line, which reports the missing part', async () => {
    const terminal = await start();
    terminal.type('1 +', KEY.enter, KEY.enter);
    await terminal.shows('[missing-operand]');
    await terminal.prompt();
  });

  it('are one entry in the history', async () => {
    const terminal = await start();
    terminal.type('1 +', KEY.enter, '1', KEY.enter);
    await terminal.shows('2 : number');
    terminal.type(KEY.up);
    await terminal.shows('onwhere> 1 + 1');
  });
});

describe('Tab', () => {
  it('completes property names and operators', async () => {
    const terminal = await start();
    terminal.type('properties["amo', KEY.tab, ' > 5 an', KEY.tab, ' propertie', KEY.tab);
    await terminal.shows('properties["amount"] > 5 and properties[');
    terminal.type(KEY.ctrl('u'), 'flo', KEY.tab);
    await terminal.shows('onwhere> floor(');
  });

  it('completes the word for properties up to the name, which the next Tab completes', async () => {
    const terminal = await start();
    terminal.type('prop', KEY.tab);
    await terminal.until(({ cursor }) => cursor.column === 21);
    expect(terminal.lines.at(-1)).toBe('onwhere> properties["');
    terminal.type(KEY.tab);
    await terminal.until(({ lines }) => lines.some((line) => /amount +.*country/.test(line)));
    terminal.type('cou', KEY.tab);
    await terminal.shows('onwhere> properties["country"]');
    terminal.type(KEY.ctrl('u'), '.fmt prop', KEY.tab);
    await terminal.until(({ lines }) => lines.at(-1) === 'onwhere> .fmt properties["');
  });

  it('lists the choices', async () => {
    const terminal = await start();
    terminal.type('properties["plan"] == ', KEY.tab);
    await terminal.until(({ lines }) => lines.some((line) => /"free" +"pro"/.test(line)));
    await terminal.until(({ cursor }) => cursor.column === 31);
    expect(terminal.lines.at(-1)).toBe('onwhere> properties["plan"] ==');
  });

  it('completes commands and files', async () => {
    const terminal = await start();
    terminal.type('.sch', KEY.tab);
    await terminal.until(({ cursor }) => cursor.column === 17);
    terminal.type(KEY.ctrl('u'), '.load eve', KEY.tab, KEY.enter);
    await terminal.shows('onwhere> .load events.ndjson\n12 events of events.ndjson.');
  });

  it('completes on a continuation line', async () => {
    const terminal = await start();
    terminal.type('true and', KEY.enter, 'properties["coun', KEY.tab, ' == "US"', KEY.enter);
    await terminal.shows('     ... properties["country"] == "US"\nfalse : boolean');
  });
});

describe('Ctrl-R', () => {
  async function startWithHistory(): Promise<Terminal> {
    const terminal = await start();
    for (const input of ['1 + 10', '2 + 20', '3 + 10']) await terminal.enter(input);
    return terminal;
  }

  it('searches the history as you type, and again for older entries', async () => {
    const terminal = await startWithHistory();
    terminal.type('draft', KEY.ctrl('r'), '1', '0');
    await terminal.until(({ lines }) => lines.at(-1) === '(search: 10) 3 + 10');
    terminal.type(KEY.ctrl('r'));
    await terminal.until(({ lines }) => lines.at(-1) === '(search: 10) 1 + 10');
    terminal.type(KEY.ctrl('r'));
    await terminal.until(({ lines }) => lines.at(-1) === '(no match: 10) 1 + 10');
    terminal.type(KEY.backspace, KEY.backspace, '20');
    await terminal.until(({ lines }) => lines.at(-1) === '(search: 20) 2 + 20');
    terminal.type(KEY.enter);
    await terminal.shows('onwhere> 2 + 20\n22 : number');
  });

  it('edits the match with any other key', async () => {
    const terminal = await startWithHistory();
    terminal.type(KEY.ctrl('r'), '2 +', KEY.ctrl('e'), ' + 1', KEY.enter);
    await terminal.shows('onwhere> 2 + 20 + 1\n23 : number');
  });

  it.each(['c', 'g'])('gives the line back on Ctrl-%s', async (key) => {
    const terminal = await startWithHistory();
    terminal.type('5 +', KEY.ctrl('r'), '20');
    await terminal.shows('(search: 20) 2 + 20');
    terminal.type(KEY.ctrl(key), ' 1', KEY.enter);
    await terminal.shows('onwhere> 5 + 1\n6 : number');
  });
});

describe('a narrow terminal', () => {
  it('shows every value of .explain and cuts the expression', async () => {
    const terminal = await start({ columns: 44, rows: 40 });
    const shown = await terminal.enter('.explain 1000 < number(properties["amount"]) * 2 + 1');
    expect(shown.slice(1)).toEqual([
      'expression                             value',
      '1000 < number(properties["amount"]) …  false',
      '└─ number(properties["amount"]) * 2 …  21',
      '   └─ number(properties["amount"]) *…  20',
      '      └─ number(properties["amount"])  10',
      '         └─ properties["amount"]       10',
      '',
      'Why it is false:',
      '  1000 < number(properties["amount"]) * 2 +',
      '  1 is false: properties["amount"] is 10',
    ]);
  });

  it('breaks no line of the help inside a word', async () => {
    const terminal = await start({ columns: 30, rows: 100 });
    const shown = await terminal.enter('.help');
    const words = new Set((await runHelp()).split(/\s+/));
    expect(shown.flatMap((line) => line.split(/\s+/)).filter((word) => word !== '' && !words.has(word))).toEqual([]);
  });

  it.each([20, 9, 1])('with %i columns still works', async (columns) => {
    const terminal = await start({ columns: 40 });
    terminal.resize(columns, 10);
    for (const input of [
      'properties["plan"] = "pro"',
      '.on properties["plan"]',
      '.schema',
      '.help',
      '.event',
      '.tree 1 + 2',
    ]) {
      terminal.type(input, KEY.enter);
    }
    terminal.type(KEY.ctrl('d'));
    expect(await terminal.ended()).toBe(0);
    expect(terminal.written).not.toContain('internal error');
  });

  it('cuts tables and frames to its width', async () => {
    const terminal = await start({ columns: 30, rows: 40 });
    await terminal.enter('properties["plan"]');
    expect(await terminal.enter('.on')).toEqual([
      'segment  events',
      'pro           8  █████████████',
      'free          4  ██████▌',
      '12 events',
    ]);
    const found = await terminal.enter('properties["plan"] == "pro" and x');
    expect(found.filter((line) => line.includes('|'))).toEqual(
      ['  1 | …"plan"] == "pro" and x', '    |                       ^'].map(String),
    );
  });
});

describe('hostile events', () => {
  it('cannot move the cursor or change colours', async () => {
    const hostile = 'a\u001b[31m\u001b]0;title\u0007\u009b2J\r\n\u202eb';
    const events = [
      { event: hostile, properties: { [hostile]: hostile, plan: [hostile], nested: { [hostile]: hostile } } },
    ];
    writeFileSync(join(folder, 'hostile.ndjson'), JSON.stringify(events[0]));
    const terminal = await start({ columns: 70 }, 'hostile.ndjson');
    for (const input of [
      '.event',
      '.schema',
      '.where true',
      '.on properties["plan"]',
      'properties["plan"]',
      'properties["a',
    ]) {
      terminal.type(input, KEY.tab, KEY.enter);
    }
    terminal.type(KEY.ctrl('d'));
    expect(await terminal.ended()).toBe(0);
    const own = /\p{Cc}\[\?2004[hl]|\p{Cc}\[\d*[ACHJm]/gu;
    expect(terminal.written.replace(own, '')).not.toMatch(/[^\P{Cc}\r\n]|\p{Bidi_Control}/u);
  });
});
