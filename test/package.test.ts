import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';

const dist = new URL('../dist/', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, dist), 'utf8');

it('exports the same names to ESM, to CommonJS and in the types', async () => {
  const esm = Object.keys(await import(new URL('index.js', dist).href)).sort();
  const cjs = Object.keys(createRequire(import.meta.url)(new URL('index.cjs', dist).pathname)).sort();
  const [, listed = ''] = /export \{([^}]*)\};\s*$/.exec(read('index.d.ts')) ?? [];
  const names = listed.split(',').map((name) => name.trim());
  const typed = names.filter((name) => !name.startsWith('type ')).sort();
  expect(esm).toContain('compileWhere');
  expect(cjs).toEqual(esm);
  expect(typed).toEqual(esm);
});

it.each(['index.js', 'index.cjs'])('%s makes code from text in one place, the engine that is asked for it', (file) => {
  expect(read(file).match(/\bFunction\(|\beval\b/g)).toEqual(['Function(']);
  expect(read(file)).toMatch(/codegen\b.*\bnew Function\(/s);
});

it('depends on nothing', () => {
  const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect(dependencies).toBeUndefined();
  expect(read('index.js')).not.toMatch(/\bfrom ['"]/);
});

it('names what the command line bundles, with its licence', () => {
  const packages = read('THIRD-PARTY-NOTICES.txt').matchAll(/^={80}\n(\S+) \S+ \((.*)\)$/gm);
  expect(Array.from(packages, ([, name, licence]) => [name, licence])).toEqual([
    ['commander', 'MIT'],
    ['csv-parse', 'MIT'],
  ]);
});
