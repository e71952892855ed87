import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const blocks = [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
  language,
  text,
}));

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-readme-'));
  // The examples find this package by its name, and others where it does.
  for (const name of ['package.json', 'dist', 'node_modules']) symlinkSync(join(root, name), join(folder, name));
  run('onwhere demo');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a command line with the built program as `onwhere`; what it prints, whatever its exit code. */
function run(command: string): string {
  const script = `onwhere() { node "${join(root, 'dist/cli.js')}" "$@"; }\n${command}\ntrue`;
  return execFileSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The commands of a console block, each with what it shows. */
function commands(text: string): [command: string, output: string][] {
  const parts = text.split(/^\$ /m).filter((part) => part !== '');
  return parts.map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]);
}

describe('every command in the README prints what it shows', () => {
  const shown = blocks.filter(({ language }) => language === 'console').flatMap(({ text }) => commands(text));
  it.each(shown)('%s', (command, output) => {
    expect(run(command).trimEnd()).toBe(output.trimEnd());
  });
});

describe('every example in the README answers what it says', () => {
  const examples = blocks.filter(({ language }) => language === 'js').map(({ text }) => text);
  it.each(examples)('%s', (text) => {
    const answers = [...text.matchAll(/^(.+); \/\/ → (.+)$/gm)];
    const code = text.replace(/^(.+); \/\/ → .+$/gm, 'console.log(JSON.stringify($1) ?? "undefined");');
    const file = join(folder, 'example.mjs');
    writeFileSync(file, code);
    const printed = execFileSync('node', [file], { encoding: 'utf8' }).trimEnd().split('\n');
    expect(answers.length).toBeGreaterThan(0);
    expect(printed).toEqual(answers.map(([, , answer]) => answer));
  });
});

it('says the two lines that do everything', () => {
  const lines = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text.trim());
  expect(lines).toEqual(['npm ci && npm start', 'npm ci && npm test']);
});
