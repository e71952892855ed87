import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Entry {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly optional?: true;
  readonly os?: readonly string[];
}

describe.each(['package-lock.json', 'test/clickhouse/package-lock.json'])('%s', (path) => {
  const { packages } = JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')) as {
    readonly packages: Readonly<Record<string, Entry>>;
  };
  const installed = Object.entries(packages).filter(([name]) => name !== '');

  it('has the integrity of what npm installs, but of binaries of other platforms', () => {
    const unchecked = installed.filter(([, { integrity }]) => integrity === undefined);
    expect(unchecked.filter(([, { optional, os }]) => !optional || os === undefined)).toEqual([]);
    for (const [, { integrity = 'sha512-' }] of installed) expect(integrity).toMatch(/^sha512-/);
  });

  it('names no registry', () => {
    expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });
});
