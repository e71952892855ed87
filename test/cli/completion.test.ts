import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from './run-cli.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-completion-'));
  for (const shell of SHELLS) writeFileSync(join(folder, shell), (await runCli(['completion', shell])).out);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns what bash completes at the end of a command line. */
function completeInBash(line: string): string[] {
  const words = line.split(' ');
  const script = `source ${join(folder, 'bash')}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length - 1}
_onwhere
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const printed = execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' });
  return printed.split('\n').filter((word) => word !== '');
}

/** Examples for every shell: a command line, and some of what completes it. */
const EXAMPLES: readonly (readonly [line: string, expected: readonly string[]])[] = [
  ['onwhere cou', ['count']],
  ['onwhere funnel ', ['create', 'list', 'delete']],
  ['onwhere segment --by ', ['day', 'week']],
  ['onwhere events properties --uni', ['--unique']],
  ['onwhere secret cr', ['create']],
  ['onwhere completion ', ['bash', 'zsh', 'fish']],
  ['onwhere sql --dialect ', ['duckdb', 'clickhouse', 'postgresql', 'sqlite']],
];

describe('bash', () => {
  it.each(EXAMPLES)('completes %s', (line, expected) => {
    expect(completeInBash(line)).toEqual(expect.arrayContaining([...expected]));
  });

  it('suggests only what begins with the word', () => {
    expect(completeInBash('onwhere cou')).toEqual(['count']);
    expect(completeInBash('onwhere count --uni')).toEqual(['--unique']);
  });

  it('leaves file names to bash', () => {
    expect(completeInBash('onwhere count true sho')).toEqual([]);
    expect(completeInBash('onwhere check --schema ')).toEqual([]);
  });

  it('completes every command and option of the help', async () => {
    const { out } = await runCli(['segment', '--help']);
    const options = [...out.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, option]) => option);
    expect(options.length).toBeGreaterThan(5);
    expect(completeInBash('onwhere segment -')).toEqual(options);
  });
});

/** Returns whether a shell is missing on this machine. */
function isMissing(shell: string): boolean {
  return spawnSync(shell, ['--version']).error !== undefined;
}

it.for([
  ['zsh', '-n'],
  ['fish', '--no-execute'],
] as const)('%s reads its script', ([shell, flag], test) => {
  test.skip(isMissing(shell), `${shell} is not installed, so its completion script is not read`);
  const { status, stderr } = spawnSync(shell, [flag, join(folder, shell)], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

it.for(EXAMPLES)('fish completes %s', ([line, expected], test) => {
  test.skip(isMissing('fish'), 'fish is not installed, so its completions are not compared');
  const script = `source ${join(folder, 'fish')}; complete -C '${line}'`;
  const printed = execFileSync('fish', ['--no-config', '-c', script], { encoding: 'utf8' });
  expect(printed.split('\n').map((one) => one.split('\t')[0])).toEqual(expect.arrayContaining([...expected]));
});

it('refuses another shell', async () => {
  expect(await runCli(['completion', 'tcsh'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('bash, zsh, fish'),
  });
});
