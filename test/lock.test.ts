import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Entry {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly optional?: true;
  readonly os?: readonly string[];
  readonly hasInstallScript?: true;
}

describe.each(['package-lock.json', 'test/clickhouse/package-lock.json'])('%s', (path) => {
  const { packages } = JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')) as {
    readonly packages: Readonly<Record<string, Entry>>;
  };
  const installed = Object.entries(packages).filter(([name]) => name !== '');

  it('has the integrity of every package except binaries of other platforms', () => {
    const unchecked = installed.filter(([, { integrity }]) => integrity === undefined);
    expect(unchecked.filter(([, { optional, os }]) => !optional || os === undefined)).toEqual([]);
    for (const [, { integrity = 'sha512-' }] of installed) expect(integrity).toMatch(/^sha512-/);
  });

  // npm 11 warns of scripts that are neither allowed nor denied. Binaries come with the packages: none has to run.
  it('denies the install scripts of all packages', () => {
    const manifest = path.replace('package-lock', 'package');
    const { allowScripts } = JSON.parse(readFileSync(new URL(`../${manifest}`, import.meta.url), 'utf8'));
    const scripted = installed.filter(([, { hasInstallScript }]) => hasInstallScript);
    const names = new Set(scripted.map(([location]) => location.replace(/^.*node_modules\//, '')));
    expect(allowScripts).toEqual(Object.fromEntries(Array.from(names, (name) => [name, false])));
  });

  it('names no registry', () => {
    expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });
});
