import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServerProcess } from '../end-to-end/server-process.ts';
import { startChild } from '../spawned.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = join(HERE, '../..');

const NODES = {
  'this Node.js': process.execPath,
  'Node.js 22': join(HERE, 'node_modules/node-22/bin/node'),
  'Node.js 24': join(HERE, 'node_modules/node-24/bin/node'),
};

const INSTALLERS = {
  npm: ['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline'],
  pnpm: [join(HERE, 'node_modules/.bin/pnpm'), 'install', '--prefer-offline'],
};

const JEST = join(HERE, 'node_modules/jest/bin/jest.js');

const IS_INSTALLED = existsSync(join(HERE, 'node_modules/pnpm'));
if (!IS_INSTALLED)
  console.warn('Other versions of Node.js and pnpm are not installed (npm ci --prefix test/nodes): skipped.');

let folder = '';
let archive = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-nodes-'));
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], { cwd: ROOT });
  archive = readdirSync(folder).map((name) => join(folder, name))[0] as string;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The commands, each with its output. */
const TRANSCRIPT = readFileSync(join(HERE, 'commands.txt'), 'utf8');
const COMMANDS = Array.from(TRANSCRIPT.matchAll(/^\$ (.*)$/gm), ([, command = '']) => command);

describe.skipIf(!IS_INSTALLED).each(Object.entries(INSTALLERS))('installed by %s', (name, installer) => {
  const app = () => join(folder, name);

  beforeAll(() => {
    cpSync(join(HERE, 'app'), app(), { recursive: true });
    const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const dependencies = { onwhere: `file:${archive}`, '@duckdb/node-api': devDependencies['@duckdb/node-api'] };
    writeFileSync(join(app(), 'package.json'), JSON.stringify({ dependencies }));
    const [command = '', ...parameters] = installer;
    execFileSync(command, parameters, { cwd: app(), stdio: ['ignore', 'ignore', 'inherit'] });
  });

  describe.each(Object.entries(NODES))('on %s', (version, node) => {
    const cwd = () => join(app(), version);
    const cache = () => join(app(), `cache of ${version}`);
    beforeAll(() => mkdirSync(cwd()));

    /** The environment in which `node` and `onwhere` are those of the test. */
    const environment = () => {
      const path = [dirname(node), join(app(), 'node_modules/.bin'), process.env.PATH].join(delimiter);
      return { ...process.env, PATH: path, XDG_CACHE_HOME: cache() };
    };
    /** Runs a command line and returns all that it prints. */
    const run = (command: string) =>
      spawnSync('bash', ['-c', `exec 2>&1; ${command}`], { cwd: cwd(), env: environment(), encoding: 'utf8' }).stdout;

    it('prints the same results', () => {
      expect(COMMANDS.map((command) => `$ ${command}\n${run(command)}`).join('')).toBe(TRANSCRIPT);
    });

    it('keeps compiled code in the cache folder of the user, where Node.js can', () => {
      const canKeep = run('node -p "typeof require(\'node:module\').enableCompileCache"') === 'function\n';
      expect(run('onwhere fmt true')).toBe('true\n');
      expect(existsSync(join(cache(), 'onwhere/compiled'))).toBe(canKeep);
    });

    it('starts a server with sample events, which answers queries', async () => {
      const serve = ['serve', '--demo', '--allow-http', '--data', 'demo data', '--port', '0'];
      const child = startChild('onwhere', serve, { cwd: cwd(), env: environment() });
      const server = await ServerProcess.listening(child);
      await expect.poll(() => server.output.match(/^ {2}curl .+$/m)).not.toBeNull();
      const [query = ''] = server.output.match(/^ {2}curl .+$/m) ?? [];
      const { series, values } = JSON.parse(run(`${query} 2> /dev/null`)).data;
      expect([series.length, Object.keys(values)]).toEqual([7, ['free', 'pro', 'team', 'null']]);
      expect(await server.stop()).toBe(0);
    });

    it('passes the conformance vectors', () => {
      expect(run('node ../vectors.mjs')).toMatch(/^(?:\w+: \d+ vectors, 0 failures\n){3}$/);
    });

    it('has one class of each error, whether entries are imported or required', () => {
      expect(run('node ../errors.cjs')).toBe('32 compared\n');
    });

    // Jest loads modules itself. It can require ES modules from Node.js 24.9 on.
    it.skipIf(name !== 'npm')('loads in Jest with --experimental-vm-modules', () => {
      const type = version === 'Node.js 24' ? '{mjs,cjs}' : 'mjs';
      const options = `--rootDir .. --testMatch '**/jest.test.${type}'`;
      expect(run(`node --experimental-vm-modules ${JEST} ${options}`)).toMatch(
        type === 'mjs' ? /^Tests: +1 passed, 1 total$/m : /^Tests: +2 passed, 2 total$/m,
      );
    });
  });
});
