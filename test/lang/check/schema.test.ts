import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check, compile } from '../../../src/api/expressions.ts';
import { inferSchema } from '../../../src/lang/check/infer-schema.ts';
import {
  addValue,
  createPropertyStats,
  mergePropertyStats,
  toPropertySchema,
} from '../../../src/lang/check/property-stats.ts';
import { readSchema } from '../../../src/lang/check/read-schema.ts';
import type { PropertySchema } from '../../../src/lang/check/schema.ts';
import { property, quote } from '../../../src/lang/syntax/template.ts';
import { getTypeName, readProperty, type Value } from '../../../src/lang/value.ts';
import { anyValue } from '../../arbitraries.ts';
import { runs } from '../../runs.ts';

function propertyOf(jsonSchema: unknown): PropertySchema | undefined {
  return readSchema({ type: 'object', properties: { a: jsonSchema } }).properties?.a;
}

describe('readSchema', () => {
  it('reads both parts of a schema', () => {
    const json = JSON.parse(
      '{"properties": {"__proto__": {"types": ["string"]}, "a": {"types": []}}, "user": {}, "more": 1}',
    );
    const schema = readSchema(json);
    expect(compile('properties["__proto__"]', { schema }).types).toEqual(['string', 'undefined']);
    expect(compile('properties["a"]', { schema }).types).toEqual(['undefined']);
    expect(readSchema({})).toEqual({});
  });

  it('keeps values and descriptions, and ignores other members', () => {
    const plan = { types: ['string'], values: ['free', 1, true], description: 'What is paid for.' };
    expect(readSchema({ user: { plan: { ...plan, count: 3 } } })).toEqual({ user: { plan } });
  });

  it.each([
    [null, 'A schema must be an object'],
    [[], 'A schema must be an object'],
    ['x', 'A schema must be an object'],
    [{ properties: [] }, '`properties` in the schema'],
    [{ user: 1 }, '`user` in the schema'],
    [{ properties: { a: 1 } }, '`types` must be an array of string, number'],
    [{ properties: { a: { types: 'string' } } }, '"a" in the schema: `types`'],
    [{ properties: { a: { types: ['text'] } } }, '`types` must be an array'],
    [{ properties: { a: { types: [], values: 'x' } } }, '`values` must be an array'],
    [{ properties: { a: { types: [], values: [null] } } }, '`values` must be an array'],
    [{ properties: { a: { types: [], description: 1 } } }, '`description` must be a string'],
  ])('refuses %j', (json, message) => {
    expect(() => readSchema(json)).toThrow(TypeError);
    expect(() => readSchema(json)).toThrow(message);
  });
});

