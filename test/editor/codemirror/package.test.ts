import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';

const ROOT = new URL('../../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, ROOT), 'utf8');

it('onwhere/codemirror exports the same names from ESM and CommonJS', async () => {
  const esm = Object.keys(await import(new URL('dist/codemirror.js', ROOT).href));
  const cjs = Object.keys(createRequire(import.meta.url)(new URL('dist/codemirror.cjs', ROOT).pathname));
  expect(esm).toContain('onwhere');
  expect(cjs.sort()).toEqual(esm.sort());
});

it('onwhere/codemirror imports only CodeMirror from the project', () => {
  const { peerDependencies, peerDependenciesMeta } = JSON.parse(read('package.json'));
  const texts = [read('dist/codemirror.js'), read('dist/codemirror.d.ts')];
  const imported = texts.flatMap((text) =>
    Array.from(text.matchAll(/\bfrom ?['"](?!\.\/)([^'"]+)['"]/g), ([, name]) => name),
  );
  expect(Object.keys(peerDependencies)).toEqual(expect.arrayContaining(imported));
  expect(Object.values(peerDependenciesMeta)).toEqual(Object.keys(peerDependencies).map(() => ({ optional: true })));
});
