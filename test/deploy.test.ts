import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../src/cli/program.ts';
import { getVariableName, SETTINGS } from '../src/service/server/settings/settings.ts';
import { testIo } from './cli/test-io.ts';

const ROOT = new URL('../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

const FILES = ['deploy/onwhere.service', 'deploy/Dockerfile'];
const VARIABLES = Object.keys(SETTINGS).map(getVariableName);

describe.each(FILES)('%s', (path) => {
  it('sets only variables that the service knows', () => {
    const names = [...read(path).matchAll(/\bONWHERE_\w+/g)].map(([name]) => name);
    expect(names).not.toEqual([]);
    expect(names.filter((name) => !VARIABLES.includes(name))).toEqual([]);
  });
});

it('the systemd unit passes only options that the service has', async () => {
  const [, command] = /^ExecStart=\/usr\/bin\/env onwhere (.+)$/m.exec(read('deploy/onwhere.service')) ?? [];
  const [name, ...options] = command?.split(' ') ?? [];
  const { commands } = await buildProgram(testIo(), () => undefined);
  const serve = commands.find((one) => one.name() === name);
  const known = serve?.options.map(({ long }) => long);
  for (const option of options.filter((one) => one.startsWith('--'))) expect(known).toContain(option);
});

it('the Dockerfile runs only scripts that the package has', () => {
  const scripts = JSON.parse(read('package.json')).scripts;
  const run = [...read('deploy/Dockerfile').matchAll(/npm run (\w+)/g)].map(([, script]) => script);
  expect(run).not.toEqual([]);
  for (const script of run) expect(scripts).toHaveProperty(script as string);
  expect(existsSync(new URL('package-lock.json', ROOT))).toBe(true);
});
