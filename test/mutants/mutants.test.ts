import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { applyMutant } from './mutant.ts';
import { MUTANTS } from './mutants.ts';

const ROOT = new URL('../../', import.meta.url);
const readSource = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

it.each(MUTANTS)('$file can be mutated: $about', (mutant) => {
  expect(applyMutant(readSource(mutant.file), mutant)).not.toBe(readSource(mutant.file));
  expect(mutant.test).toMatch(/\.test\.ts$/);
  expect(readSource(mutant.test)).not.toBe('');
});

it('mutants cover the language, its engines, SQL and the service', () => {
  expect(MUTANTS.length).toBeGreaterThanOrEqual(60);
  const places = new Set(MUTANTS.map(({ file }) => /^src\/\w+(\/\w+)?/.exec(file)?.[0]));
  const wanted = ['operators', 'check', 'plan', 'engines', 'filters', 'explain', 'relate', 'form', 'foreign'];
  for (const place of [...wanted.map((name) => `lang/${name}`), 'service/analytics', 'service/store', 'service/server'])
    expect(places).toContain(`src/${place}`);
});
