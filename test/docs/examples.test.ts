import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksIn, ROOT } from './pages.ts';

const root = fileURLToPath(ROOT);

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-docs-'));
  // The examples find this package by its name, and others where it does.
  for (const name of ['package.json', 'dist', 'node_modules']) symlinkSync(join(root, name), join(folder, name));
  mkdirSync(join(folder, 'peers'));
  symlinkSync(join(root, 'bench/node_modules'), join(folder, 'peers/node_modules'));
  run('onwhere demo');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a command line with the built program as `onwhere`; returns what it prints, whatever its exit code. */
function run(command: string): string {
  const script = `onwhere() { node "${join(root, 'dist/cli.js')}" "$@"; }\n${command}\ntrue`;
  return execFileSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The commands of a console block, each with what it shows. */
function commands(text: string): [command: string, output: string][] {
  const parts = text.split(/^\$ /m).filter((part) => part !== '');
  return parts.map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]);
}

describe('every command prints what the page shows', () => {
  const shown = blocksIn('console').flatMap(({ page, text }) => commands(text).map((one) => [page, ...one] as const));
  it.each(shown)('%s: %s', (_, command, output) => {
    expect(run(command).trimEnd()).toBe(output.trimEnd());
  });
});

describe('every script', () => {
  const scripts = blocksIn('sh', 'bash').map(({ page, text }) => [page, text] as const);
  it.each(scripts)('is one in %s: %s', (_, text) => {
    expect(() => execFileSync('bash', ['-n'], { input: text, stdio: ['pipe', 'ignore', 'pipe'] })).not.toThrow();
  });
});

/** The packages that only benchmarks install, which the comparison shows. */
const PEERS = Object.keys(JSON.parse(readFileSync(join(root, 'bench/package.json'), 'utf8')).dependencies).filter(
  (name) => !existsSync(join(root, 'node_modules', name)),
);

describe('every example in JavaScript', () => {
  const ANSWER = /^(.+); \/\/ → (.+)$/gm;
  const examples = blocksIn('js').map(({ page, text }) => {
    const peer = PEERS.find((name) => text.includes(`from '${name}'`));
    return { page, text, peer, answers: [...text.matchAll(ANSWER)].map(([, , answer]) => answer) };
  });

  it.each(examples)('has no error in its syntax: $page $text', ({ text }) => {
    const file = join(folder, 'syntax.mjs');
    writeFileSync(file, text);
    expect(() => execFileSync('node', ['--check', file], { stdio: 'pipe' })).not.toThrow();
  });

  // Examples without answers show what servers and databases do, and have tests of their own.
  it.for(examples.filter(({ answers }) => answers.length > 0))('answers what it says: $page $text', (example, test) => {
    const { text, peer, answers } = example;
    const isMissing = peer !== undefined && !existsSync(join(root, 'bench/node_modules', peer));
    test.skip(isMissing, `${peer} is not installed: npm ci --prefix bench`);
    const file = join(folder, peer === undefined ? 'example.mjs' : 'peers/example.mjs');
    writeFileSync(file, text.replace(ANSWER, 'console.log(JSON.stringify($1) ?? "undefined");'));
    const printed = execFileSync('node', [file], { encoding: 'utf8' }).trimEnd().split('\n');
    expect(printed).toEqual(answers);
  });
});

it('every example in TypeScript has the right types', () => {
  const files = blocksIn('ts').map(({ text }, index) => {
    const file = join(folder, `example-${index}.ts`);
    writeFileSync(file, text);
    return file;
  });
  const program = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    exactOptionalPropertyTypes: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: [],
  });
  const found = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
  expect(files.length).toBeGreaterThan(0);
  expect(found).toEqual([]);
});

it('the README says the two lines that do everything', () => {
  const lines = blocksIn('sh').filter(({ page }) => page === 'README.md');
  expect(lines.map(({ text }) => text.trim())).toEqual(['npm ci && npm start', 'npm ci && npm test']);
});
