import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { tryParse } from '../src/syntax/parse.ts';
import { ENGINES, type Input, outcome } from './engines.ts';

interface Vector {
  readonly id: string;
  readonly expr: string;
  readonly props: Input['properties'];
  readonly user?: Input['user'];
  readonly now?: number;
  readonly where?: boolean;
  readonly expect: { readonly value?: unknown; readonly undefined?: true; readonly error?: 'syntax' | 'type' };
}

const folder = new URL('./conformance/', import.meta.url);

function vectorsIn(file: string): Vector[] {
  const lines = readFileSync(new URL(file, folder), 'utf8').split('\n');
  // The vectors write -0.0 here and there; negative zero is not told apart from zero.
  const zero = (_: string, value: unknown) => (value === 0 ? 0 : value);
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line, zero) as Vector);
}

/** The answer in the words of the vectors. */
function answer(engine: string, { expr, props, user, now, where = false }: Vector): Vector['expect'] {
  const { tree } = tryParse(expr);
  if (tree === undefined) return { error: 'syntax' };
  const prepare = ENGINES[engine];
  if (prepare === undefined) throw new Error(`There is no engine ${engine}`);
  const result = outcome(prepare(expr, tree, where), { properties: props, user, now });
  if (!('value' in result)) return { error: 'type' };
  return result.value === undefined ? { undefined: true } : { value: result.value };
}

describe.each(Object.keys(ENGINES))('%s answers the vectors', (engine) => {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.ndjson'))) {
    describe(file, () => {
      it.each(vectorsIn(file).map((vector) => [vector.id, vector] as const))('%s', (_, vector) => {
        expect(answer(engine, vector)).toEqual(vector.expect);
      });
    });
  }
});
