import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { PROJECTS } from './projects.ts';
import { listSourcePaths } from './source-files.ts';

const FOLDER = new URL('./', import.meta.url);

/** Imports are found without parsing the files, which takes ten times as long. */
const FILES = listSourcePaths(FOLDER).map((path) => {
  const text = readFileSync(new URL(path, FOLDER), 'utf8');
  return { path, text, imports: ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName) };
});
const IMPORTS = new Map(FILES.map(({ path, imports }) => [path, imports]));
const TESTS = [...IMPORTS.keys()].filter((path) => path.endsWith('.test.ts'));
const PLACES = Object.entries(PROJECTS).flatMap(([project, places]) => places.map((place) => ({ project, place })));

/** The packages of `test/package.json`, which `npm ci` does not install. */
const PEERS = Object.keys(JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')).dependencies);

/** Returns the projects that list a test file, or `unit` if none does. */
function projectsOf(path: string): string[] {
  const listed = PLACES.filter(({ place }) =>
    `test/${path}`.startsWith(place.endsWith('/') ? place : `${place}.test.`),
  );
  return listed.length === 0 ? ['unit'] : listed.map(({ project }) => project);
}

/** Returns all modules that a file imports, directly or through other files of `test`. */
function allImportsOf(path: string, found = new Set<string>()): Set<string> {
  for (const specifier of IMPORTS.get(path) ?? []) {
    const imported = specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier;
    if (found.has(imported)) continue;
    found.add(imported);
    allImportsOf(imported, found);
  }
  return found;
}

/** Returns whether a text imports one of some names from a module, or the whole module under a name. */
function importsAny(text: string, module: string, names: readonly string[]): boolean {
  const clauses = [...text.matchAll(/^import ([^;]*?) from '([^']*)'/gm)].filter(([, , from]) => from === module);
  return clauses.some(([, clause = '']) => {
    const listed = clause.match(/\w+/g) ?? [];
    return clause.includes('*') || !clause.includes('{') || listed.some((name) => names.includes(name));
  });
}

it('CI runs every project once', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const commands = `${scripts.test}\n${readFileSync(new URL('../.ci/run', import.meta.url), 'utf8')}`;
  const run = Array.from(commands.matchAll(/--project (\S+)/g), ([, name]) => name);
  expect(run.sort()).toEqual(['unit', ...Object.keys(PROJECTS)].sort());
});

it('every test file is in one project', () => {
  expect(TESTS.filter((path) => projectsOf(path).length !== 1)).toEqual([]);
});

it('every path of a project exists', () => {
  const missing = PLACES.filter(({ place }) => {
    return !existsSync(new URL(`../${place.endsWith('/') ? place : `${place}.test.ts`}`, import.meta.url));
  });
  expect(missing).toEqual([]);
});

it.each(['node:child_process', '@lydell/node-pty', '@duckdb/node-api', 'pg', 'load-peer.ts', ...PEERS])(
  '`npm test` does not use %s',
  (name) => {
    const fast = TESTS.filter((path) => ['unit', 'isolated'].includes(projectsOf(path)[0] ?? ''));
    expect(fast.filter((path) => allImportsOf(path).has(name))).toEqual([]);
  },
);

it('every sample has a seed, so that a failure can be repeated', () => {
  const unseeded = FILES.filter(({ path, text }) => {
    return path !== 'projects.test.ts' && /fc\.sample\((?![^;]*\bseed\b)/.test(text);
  });
  expect(unseeded.map(({ path }) => path)).toEqual([]);
});

it('`npm run types` does without the packages of `test/package.json`', () => {
  const users = FILES.filter(({ imports }) => imports.some((name) => PEERS.includes(name)));
  expect(users.map(({ path }) => path).filter((path) => !/^(browser|frameworks)\//.test(path))).toEqual([]);
});

it('tests that share a thread use no fakes, which would last into the next file', () => {
  // `eventually.ts` only waits with `vi`.
  const faking = FILES.filter(({ path, text }) => importsAny(text, 'vitest', ['vi']) && path !== 'eventually.ts').map(
    ({ path }) => path,
  );
  const shared = TESTS.filter((path) => projectsOf(path)[0] === 'unit');
  expect(shared.filter((path) => faking.some((file) => file === path || allImportsOf(path).has(file)))).toEqual([]);
});

it('tests start child processes only through `spawned.ts`, so that none outlives its file', () => {
  const starters = ['spawn', 'fork', 'exec', 'execFile'];
  const starts = FILES.filter(({ imports, text }) => {
    return imports.includes('@lydell/node-pty') || importsAny(text, 'node:child_process', starters);
  });
  expect(starts.map(({ path }) => path)).toEqual(['spawned.ts']);
});
