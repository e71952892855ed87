import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { check } from '../../../src/api/expressions.ts';
import { USES } from '../../../src/lang/check/check.ts';
import type { Schema } from '../../../src/lang/check/schema.ts';
import { OPERATORS } from '../../../src/lang/operators/table.ts';
import { IN_FULL, runs } from '../../runs.ts';
import { runCli } from '../run-cli.ts';
import { type Draw, drawSentence, readGbnf } from './gbnf.ts';

const written = readFileSync(new URL('../../../grammar/onwhere.gbnf', import.meta.url), 'utf8');

const SCHEMA: Schema = {
  properties: {
    plan: { types: ['string', 'null'], values: ['free', 'pro'] },
    'a "quoted" \\ näme]': { types: ['number'] },
    is_gift: { types: ['boolean'] },
    tags: { types: ['list'], values: ['new'] },
  },
  user: { age: { types: ['number', 'string'] } },
};

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-grammar-'));
  writeFileSync(join(folder, 'schema.json'), JSON.stringify(SCHEMA));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns a source of random numbers that repeats for a seed (mulberry32). */
function drawFrom(seed: number): Draw {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draws sentences and returns the first one that fails a test, with the seed that draws it. */
function findFailure(grammar: string, count: number, holds: (source: string) => boolean): string | undefined {
  const rules = readGbnf(grammar);
  for (let seed = 0; seed < count; seed++) {
    const source = drawSentence(rules, drawFrom(seed));
    if (!holds(source)) return `seed ${seed}: ${source}`;
  }
  return undefined;
}

describe('the grammar for constrained decoding', () => {
  it('has only sentences that check accepts as filters', () => {
    expect(
      findFailure(written, runs(IN_FULL ? 100_000 : 10_000), (source) => check(source, { use: 'where' }).ok),
    ).toBeUndefined();
  });

  it('would fail this test with an operand of another type', () => {
    const untyped = written.replace('root ::= boolean-or-3', 'root ::= number-3 " and " number-3');
    expect(findFailure(untyped, 200, (source) => check(source, { use: 'where' }).ok)).toBeDefined();
  });

  it('has every operator and every function', () => {
    for (const { name } of OPERATORS)
      expect(written).toMatch(new RegExp(`" ?${name.replace(/[*+/%-]/g, '\\$&')}[ ("]`));
  });

  it.each(USES)('with --use %s has only sentences that check accepts for that use', async (use) => {
    const { code, out } = await runCli(['grammar', '--use', use]);
    expect(code).toBe(0);
    expect(findFailure(out, 500, (source) => check(source, { use }).ok)).toBeUndefined();
  });

  it('with --schema reads known properties only, each where its types fit', async () => {
    const { out } = await runCli(['grammar', '--schema', join(folder, 'schema.json')]);
    const read = new Set<string>();
    const holds = (source: string) => {
      const { ok, properties, diagnostics } = check(source, { use: 'where', schema: SCHEMA });
      for (const { scope, name } of properties) read.add(`${scope} ${name}`);
      return ok && diagnostics.every(({ code }) => code !== 'unknown-property');
    };
    expect(findFailure(out, runs(IN_FULL ? 10_000 : 2_000), holds)).toBeUndefined();
    expect([...read].sort()).toEqual([
      'properties a "quoted" \\ näme]',
      'properties is_gift',
      'properties plan',
      'properties tags',
      'user age',
    ]);
    expect(out).not.toContain('properties[" string');
  });

  it('has the same rules in Lark', async () => {
    const { out } = await runCli(['grammar', '--format', 'lark']);
    const names = (text: string, define: string) =>
      [...text.matchAll(new RegExp(`^(\\S+) ?${define} `, 'gm'))].map(([, name = '']) => name.replaceAll('_', '-'));
    const terminals = ['string', 'character', 'code-unit', 'hexadecimal', 'number', 'date', 'time'];
    const gbnf = names(written, '::=').filter((name) => !terminals.includes(name));
    expect(names(out, ':')).toEqual(
      [...gbnf.map((name) => (name === 'root' ? 'start' : name)), 'STRING:', 'NUMBER:', 'DATE:'].map((name) =>
        name.replace(/:$/, ''),
      ),
    );
  });

  it('names a schema that cannot be read', async () => {
    expect(await runCli(['grammar', '--schema', 'no-such.json'])).toMatchObject({ code: 3, out: '' });
  });
});
