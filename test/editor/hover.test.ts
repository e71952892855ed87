import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate, format } from '../../src/api/expressions.ts';
import { hover } from '../../src/editor/hover.ts';
import type { Schema } from '../../src/lang/check/schema.ts';
import { getTypeName } from '../../src/lang/value.ts';
import { records, sources } from '../arbitraries.ts';

const schema: Schema = {
  properties: { plan: { types: ['string'], description: 'What is paid for.', values: ['pro'] } },
};

describe('hover', () => {
  const source = 'properties["plan"] == "pro"  and (floor(user["age"]) > 1)';

  it.each([
    ['properties', 'properties["plan"]', ['string', 'undefined'], 'What is paid for.\n\nValues: `"pro"`'],
    ['==', 'properties["plan"] == "pro"', ['boolean'], 'True if two values have the same type'],
    ['"pro"', '"pro"', ['string'], undefined],
    ['and', 'properties["plan"] == "pro" and floor(user["age"]) > 1', ['boolean'], 'True if every operand is true'],
    ['floor', 'floor(user["age"])', ['number', 'undefined'], '`floor('],
    ['user', 'user["age"]', ['string', 'number', 'boolean', 'null', 'undefined', 'list'], undefined],
  ])('describes %s', (at, code, types, documentation) => {
    const found = hover(source, source.indexOf(at), schema);
    expect(found).toMatchObject({ code, types });
    if (documentation === undefined) expect(found).not.toHaveProperty('documentation');
    else expect(found?.documentation).toContain(documentation);
  });

  it('formats values with backticks as code', () => {
    const values = ['a`b', '``', '` ![](https://example.com)'];
    const found = hover('event["x"]', 0, { properties: { x: { types: ['string'], values } } });
    expect(found?.documentation).toBe('Values: `` "a`b" ``, ``` "``" ```, `` "` ![](https://example.com)" ``');
  });

  it('returns undefined outside of an expression and after a syntax error', () => {
    expect([hover(' 1 ', 0), hover(' 1 ', 2), hover('1', 1), hover('1 +', 0), hover('', 0)]).toEqual(
      Array(5).fill(undefined),
    );
  });

  it('prints an expression with the same meaning as the source', () => {
    fc.assert(
      fc.property(sources, fc.nat(), records, ({ source: text }, at, { properties, user }) => {
        const found = hover(text, at % text.length);
        if (found === undefined) return;
        const written = text.slice(found.span.start, found.span.end);
        expect(found.code).not.toMatch(/[\r\n]/);
        expect(format(found.code)).toBe(format(written));
        try {
          expect(found.types).toContain(getTypeName(evaluate(found.code, properties, user)));
        } catch (error) {
          expect((error as Error).name).toBe('ExpressionTypeError');
        }
      }),
    );
  });
});
