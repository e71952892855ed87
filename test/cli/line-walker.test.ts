import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PartialJson } from '../../src/cli/input/partial-json.ts';
import { codePoint } from '../code-point.ts';
import { runs, splitRuns } from '../runs.ts';

const PARENTS = ['properties', '$properties'];
const NAMES = ['a', 'b', 'event', 'properties', 'é', '日本', 'say "hi"', 'constructor', ''];

function read(text: string, names: readonly string[] = NAMES): Record<string, unknown> | undefined {
  const before = '{"a":"line before"}\n';
  const bytes = Buffer.from(`${before}${text}\n"}`);
  return new PartialJson(names, PARENTS).read(bytes, Buffer.byteLength(before));
}

/** Picks the wanted properties from the result of `JSON.parse`. */
function pickProperties(json: unknown, names: readonly string[], outermost = true): unknown {
  const wanted = Object.entries(json as object).filter(([name]) => [...names, ...PARENTS].includes(name));
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  const values = wanted.map(([name, value]) => {
    if (!isObject(value)) return [name, value];
    return [name, outermost && PARENTS.includes(name) ? pickProperties(value, names, false) : {}];
  });
  return Object.fromEntries(values);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const string = fc.oneof(fc.constantFrom(...NAMES), fc.string({ unit: codePoint, maxLength: 4 }));

/** Unusual but valid JSON: needless escapes, white space, repeated names, numbers in any form. */
const { value } = fc.letrec<{ value: string; object: string }>((tie) => {
  const space = fc.constantFrom('', '', ' ', '\t', '  ', '\r');
  const escaped = string.map((text) => {
    return `"${[...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;
  });
  const written = fc.oneof({ weight: 6, arbitrary: string.map((text) => JSON.stringify(text)) }, escaped);
  const number = fc.oneof(
    fc.constantFrom(
      '0',
      '-0',
      '12',
      '-7',
      '1.50',
      '1e3',
      '2E-2',
      '123456789012345',
      '1234567890123456',
      '1e999',
      '0.1e+1',
    ),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  );
  const member = fc.tuple(written, tie('value')).map(([name, value]) => `${name}:${value}`);
  const list = (item: fc.Arbitrary<string>, open: string, close: string) =>
    fc
      .tuple(fc.array(item, { maxLength: 6 }), space, space)
      .map(([items, before, after]) => `${open}${before}${items.join(`${after},${before}`)}${after}${close}`);
  return {
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(written, number, fc.constantFrom('true', 'false', 'null')),
      tie('object'),
      list(tie('value'), '[', ']'),
    ),
    object: list(member, '{', '}'),
  };
});
const object = fc
  .array(fc.tuple(fc.constantFrom(...NAMES, ...PARENTS, 'other'), value), { maxLength: 6 })
  .map((members) => {
    return `{${members.map(([name, text]) => `${JSON.stringify(name)} : ${text}`).join(' , ')}}`;
  });

describe('PartialJson', () => {
  it.each([
    ['{"a":1,"x":2}', { a: 1 }],
    ['{"a":1,"a":2}', { a: 2 }],
    [
      '{"properties":{"a":[1,"\\u0041",{}],"b":{"a":1},"properties":{"a":1}},"a":null}\r',
      {
        properties: { a: [1, 'A', {}], b: {}, properties: {} },
        a: null,
      },
    ],
    ['{"properties":{"a":1},"properties":{"b":"é"}}', { properties: { b: 'é' } }],
    ['{"properties":[1],"a":true}', { properties: [1], a: true }],
    [' {} ', undefined],
    ['{}', {}],
  ])('reads only the wanted properties of %s', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it('reads the same values as JSON.parse', () => {
    let readCount = 0;
    const law = fc.property(object, fc.subarray(NAMES), (text, names) => {
      const partial = read(text, names);
      if (partial === undefined) return;
      readCount++;
      expect(partial).toEqual(pickProperties(JSON.parse(text), names));
    });
    const { seeded, fresh } = splitRuns(runs(2_000));
    fc.assert(law, seeded);
    // The reader leaves some objects to `JSON.parse`, but must read most of them itself.
    expect(readCount).toBeGreaterThan(seeded.numRuns / 5);
    fc.assert(law, fresh);
  });

  it('reads whole numbers of any length exactly', () => {
    const digit = fc.constantFrom(...'0123456789');
    const whole = fc
      .tuple(
        fc.constantFrom('', '-'),
        fc.constantFrom(...'123456789'),
        fc.string({ unit: digit, maxLength: 19, size: 'max' }),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(whole, (number) => {
        expect(read(`{"a":${number}}`) ?? { a: Number(number) }).toEqual({ a: Number(number) });
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('reads nothing that is not JSON', () => {
    const changes = fc.tuple(
      fc.nat(),
      fc.nat({ max: 2 }),
      fc.constantFrom('', '"', '{', '}', ',', ':', '\\', '0', '-', '.', 'e', 't', '\n', '\u0001', ' '),
    );
    fc.assert(
      fc.property(object, changes, (text, [place, length, instead]) => {
        const at = place % (text.length + 1);
        const changed = text.slice(0, at) + instead + text.slice(at + length);
        if (changed.startsWith('{') && !isJson(changed)) expect(read(changed)).toBeUndefined();
      }),
      { numRuns: runs(5_000) },
    );
  });

  it.each([
    '{"a":01}',
    '{"a":-}',
    '{"a":1.}',
    '{"a":.5}',
    '{"a":1e}',
    '{"a":+1}',
    '{"a":tru}',
    '{"a":truE}',
    '{"a":nulll}',
    '{"a":"\\x"}',
    '{"a":"\\u12G4"}',
    '{"a":"\t"}',
    '{"a"}',
    '{"a":1,}',
    '{,}',
    '{"a":1 "b":2}',
    '{"a":[1,]}',
    '{"a":[1 2]}',
    '{a:1}',
    '{"a":1}}',
    '{"a":1',
    '{"a":"',
    '{"a":[',
    '{"a":{"b"',
    '{',
    '{"x":01}',
    '{"x":[tru]}',
    '{"x":{"y":1,}}',
    '{"x":"\\"}',
  ])('leaves %s to JSON.parse, which refuses it', (text) => {
    expect(isJson(text)).toBe(false);
    expect(read(text)).toBeUndefined();
  });

  it('leaves escaped names and deep nesting to JSON.parse', () => {
    expect(read('{"\\u0061":1}')).toBeUndefined();
    expect(read(`{"x":${'['.repeat(1e5)}${']'.repeat(1e5)}}`)).toBeUndefined();
  });
});
