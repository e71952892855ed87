import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Entry {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly optional?: true;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly os?: readonly string[];
  readonly hasInstallScript?: true;
  readonly engines?: { readonly node?: string };
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly overrides?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly allowScripts?: Readonly<Record<string, false>>;
}

const read = (path: string) => JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'));

const FOLDERS = [
  '.',
  'bench',
  'docs',
  'scripts/checks',
  'scripts/line-walker',
  'test',
  'test/clickhouse',
  'test/nodes',
];

describe.each(FOLDERS)('the packages of %s', (folder) => {
  const manifest: Manifest = read(`${folder}/package.json`);
  const { packages }: { readonly packages: Readonly<Record<string, Entry>> } = read(`${folder}/package-lock.json`);
  const installed = Object.entries(packages).filter(([name]) => name !== '');

  it('have an integrity, except binaries of other platforms', () => {
    const unchecked = installed.filter(([, { integrity }]) => integrity === undefined);
    expect(unchecked.filter(([, { optional, os }]) => !optional || os === undefined)).toEqual([]);
    for (const [, { integrity = 'sha512-' }] of installed) expect(integrity).toMatch(/^sha512-/);
  });

  // npm 11 warns of scripts that are neither allowed nor denied. Binaries come with the packages: none has to run.
  it('may not run install scripts', () => {
    const scripted = installed.filter(([, { hasInstallScript }]) => hasInstallScript);
    const names = new Set(scripted.map(([location]) => location.replace(/^.*node_modules\//, '')));
    expect(manifest.allowScripts ?? {}).toEqual(Object.fromEntries(Array.from(names, (name) => [name, false])));
  });

  // npm leaves binaries of other platforms out of a lock that it writes from scratch, and then refuses to install it.
  it('are all locked', () => {
    const locked = new Set(installed.map(([location]) => location.replace(/^.*node_modules\//, '')));
    const needed = Object.values(packages).flatMap(({ dependencies, optionalDependencies }) =>
      Object.keys({ ...dependencies, ...optionalDependencies }),
    );
    expect(needed.filter((name) => !locked.has(name))).toEqual([]);
  });

  it('have exact versions', () => {
    const { dependencies, devDependencies, overrides = {} } = manifest;
    const versions = [{ ...dependencies, ...devDependencies }, ...Object.values(overrides)].flatMap(Object.values);
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });

  it('are locked without a registry, and stay so when npm writes the lock again', () => {
    expect(readFileSync(new URL(`../${folder}/.npmrc`, import.meta.url), 'utf8')).toMatch(
      /^omit-lockfile-registry-resolved=true$/m,
    );
    expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });
});

it('packages of several folders have one version', () => {
  const versions = FOLDERS.flatMap((folder) => {
    const { dependencies, devDependencies }: Manifest = read(`${folder}/package.json`);
    return Object.entries({ ...dependencies, ...devDependencies });
  });
  expect(versions.filter(([name, version]) => versions.some((one) => one[0] === name && one[1] !== version))).toEqual(
    [],
  );
});

// Chevrotain asks for Node.js 22 or later, but the part of it that onwhere uses runs on 20, as all tests there show.
// `npm install` writes its `engines` again. Delete them: with them, `npm ci` warns everybody who has Node.js 20.
it('asks for no Node.js for Chevrotain', () => {
  expect(read('package-lock.json').packages['node_modules/chevrotain']).not.toHaveProperty('engines');
});
