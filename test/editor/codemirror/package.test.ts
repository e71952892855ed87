import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';

const ROOT = new URL('../../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, ROOT), 'utf8');

it('onwhere/codemirror can be imported and required', async () => {
  const imported = Object.keys(await import(new URL('dist/codemirror.js', ROOT).href));
  expect(imported).toContain('onwhere');
  expect(Object.keys(createRequire(import.meta.url)(new URL('dist/codemirror.js', ROOT).pathname))).toEqual(imported);
});

it('onwhere/codemirror imports only CodeMirror from the project', () => {
  const { peerDependencies, peerDependenciesMeta } = JSON.parse(read('package.json'));
  const texts = ['codemirror.js', 'editor/codemirror.js', 'editor/codemirror/onwhere.d.ts'].map((file) =>
    read(`dist/${file}`),
  );
  const imported = texts.flatMap((text) =>
    Array.from(text.matchAll(/\bfrom ?['"](?!\.)([^'"]+)['"]/g), ([, name]) => name),
  );
  expect(Object.keys(peerDependencies)).toEqual(expect.arrayContaining(imported));
  expect(Object.values(peerDependenciesMeta)).toEqual(Object.keys(peerDependencies).map(() => ({ optional: true })));
});
