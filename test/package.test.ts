import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
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

const require = createRequire(import.meta.url);
const required = (file: string) => require(new URL(file, dist).pathname);

it.each([
  ['index', 'compileWhere'],
  ['sql', 'toSql'],
  ['translate', 'translate'],
  ['filters', 'FilterSet'],
])('exports the same names of %s to ESM, to CommonJS and in the types', async (entry, one) => {
  const esm = await namesIn(`${entry}.js`);
  expect(esm).toContain(one);
  expect(Object.keys(required(`${entry}.cjs`)).sort()).toEqual(esm);
  expect(namesTypedIn(`${entry}.d.ts`)).toEqual(esm);
});

it('has one class of each error in all entries', async () => {
  const load = (file: string) => import(new URL(file, dist).href);
  for (const [index, sql] of [
    [await load('index.js'), await load('sql.js')],
    [required('index.cjs'), required('sql.cjs')],
  ]) {
    expect(() => sql.toSql('1 +', sql.duckdb, { table: 'events', properties: {} })).toThrow(
      index.ExpressionSyntaxError,
    );
  }
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
  expect(namesTypedIn('core.d.ts')).toEqual(core);
});

it.each(['index.js', 'index.cjs'])('%s generates code in one place only', (file) => {
  expect(read(file).match(/\bFunction\(|\beval\b/g)).toEqual(['Function(']);
});

it('core.js never generates code', () => {
  expect(read('core.js').match(/\bFunction\(|\beval\b/g)).toBeNull();
});

it('has no dependencies', () => {
  const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect(dependencies).toBeUndefined();
  expect(read('core.js')).not.toMatch(/\bfrom ?['"]|\bimport\b/);
  for (const file of ['index.js', 'sql.js', 'translate.js', 'filters.js'])
    expect(read(file)).not.toMatch(/\bfrom ?['"](?!\.\/)|\bimport\(/);
  for (const file of [
    'index.d.ts',
    'index.d.cts',
    'core.d.ts',
    'sql.d.ts',
    'sql.d.cts',
    'translate.d.ts',
    'filters.d.ts',
  ]) {
    expect(read(file)).not.toMatch(/\bfrom ['"](?!\.)|\bimport\(/);
  }
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
  used.push('chevrotain', 'prom-client', 'selfsigned', 'sql-formatter', 'vscode-languageserver');
  expect([...licences.keys()]).toEqual(expect.arrayContaining(used));
  // All of these allow distribution in a build with a notice.
  const allowed = ['0BSD', 'Apache-2.0', 'BSD-3-Clause', 'ISC', 'MIT'];
  expect([...licences].filter(([, licence]) => !allowed.includes(licence))).toEqual([]);
});
