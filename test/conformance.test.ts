import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { tryParse } from '../src/lang/syntax/parse.ts';
import { ENGINES, outcome } from './engines.ts';
import { VECTOR_FILES, type Vector, vectorsIn } from './vectors.ts';

/** Evaluates a vector and returns the result in the format of `expect`. */
function evaluate(engine: string, { expr, props, user, now, timeZone, where = false }: Vector): Vector['expect'] {
  const { tree } = tryParse(expr);
  if (tree === undefined) return { error: 'syntax' };
  const prepare = ENGINES[engine];
  if (prepare === undefined) throw new Error(`Unknown engine ${engine}`);
  const result = outcome(prepare(expr, tree, where, timeZone), { properties: props, user, now });
  if (!('value' in result)) return { error: 'type' };
  return result.value === undefined ? { undefined: true } : { value: result.value };
}

describe.each(Object.keys(ENGINES))('%s passes the vectors', (engine) => {
  for (const file of VECTOR_FILES) {
    // One test for each file: a test for each of the thousands of vectors would take longer than evaluating them.
    it(file, () => {
      const differences = vectorsIn(file).flatMap((vector) => {
        const got = evaluate(engine, vector);
        return isDeepStrictEqual(got, vector.expect) ? [] : [{ ...vector, got }];
      });
      expect(differences).toEqual([]);
    });
  }
});
