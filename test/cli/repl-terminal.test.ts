import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProcess } from './start-process.ts';
import { KEY, Terminal } from './terminal.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-terminal-'));
  writeFileSync(join(folder, 'events.ndjson'), '{"event":"buy","properties":{"amount":10}}\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

async function start(env: Readonly<Record<string, string>> = {}, columns = 80): Promise<Terminal> {
  const own = { XDG_STATE_HOME: join(folder, 'state'), ...env };
  const terminal = new Terminal(startProcess(['repl', 'events.ndjson'], folder, own), { columns });
  await terminal.prompt();
  return terminal;
}

describe('a system terminal', () => {
  it('is put into raw mode and restored', async () => {
    const terminal = await start();
    terminal.type('properties["amo', KEY.tab, ' + 1', KEY.enter);
    await terminal.shows('onwhere> properties["amount"] + 1\n11 : number or undefined\nonwhere>');
    expect(terminal.colours('"amount"')).toEqual(Array.from('"amount"', () => 6));
    terminal.type(KEY.ctrl('d'));
    expect(await terminal.ended()).toBe(0);
    expect(terminal.written.lastIndexOf('\x1b[?2004l')).toBeGreaterThan(terminal.written.lastIndexOf('\x1b[?2004h'));
  });

  it('reports its new size', async () => {
    const terminal = await start({}, 40);
    terminal.type('"abcdefghijklmnopqrstuvwxyz"');
    await terminal.shows('xyz"');
    terminal.resize(20, 24);
    await terminal.until(({ cursor }) => cursor.column === 17);
    expect(terminal.lines.slice(-2)).toEqual(['onwhere> "abcdefghij', 'klmnopqrstuvwxyz"']);
  });

  it('gets only a prompt if TERM is dumb', async () => {
    const terminal = await start({ TERM: 'dumb' });
    terminal.type('1 +\r');
    await terminal.shows('     ...');
    terminal.type('properties["amount"]\r');
    await terminal.shows('     ... properties["amount"]\n11 : number or undefined\nonwhere>');
    expect(terminal.written).not.toContain('\x1b');
    terminal.type(KEY.ctrl('d'));
    expect(await terminal.ended()).toBe(0);
  });
});

it('a terminal gets data without characters that control it, unless they are asked for', async () => {
  writeFileSync(join(folder, 'hostile.csv'), 'event,text\nbuy,\x1b]0;title\x07\u202e\n');
  const show = async (...options: string[]) => {
    const terminal = new Terminal(startProcess(['filter', 'true', 'hostile.csv', ...options], folder));
    expect(await terminal.ended()).toBe(0);
    return terminal.written;
  };
  expect(await show()).toContain('buy,\\u001b]0;title\\u0007\\u202e\r\n');
  expect(await show('--raw')).toContain('buy,\x1b]0;title\x07\u202e\r\n');
});

it('interrupts a blocked command on a second Ctrl-C', async () => {
  const terminal = await start();
  execFileSync('mkfifo', ['endless.ndjson'], { cwd: folder });
  terminal.type('.load endless.ndjson', KEY.enter);
  await terminal.until(({ lines, cursor }) => lines.at(-1)?.endsWith('endless.ndjson') === true && cursor.column === 0);
  terminal.type(KEY.ctrl('c'), KEY.ctrl('c'));
  expect(await terminal.ended()).toBe(130);
});
