import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { describeUnreadVariables } from '../../src/cli/environment.ts';
import { getVariableName, SETTINGS } from '../../src/service/server/settings/settings.ts';
import { runCli } from './run-cli.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const READ = [...Object.keys(SETTINGS), 'config', 'server', 'secret', 'ca'].map(getVariableName);

/** Returns the variables that files of a folder read, in TypeScript or in a shell. */
function findVariables(folder: string): string[] {
  return readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:ts|md|ya?ml|env)$|Caddyfile$/.test(path) && !path.includes('node_modules'))
    .flatMap((path) => {
      const text = readFileSync(`${ROOT}${folder}/${path}`, 'utf8');
      const found = [...text.matchAll(/(?:process\.env\.|\$\{?)(ONWHERE_[A-Z_]+)|(ONWHERE_[A-Z_]+)(?=: \w+[,} ]|=)/g)];
      return found.flatMap(([, read, set]) => read ?? set ?? []);
    });
}

describe('environment variables', () => {
  it.each(READ)('%s is read, and its misspelling is told with the nearest one', (name) => {
    const misspelled = `${name}${name.at(-1)}`;
    expect(describeUnreadVariables({ [name]: '1', PATH: '1' })).toEqual([]);
    expect(describeUnreadVariables({ [misspelled]: '1' })).toEqual([
      expect.stringMatching(
        new RegExp(`^Nothing reads the environment variable ${misspelled}\\. Did you mean ONWHERE_`),
      ),
    ]);
  });

  it('of the tests, the examples and the deployment are not told', () => {
    const found = new Set(['test', 'docs', 'deploy'].flatMap(findVariables));
    for (const name of ['ONWHERE_SEED', 'ONWHERE_TOKEN', 'ONWHERE_SITE']) expect(found).toContain(name);
    const misspelled = ['ONWHERE_PROT', 'ONWHERE_ANYTHING', 'ONWHERE_SEVER'];
    const env = Object.fromEntries([...found].filter((name) => !misspelled.includes(name)).map((name) => [name, '1']));
    expect(describeUnreadVariables(env)).toEqual([]);
  });

  it('that nothing reads are told by each command', async () => {
    const { code, err } = await runCli(['fmt', 'true'], { env: { ONWHERE_PROT: '0', ONWHERE_ANYTHING: '' } });
    const told = 'warning: Nothing reads the environment variable';
    expect({ code, err: err.split('\n') }).toEqual({
      code: 0,
      err: [
        `${told} ONWHERE_PROT. Did you mean ONWHERE_PORT?`,
        `${told} ONWHERE_ANYTHING. Variables are named like options of the service: ONWHERE_TLS_CERT is --tls-cert`,
        '',
      ],
    });
  });
});
