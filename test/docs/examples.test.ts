import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
  // Examples import this package by its name, and other packages from its node_modules.
  for (const name of ['package.json', 'dist', 'node_modules']) symlinkSync(join(root, name), join(folder, name));
  mkdirSync(join(folder, 'peers'));
  symlinkSync(join(root, 'test/node_modules'), join(folder, 'peers/node_modules'));
  run('onwhere demo');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a command line with the built program as `onwhere`; returns all that a terminal shows. */
function run(command: string): string {
  const script = `onwhere() { node "${join(root, 'dist/cli/main.js')}" "$@"; }\nnpx() { "$@"; }\nexec 2>&1\n${command}\ntrue`;
  return execFileSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Splits a console block into its commands, each with its output. */
function splitCommands(text: string): [command: string, output: string][] {
  const parts = text.split(/^\$ /m).filter((part) => part !== '');
  return parts.map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]);
}

describe('every command prints the output on its page', () => {
  const shown = blocksIn('console').flatMap(({ page, text }) =>
    splitCommands(text).map((one) => [page, ...one] as const),
  );
  it.each(shown)('%s: %s', (_, command, output) => {
    expect(run(command).trimEnd()).toBe(output.trimEnd());
  });
});

describe('every script', () => {
  const scripts = blocksIn('sh', 'bash').map(({ page, text }) => [page, text] as const);
  it.each(scripts)('has valid syntax: %s: %s', (_, text) => {
    expect(() => execFileSync('bash', ['-n'], { input: text, stdio: ['pipe', 'ignore', 'pipe'] })).not.toThrow();
  });
});

/** Packages of other languages in the comparison. */
const PEERS = Object.keys(JSON.parse(readFileSync(join(root, 'test/package.json'), 'utf8')).dependencies);

describe('every example in JavaScript', () => {
  const RESULT = /^(.+); \/\/ → (.+)$/gm;
  const examples = blocksIn('js').map(({ page, text }) => {
    const peer = PEERS.find((name) => text.includes(`from '${name}'`));
    return { page, text, peer, results: [...text.matchAll(RESULT)].map(([, , result]) => result) };
  });

  it.each(examples)('has valid syntax: $page $text', ({ text }) => {
    const file = join(folder, 'syntax.mjs');
    writeFileSync(file, text);
    expect(() => execFileSync('node', ['--check', file], { stdio: 'pipe' })).not.toThrow();
  });

  // Examples without results need a server or a database; other tests cover them.
  it.each(examples.filter(({ results }) => results.length > 0))(
    'prints the results that it shows: $page $text',
    ({ text, peer, results }) => {
      const file = join(folder, peer === undefined ? 'example.mjs' : 'peers/example.mjs');
      writeFileSync(file, text.replace(RESULT, 'console.log(JSON.stringify($1) ?? "undefined");'));
      const printed = execFileSync('node', [file], { encoding: 'utf8' }).trimEnd().split('\n');
      expect(printed).toEqual(results);
    },
  );
});

it('every example in TypeScript type-checks', () => {
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
    // The package is only in test/package.json.
    paths: { 'monaco-editor': [join(root, 'test/node_modules/monaco-editor/esm/vs/index.d.ts')] },
  });
  const found = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
  expect(files.length).toBeGreaterThan(0);
  expect(found).toEqual([]);
});

it('the README has the two commands that start and test everything', () => {
  const lines = blocksIn('sh').filter(({ page }) => page === 'README.md');
  expect(lines.map(({ text }) => text.trim())).toEqual(['npm ci && npm start', 'npm ci && npm test']);
});
