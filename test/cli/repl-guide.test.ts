import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runProcess } from './cli-process.ts';
import { startProcess } from './start-process.ts';
import { KEY, Terminal } from './terminal.ts';

const guide = readFileSync(new URL('../../docs/guide/terminal.md', import.meta.url), 'utf8');
const [, command = '', recorded = ''] = /^```text\n\$ onwhere (repl .*)\n([\s\S]*?)^```$/m.exec(guide) ?? [];
const PROMPT = /^(?:onwhere>| {5}\.\.\.) /;

let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-readme-'));
  await runProcess(['demo'], { cwd: folder });
});
afterAll(() => rmSync(folder, { recursive: true }));

it('prints the session that the guide shows', async () => {
  const terminal = new Terminal(startProcess(command.split(' '), folder, { XDG_STATE_HOME: folder }), { columns: 100 });
  try {
    const inputs = recorded.split('\n').filter((line) => PROMPT.test(line));
    expect(inputs.length).toBeGreaterThan(3);
    await terminal.prompt();
    for (const input of inputs) {
      await terminal.until(({ lines }) => PROMPT.test(`${lines.at(-1)} `), 'a prompt');
      terminal.type(input.replace(PROMPT, ''));
      await terminal.until(({ lines }) => lines.at(-1) === input, input);
      terminal.type(KEY.enter);
      await terminal.until(({ lines }) => lines.at(-1) !== input, `an answer to ${input}`);
    }
    await terminal.prompt();
    terminal.type(KEY.ctrl('d'));
    expect(await terminal.ended()).toBe(0);
    expect(terminal.lines.slice(0, -1).join('\n')).toBe(recorded.trimEnd());
  } finally {
    terminal.kill();
  }
});
