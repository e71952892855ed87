import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, it } from 'vitest';
import { PROJECTS } from './projects.ts';
import { readSourceFiles } from './source-files.ts';

const FILES = readSourceFiles(new URL('./', import.meta.url));
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
  const unseeded = FILES.filter(({ path }) => {
    const text = readFileSync(new URL(path, import.meta.url), 'utf8');
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
  const faking = FILES.filter(({ path, names }) => names.has('vi') && path !== 'eventually.ts').map(({ path }) => path);
  const shared = TESTS.filter((path) => projectsOf(path)[0] === 'unit');
  expect(shared.filter((path) => faking.some((file) => file === path || allImportsOf(path).has(file)))).toEqual([]);
});

it('tests start child processes only through `spawned.ts`, so that none outlives its file', () => {
  const starts = FILES.filter(({ imports, names }) => {
    if (imports.includes('@lydell/node-pty')) return true;
    const starters = ['spawn', 'fork', 'exec', 'execFile'];
    return imports.includes('node:child_process') && starters.some((name) => names.has(name));
  });
  expect(starts.map(({ path }) => path)).toEqual(['spawned.ts']);
});
