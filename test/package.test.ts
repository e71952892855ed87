import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { check } from '../src/api/expressions.ts';
import { texts } from './garbage.ts';

const dist = new URL('../dist/', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, dist), 'utf8');

/** Returns the names of the values that a module of the build exports. */
async function namesIn(file: string): Promise<string[]> {
  return Object.keys(await import(new URL(file, dist).href)).sort();
}

/** Returns the names of the values that a declaration file exports. */
function namesTypedIn(file: string): string[] {
  const path = fileURLToPath(new URL(file, dist));
  const program = ts.createProgram([path], { module: ts.ModuleKind.NodeNext, noLib: true });
  const checker = program.getTypeChecker();
  const resolveAlias = (symbol: ts.Symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const source = program.getSourceFile(path);
  const module = source && checker.getSymbolAtLocation(source);
  const exported = module ? checker.getExportsOfModule(module) : [];
  return exported
    .filter((symbol) => resolveAlias(symbol).flags & ts.SymbolFlags.Value)
    .map(({ name }) => name)
    .sort();
}

const { exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

it.each([
  ['.', 'compileWhere'],
  ['./sql', 'toSql'],
  ['./translate', 'translate'],
  ['./filters', 'FilterSet'],
  ['./relate', 'relate'],
  ['./typed', 'filtersFor'],
  ['./monaco', 'registerOnwhere'],
  ['./core', 'compileWhere'],
  ['./conformance', 'runVectors'],
])('exports the same values of %s to programs and in the types', async (entry, one) => {
  const names = await namesIn(exports[entry].default.replace('./dist/', ''));
  expect(names).toContain(one);
  expect(namesTypedIn(exports[entry].types.replace('./dist/', ''))).toEqual(names);
});

it('gives the same diagnostics as the sources, although the build omits parts of Chevrotain', async () => {
  const built = await import(new URL('index.js', dist).href);
  fc.assert(
    fc.property(texts, (text) => {
      expect(built.check(text)).toEqual(check(text));
    }),
    { numRuns: 2_000 },
  );
});

it('exports from core.js only names of index.js that work in a page', async () => {
  const core = await namesIn('core.js');
  expect(core).toContain('compileWhere');
  expect(core).not.toContain('codegen');
  expect(await namesIn('index.js')).toEqual(expect.arrayContaining(core));
});

/** Returns the files that an entry loads, and the modules outside of the package that they import. */
function loadedBy(entry: string): { readonly files: readonly string[]; readonly others: readonly string[] } {
  const files = new Set([entry]);
  const others = new Set<string>();
  for (const file of files) {
    for (const [, path = ''] of read(file).matchAll(/^(?:import|export) (?:.*from )?'([^']+)';$/gm)) {
      if (path.startsWith('.')) files.add(posix.join(posix.dirname(file), path));
      else others.add(path);
    }
  }
  return { files: [...files], others: [...others] };
}

const codeOf = (entry: string) => loadedBy(entry).files.map(read).join('\n');

it('generates code in one place only, which core.js does not load', () => {
  expect(codeOf('index.js').match(/\bnew Function\(|\bFunction\(|\beval\(/g)).toHaveLength(1);
  expect(codeOf('core.js').match(/\bFunction\(|\beval\(/g)).toBeNull();
});

it('has no dependencies', () => {
  const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect(dependencies).toBeUndefined();
  for (const name of ['index', 'core', 'sql', 'translate', 'filters', 'relate', 'typed', 'monaco', 'element']) {
    expect(loadedBy(`${name}.js`).others).toEqual([]);
  }
  expect(loadedBy('conformance.js').others.every((name) => name.startsWith('node:'))).toBe(true);
});

it('has readable files with comments, and maps with the sources', () => {
  const { files } = loadedBy('index.js');
  expect(files).toEqual(expect.arrayContaining(['lang/syntax.js', 'lang/engines/closures.js', 'chevrotain.js']));
  for (const file of files) {
    expect(
      Math.max(
        ...read(file)
          .split('\n')
          .map(({ length }) => length),
      ),
    ).toBeLessThan(5_000);
    const { sources, sourcesContent } = JSON.parse(read(`${file}.map`));
    expect(sourcesContent).toHaveLength(sources.length);
  }
  expect(read('api.js')).toMatch(/\n \* @throws as .*?\*\/\nfunction compileWhere\(/s);
});

it('says that its copy of Chevrotain is changed, and under which licence it is', () => {
  for (const file of ['chevrotain.js', 'THIRD-PARTY-NOTICES.txt']) {
    expect(read(file)).toMatch(/chevrotain.{0,200}Changed for onwhere/is);
  }
});

it('leads from a type to its source', () => {
  const file = exports['.'].types.replace('./dist/', '').replace(/[^/]+$/, 'expressions.d.ts');
  const { sources } = JSON.parse(read(`${file}.map`));
  const source = new URL(sources[0], new URL(file, dist));
  expect(source.href).toBe(new URL('../src/api/expressions.ts', import.meta.url).href);
});

it('lists the same bundled packages in the SBOM and in the notices', () => {
  const { bomFormat, specVersion, components } = JSON.parse(read('sbom.cdx.json'));
  expect([bomFormat, specVersion]).toEqual(['CycloneDX', '1.6']);
  const listed = components.map(({ name, version }: Record<string, string>) => `${name} ${version}`);
  const notices = Array.from(read('THIRD-PARTY-NOTICES.txt').matchAll(/^={80}\n(\S+ \S+) \(/gm), ([, one]) => one);
  expect(listed.toSorted()).toEqual(notices.toSorted());
  for (const { name, version, purl, hashes, licenses } of components) {
    expect(purl).toBe(`pkg:npm/${name.replace('@', '%40')}@${version}`);
    expect(hashes).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[\da-f]{128}$/) }]);
    expect(licenses[0].expression).toMatch(/^[\w.-]+$/);
  }
  // Only tests would use it, and it requires a newer Node.js.
  expect(listed.filter((one: string) => /^(?:light-my-request|cookie) /.test(one))).toEqual([]);
});

it('names the packages that the command line bundles, with their licences', () => {
  const packages = read('THIRD-PARTY-NOTICES.txt').matchAll(/^={80}\n(\S+) \S+ \((.*)\)$/gm);
  const licences = new Map(Array.from(packages, ([, name = '', licence = '']) => [name, licence]));
  const used = ['@clickhouse/client', '@fastify/swagger', 'commander', 'csv-parse', 'fastify', 'pino'];
  used.push('chevrotain', 'prom-client', 'selfsigned', 'vscode-languageserver');
  expect([...licences.keys()]).toEqual(expect.arrayContaining(used));
  // All of these allow distribution in a build with a notice.
  const allowed = ['0BSD', 'Apache-2.0', 'BSD-3-Clause', 'ISC', 'MIT'];
  expect([...licences].filter(([, licence]) => !allowed.includes(licence))).toEqual([]);
});
