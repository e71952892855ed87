import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import BUDGETS from './budgets.json' with { type: 'json' };

const root = fileURLToPath(new URL('..', import.meta.url));
const { devDependencies, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The command that installs the command line and the server with DuckDB. */
const INSTALL = `npm install onwhere @duckdb/node-api@${devDependencies['@duckdb/node-api']}`;

let folder = '';
const installed = (path: string) => join(folder, 'node_modules', path);

// Installs the packed package in an empty folder, without the configuration of this project and without a network.
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-installed-'));
  const npm = (cwd: string, ...parameters: string[]) => execFileSync('npm', parameters, { cwd, encoding: 'utf8' });
  npm(root, 'pack', '--silent', '--ignore-scripts', '--pack-destination', folder);
  const [archive = ''] = readdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{}');
  npm(folder, 'install', '--silent', '--offline', '--no-audit', '--no-fund', `./${archive}`);
});
afterAll(() => rmSync(folder, { recursive: true }));

function run(...parameters: string[]): {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
} {
  return spawnSync(installed('.bin/onwhere'), parameters, { cwd: folder, encoding: 'utf8' });
}

it('installs no other package and no native code, and has the size that the README states', () => {
  expect(readdirSync(installed('')).filter((name) => !name.startsWith('.'))).toEqual(['onwhere']);
  const paths = readdirSync(installed('onwhere'), { recursive: true, encoding: 'utf8' });
  expect(paths).toContain('package.json');
  expect(paths.filter((path) => /\.(?:node|so|dylib|dll|wasm)$/.test(path))).toEqual([]);
  const sizes = paths.map((path) => statSync(installed(join('onwhere', path)))).filter((stats) => stats.isFile());
  expect(sizes.reduce((total, { size }) => total + size, 0)).toBeLessThanOrEqual(BUDGETS.unpackedBytes);
  const [, megabytes] = /at most (\d+) MB/.exec(readFileSync(installed('onwhere/README.md'), 'utf8')) ?? [];
  expect(Number(megabytes) * 1e6).toBe(BUDGETS.unpackedBytes);
});

it('has the files that the README links', () => {
  const readme = readFileSync(installed('onwhere/README.md'), 'utf8');
  const links = Array.from(readme.matchAll(/(?<!!\[[^\]]*)\]\((?!https?:|#)([^)#]+)/g), ([, path = '']) => path);
  expect(links).not.toEqual([]);
  for (const link of links) expect(() => statSync(installed(join('onwhere', link)))).not.toThrow();
});

it('counts events in a file without DuckDB', () => {
  writeFileSync(join(folder, 'events.ndjson'), '{"event": "visit", "properties": {"plan": "pro"}}\n');
  expect(run('count', 'properties["plan"] == "pro"', 'events.ndjson')).toMatchObject({ status: 0, stdout: '1\n' });
});

it('answers a funnel of a file without DuckDB, and names it if the file needs too much memory', () => {
  const time = Date.parse('2025-06-01T12:00:00Z') / 1000;
  const event = { event: 'visit', properties: { distinct_id: 'ada', time } };
  writeFileSync(join(folder, 'visits.ndjson'), `${JSON.stringify(event)}\n`);
  const funnel = ['funnel', '--steps', 'visit', 'visits.ndjson'];
  expect(run(...funnel)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^1 visit +1 /m) });
  const { status, stderr } = run(...funnel, '--memory-limit', '1MB');
  expect([status, stderr]).toEqual([2, expect.stringContaining('need more than 1MB of memory. Pass a higher')]);
  expect(stderr).toContain(`DuckDB is not installed. Install it with \`${INSTALL}\``);
});

it.each([
  ['count', ['count', 'true', 'events.parquet']],
  ['sql --verify', ['sql', '--verify', 'duckdb']],
  ['serve', ['serve', '--demo', '--data', 'data', '--port', '0']],
])('explains how to install DuckDB if `onwhere %s` runs without it', (_, parameters) => {
  writeFileSync(join(folder, 'events.parquet'), 'PAR1');
  const { status, stderr } = run(...parameters);
  expect(stderr).toContain(`error: DuckDB is not installed. Install it with \`${INSTALL}\``);
  expect(status).toBe(2);
});

it('explains how to install pg if `onwhere sql --verify` of PostgreSQL runs without it', () => {
  const { status, stderr } = run('sql', '--verify', 'postgres://localhost');
  expect(stderr).toBe('error: PostgreSQL needs the package pg, which is not installed. Run: npm install pg\n');
  expect(status).toBe(2);
});

it.each([
  ['@duckdb/node-api', ['count', 'true', 'events.parquet']],
  ['@duckdb/node-api', ['serve', '--demo', '--data', 'data', '--port', '0']],
  ['pg', ['sql', '--verify', 'postgres://localhost']],
])('says what is wrong with an installed %s that does not load', (name, parameters) => {
  const path = installed(`${name}/index.js`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "require('binary-of-another-machine');");
  const { status, stderr } = run(...parameters);
  rmSync(path);
  expect(stderr).toBe(
    `error: ${realpathSync(installed(''))}/${name}/index.js does not load ` +
      `(Node.js ${process.versions.node}, ${process.platform} ${process.arch}): ` +
      `Cannot find module 'binary-of-another-machine'. ` +
      'Delete the folder node_modules and install again on this machine.\n',
  );
  expect(status).toBe(3);
});

it('has the same install command in its messages, the README and the Dockerfile', () => {
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(INSTALL);
  const [, version = ''] = / (@duckdb\S+)$/.exec(INSTALL) ?? [];
  expect(readFileSync(join(root, 'deploy/Dockerfile'), 'utf8')).toContain(`onwhere-*.tgz ${version} `);
});

/** The entries that need no other package. */
const ENTRIES = Object.keys(exports)
  .filter((entry) => /^\.(?:\/\w+)?$/.test(entry) && entry !== './codemirror')
  .map((entry) => entry.replace('.', 'onwhere'));

it.each(ENTRIES)('%s can be imported and required', (entry) => {
  const evaluate = (type: string, code: string) =>
    execFileSync('node', ['--no-warnings', `--input-type=${type}`, '--eval', code], { cwd: folder, encoding: 'utf8' });
  const imported = evaluate('module', `console.log(Object.keys(await import('${entry}')).length)`);
  expect(Number(imported)).toBeGreaterThan(0);
  expect(evaluate('commonjs', `console.log(Object.keys(require('${entry}')).length)`)).toBe(imported);
});

it('passes its conformance vectors in the example of their README', () => {
  const page = readFileSync(installed('onwhere/dist/conformance/README.md'), 'utf8');
  const [, example = ''] = /^```js\n(.*?)^```$/ms.exec(page) ?? [];
  const code = example.replace(/^(runVectors.*); \/\/ → 0$/m, 'console.log($1);');
  const wrong = 'console.log(runVectors(() => ({ value: true })).length);';
  writeFileSync(join(folder, 'conformance.mjs'), `${code}\n${wrong}`);
  const [failures, failuresOfWrong] = execFileSync('node', ['conformance.mjs'], {
    cwd: folder,
    encoding: 'utf8',
  }).split('\n');
  expect(failures).toBe('0');
  expect(Number(failuresOfWrong)).toBeGreaterThan(1_000);
});
