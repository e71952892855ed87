import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Entry {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly optional?: true;
  readonly os?: readonly string[];
}

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
  readonly packages: Readonly<Record<string, Entry>>;
};
const installed = Object.entries(packages).filter(([name]) => name !== '');

it('npm checks the integrity of what it installs, but for binaries of other platforms', () => {
  const unchecked = installed.filter(([, { integrity }]) => integrity === undefined);
  expect(unchecked.filter(([, { optional, os }]) => !optional || os === undefined)).toEqual([]);
  for (const [, { integrity = 'sha512-' }] of installed) expect(integrity).toMatch(/^sha512-/);
});

it('the lock names no registry', () => {
  expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});