describe('readSchema of a JSON Schema', () => {
  const $defs = {
    plan: { enum: ['free', 'pro'] },
    'a/b': { type: 'number' },
    'a~1b': { type: 'null' },
    loop: { $ref: '#/$defs/loop' },
  };

  it.each<[unknown, PropertySchema]>([
    [{ type: 'string' }, { types: ['string'] }],
    [
      { type: 'integer', description: 'Years.' },
      { types: ['number'], description: 'Years.' },
    ],
    [{ type: ['string', 'null'] }, { types: ['string', 'null'] }],
    [{ type: 'object', properties: { b: { type: 'string' } } }, { types: [] }],
    [{ enum: ['a', 1, null] }, { types: ['string', 'number', 'null'], values: ['a', 1] }],
    [
      { type: 'string', enum: ['a', 1] },
      { types: ['string'], values: ['a'] },
    ],
    [{ const: true }, { types: ['boolean'], values: [true] }],
    [{ type: 'array' }, { types: ['list'] }],
    [
      { type: 'array', items: { enum: ['a', 'b'] } },
      { types: ['list'], values: ['a', 'b'] },
    ],
    [{ type: ['array', 'string'], items: { enum: ['a'] } }, { types: ['string', 'list'] }],
    [{ enum: ['a', ['b']] }, { types: ['string', 'list'] }],
    [{ anyOf: [{ const: 'a' }, { const: 2 }] }, { types: ['string', 'number'], values: ['a', 2] }],
    [{ oneOf: [{ const: 'a' }, { type: 'string' }] }, { types: ['string'] }],
    [{ anyOf: [{ const: 'a' }, { type: 'null' }] }, { types: ['string', 'null'], values: ['a'] }],
    [{ allOf: [{ type: ['string', 'null'] }, { enum: ['a', 5] }] }, { types: ['string'], values: ['a'] }],
    [
      { allOf: [{ anyOf: [{ const: 'a' }, { type: 'array', items: { const: 1 } }] }, {}] },
      { types: ['string', 'list'], values: ['a', 1] },
    ],
    [{ type: 'string', nullable: true }, { types: ['string', 'null'] }],
    [true, { types: ['string', 'number', 'boolean', 'null', 'list'] }],
    [{}, { types: ['string', 'number', 'boolean', 'null', 'list'] }],
    [false, { types: [] }],
    [{ type: 'strnig' }, { types: ['string', 'number', 'boolean', 'null', 'list'] }],
    [{ pattern: '^a' }, { types: ['string', 'number', 'boolean', 'null', 'list'] }],
    [{ $ref: 'https://example.com/schema.json' }, { types: ['string', 'number', 'boolean', 'null', 'list'] }],
    [{ $ref: '#/$defs/plan' }, { types: ['string'], values: ['free', 'pro'] }],
    [{ $ref: '#/$defs/a~1b' }, { types: ['number'] }],
    [{ $ref: '#/$defs/a~01b' }, { types: ['null'] }],
    [{ $ref: '#/$defs/a~1b%' }, { types: ['string', 'number', 'boolean', 'null', 'list'] }],
    [{ $ref: '#/$defs/none' }, { types: ['string', 'number', 'boolean', 'null', 'list'] }],
    [{ $ref: '#/$defs/loop' }, { types: ['string', 'number', 'boolean', 'null', 'list'] }],
  ])('reads %j', (json, known) => {
    expect(readSchema({ type: 'object', $defs, properties: { a: json } })).toEqual({ properties: { a: known } });
  });

  it('finds properties in all alternatives', () => {
    const schema = readSchema({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $defs: { view: { properties: { page: { type: 'string' }, plan: { const: 'free' } } } },
      properties: { plan: { const: 'pro' } },
      oneOf: [{ $ref: '#/$defs/view' }, { allOf: [{ properties: { price: { type: 'number' } } }] }],
    });
    expect(schema.properties).toEqual({
      plan: { types: ['string'], values: ['pro', 'free'] },
      page: { types: ['string'] },
      price: { types: ['number'] },
    });
  });

  it('reads it as a part of a schema', () => {
    const part = { type: 'object', properties: { age: { type: 'number' } } };
    expect(readSchema({ properties: part, user: part })).toEqual({
      properties: { age: { types: ['number'] } },
      user: { age: { types: ['number'] } },
    });
  });

  it('ends if the schema refers to itself', () => {
    expect(readSchema({ $ref: '#', properties: { a: { $ref: '#/properties/a' } } }).properties).toHaveProperty('a');
  });

  it.each(['allOf', 'anyOf', 'oneOf'])('reads a definition once that many references in %s share', (keyword) => {
    const twice = (name: string) => ({ [keyword]: [{ $ref: `#/$defs/${name}` }, { $ref: `#/$defs/${name}` }] });
    const chain = Array.from({ length: 30 }, (_, index) => [`${index}`, twice(`${index + 1}`)]);
    const inEachOther = ['a', 'b', 'c', 'd'].map((name) => [name, { [keyword]: ['a', 'b', 'c', 'd'].map(twice) }]);
    const price = { properties: { price: { type: 'number' } }, type: ['object', 'number'] };
    const $defs = { ...Object.fromEntries([...chain, ...inEachOther]), 30: price };
    const { properties } = readSchema({ ...twice('0'), properties: { all: twice('0'), loop: twice('a') }, $defs });
    expect(properties).toEqual({
      price: { types: ['number'] },
      all: { types: ['number'] },
      loop: { types: ['string', 'number', 'boolean', 'null', 'list'] },
    });
  });

  it('allows every value that the JSON Schema allows', () => {
    const scalar = fc.oneof(fc.constantFrom('a', 'b', 1, 2, true, null));
    const described: fc.Arbitrary<{ json: object; value: unknown }> = fc.letrec((tie) => ({
      schema: fc.oneof(
        { depthSize: 'small' },
        fc.array(scalar, { minLength: 1 }).map((values) => ({ json: { enum: values }, value: values[0] })),
        fc.constantFrom<{ json: object; value: unknown }>(
          { json: { type: 'string' }, value: 'x' },
          { json: { type: ['number', 'null'] }, value: null },
          { json: { type: 'boolean' }, value: false },
          { json: {}, value: [1] },
        ),
        fc.tuple(tie('schema'), tie('schema')).map(([one, other]) => {
          const [first, second] = [one, other] as { json: object; value: unknown }[];
          return { json: { anyOf: [second?.json, first?.json] }, value: first?.value };
        }),
        tie('schema').map((inner) => {
          const { json, value } = inner as { json: object; value: unknown };
          return { json: { allOf: [json, {}], description: 'x' }, value };
        }),
        tie('schema').map((inner) => {
          const { json, value } = inner as { json: object; value: unknown };
          return { json: { type: 'array', items: json }, value: [value] };
        }),
      ),
    })).schema as fc.Arbitrary<{ json: object; value: unknown }>;
    fc.assert(
      fc.property(described, ({ json, value }) => {
        const known = propertyOf(json) as PropertySchema;
        const read = readProperty({ a: value }, 'a');
        expect(known.types).toContain(getTypeName(read));
        for (const scalar of Array.isArray(read) ? read : [read]) {
          if (known.values && scalar !== null) expect(known.values).toContain(scalar);
        }
      }),
      { numRuns: runs(2_000) },
    );
  });
});

describe('inferSchema', () => {
  it('finds types, and values if they are few and repeat', () => {
    const records = Array.from({ length: 100 }, (_, index) => ({
      properties: { plan: ['pro', 'free', null][index % 3], id: `u${index}`, tags: ['b', index % 2], level: index % 4 },
    }));
    expect(inferSchema(records)).toEqual({
      properties: {
        plan: { types: ['string', 'null'], values: ['free', 'pro'] },
        id: { types: ['string'] },
        tags: { types: ['list'], values: ['b', 0, 1] },
        level: { types: ['number'], values: [0, 1, 2, 3] },
      },
    });
  });

  it('finds up to 20 values of up to 64 characters if each occurs five times on average', () => {
    const near = (limit: number) => fc.integer({ min: limit - 1, max: limit + 1 });
    fc.assert(
      fc.property(near(20), near(5), near(64), (different, times, length) => {
        const values = Array.from({ length: different }, (_, index) => `${index}`.padEnd(length, 'x'));
        const records = Array.from({ length: times }, () => values.map((a) => ({ properties: { a } }))).flat();
        const isKnown = different <= 20 && times >= 5 && length <= 64;
        expect(inferSchema(records).properties?.a?.values).toEqual(isKnown ? values.sort() : undefined);
      }),
    );
  });

  it('returns the same schema for merged parts as for the whole', () => {
    const value = fc.oneof(fc.integer({ min: 0, max: 30 }), fc.constantFrom('a', 'x'.repeat(65), null, true, ['a', 1]));
    const part = fc.array(value, { maxLength: 40, size: 'max' });
    const seenIn = (values: readonly Value[]) => {
      const stats = createPropertyStats();
      for (const value of values) addValue(stats, value);
      return stats;
    };
    fc.assert(
      fc.property(part, part, fc.integer({ min: 1, max: 9 }), (one, other, times) => {
        const [first, second] = [one, other].map((values) => Array.from({ length: times }, () => values).flat());
        const together = seenIn(first ?? []);
        mergePropertyStats(together, seenIn(second ?? []));
        expect(toPropertySchema(together)).toEqual(toPropertySchema(seenIn([...(first ?? []), ...(second ?? [])])));
      }),
      { numRuns: runs(300) },
    );
  });

  it('lists no values if they hardly repeat', () => {
    expect(inferSchema([{ properties: { plan: 'pro' } }])).toEqual({ properties: { plan: { types: ['string'] } } });
  });

  it('lists no values if one is a long string', () => {
    const records = Array.from({ length: 50 }, () => ({ properties: { body: 'x'.repeat(1000) } }));
    expect(inferSchema(records)).toEqual({ properties: { body: { types: ['string'] } } });
  });

  it('refuses records without properties', () => {
    const clumsy = [{ plan: 'pro' }] as unknown as { properties: object }[];
    expect(() => inferSchema(clumsy as never)).toThrow('`records[0].properties` must be an object, not undefined');
  });

  it('describes users if a record has one', () => {
    expect(inferSchema([{ properties: {} }, { properties: {}, user: { age: 1 } }])).toEqual({
      properties: {},
      user: { age: { types: ['number'] } },
    });
  });

  it('returns a schema that never warns of values of the records', () => {
    const name = fc.constantFrom('a', 'b', '__proto__', 'a "quoted" one');
    const record = fc.array(fc.tuple(name, anyValue)).map((entries) => ({ properties: Object.fromEntries(entries) }));
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 60 }), fc.nat({ max: 6 }), (records, times) => {
        const all = Array.from({ length: times + 1 }, () => records).flat();
        const schema = inferSchema(all);
        for (const { properties } of records) {
          for (const key of Object.keys(properties)) {
            const value = readProperty(properties, key);
            if (!['string', 'number', 'boolean'].includes(typeof value)) continue;
            if (typeof value === 'string' && /\p{Surrogate}/u.test(value)) continue;
            const source = `${property(key)} == ${quote(value as string)}`;
            expect(check(source, { schema, use: 'where' }).diagnostics).toEqual([]);
          }
        }
      }),
    );
  });
});
