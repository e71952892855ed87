import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineReader } from '../../src/cli/input/line-reader.ts';
import { LineWalker } from '../../src/cli/input/line-walker.ts';
import { codePoint } from '../code-point.ts';
import { runs, splitRuns } from '../runs.ts';

const PARENTS = ['properties', '$properties'];
const NAMES = ['a', 'b', 'event', 'properties', 'é', '日本', 'say "hi"', 'constructor', ''];

function createWalker(names: readonly string[], searches: readonly (readonly string[])[] = []): LineWalker {
  const walker = LineWalker.create(names, PARENTS, searches);
  if (walker === undefined) throw new Error('This machine has no WebAssembly');
  return walker;
}

/** Reads a line; undefined if `JSON.parse` must read it. */
function read(text: string, names: readonly string[] = NAMES): Record<string, unknown> | undefined {
  const before = '{"a":"line before"}\n';
  const walker = createWalker(names);
  walker.open(Buffer.from(`${before}${text}\n{"a":"line after"}\n`));
  expect(walker.next(0)).toBe(before.length - 1);
  expect([walker.at, walker.lines]).toEqual([0, 1]);
  const end = walker.next(before.length);
  expect([walker.at, walker.lines]).toEqual([before.length, 1]);
  if (end === undefined) return undefined;
  const object = walker.read();
  // A value can have a line feed only outside of strings, and then the line ends there.
  return end === before.length + Buffer.byteLength(text) ? object : undefined;
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

const digits = (range: { minLength: number; maxLength: number }) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), ...range, size: 'max' });

/** Decimals with up to 24 digits: zeros in all places, some with an exponent. */
const decimal = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(
      fc.constant('0'),
      fc.tuple(fc.constantFrom(...'123456789'), digits({ minLength: 0, maxLength: 17 })).map((parts) => parts.join('')),
    ),
    fc.oneof(
      fc.constant(''),
      digits({ minLength: 1, maxLength: 18 }).map((decimals) => `.${decimals}`),
    ),
    fc.oneof(
      { weight: 6, arbitrary: fc.constant('') },
      fc.tuple(fc.constantFrom('e', 'E', 'e+', 'E-'), digits({ minLength: 1, maxLength: 3 })).map((p) => p.join('')),
    ),
  )
  .map((parts) => parts.join(''));

const string = fc.oneof(
  fc.constantFrom(...NAMES),
  fc.string({ unit: codePoint, maxLength: 4 }),
  // Vectors of 16 bytes, and the longest string that has a number.
  fc.string({ unit: fc.constantFrom('a', 'b', '"', '\\', 'é', '\n'), minLength: 12, maxLength: 40, size: 'max' }),
  fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 6, maxLength: 42, size: 'max' }),
);

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
    decimal,
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
  .array(fc.tuple(fc.constantFrom(...NAMES, ...PARENTS, 'other'), fc.constantFrom(':', ' : '), value), { maxLength: 6 })
  .map((members) => {
    return `{${members.map(([name, colon, text]) => `${JSON.stringify(name)}${colon}${text}`).join(' , ')}}`;
  });

describe('LineWalker', () => {
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

  it('reads numbers as JSON.parse does', () => {
    const law = fc.property(decimal, (text) => {
      const object = read(`{"a":${text},"x":${text}}`);
      expect(object?.a).toBe(JSON.parse(text));
    });
    fc.assert(law, { numRuns: runs(3_000) });
  });

  it.each([
    '0.1',
    '-0',
    '-0.0',
    '0.000000000000001',
    '123456789.012345',
    '999999999999999',
    '9007199254740993',
    '0.3',
    '1e23',
    '5e-324',
    '1.7976931348623157e308',
    '1e999',
  ])('reads %s exactly', (text) => {
    expect(read(`{"a":${text}}`)?.a).toBe(JSON.parse(text));
  });

  it('reads strings again that it has read before', () => {
    const text = fc.oneof(string, fc.nat(3_000).map(String));
    const law = fc.property(fc.array(text, { minLength: 1, maxLength: 300, size: 'max' }), (texts) => {
      const walker = createWalker(['a', 'b']);
      const lines = texts.map((text, index) => ({ a: text, b: texts[(7 * index) % texts.length] }));
      walker.open(Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
      let at = 0;
      for (const line of lines) {
        at = (walker.next(at) as number) + 1;
        expect(walker.read()).toEqual(line);
      }
    });
    fc.assert(law, { numRuns: runs(200) });
  });

  it('gives equal strings equal numbers, and others as long as there is room', () => {
    const walker = createWalker(['a']);
    const slot = walker.findSlot('a');
    const numbers = new Map<string, number | undefined>();
    for (let block = 0; block < 5; block++) {
      const texts = Array.from({ length: 1500 }, (_, index) => `u${(index * 7919) % (1200 * (block + 1))}`);
      texts.push('é', 'x'.repeat(41), '');
      walker.open(Buffer.from(texts.map((text) => `${JSON.stringify({ a: text })}\n`).join('')));
      let at = 0;
      for (const text of texts) {
        at = (walker.next(at) as number) + 1;
        const number = walker.numberText(slot);
        expect(walker.readSlot(slot)).toBe(text);
        const known = numbers.get(text);
        if (known !== undefined) expect(number).toBe(known);
        numbers.set(text, number);
      }
    }
    const given = [...numbers.values()].filter((number) => number !== undefined);
    expect(new Set(given).size).toBe(given.length);
    expect([numbers.get('é'), numbers.get('x'.repeat(41))]).toEqual([undefined, undefined]);
    // The first block has room for 1,024 strings, and each one after it for four times as many.
    expect(numbers.get('u1')).toEqual(expect.any(Number));
    expect(given.length).toBeGreaterThan(3000);
  });

  it('keeps nothing of the lines and blocks before', () => {
    const walker = createWalker(['a']);
    for (const size of [1, 2 ** 20, 1]) {
      walker.open(Buffer.from(`{"properties":{"a":"${'x'.repeat(size)}"},"a":1}\n{}\n{"properties":{}}\n`));
      let at = 0;
      for (const expected of [{ properties: { a: 'x'.repeat(size) }, a: 1 }, {}, { properties: {} }]) {
        at = (walker.next(at) as number) + 1;
        expect(walker.read()).toEqual(expected);
      }
    }
  });

  it('finds strings wherever they are in a line', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 20 });
    const values = fc.array(text, { maxLength: 4 });
    const law = fc.property(
      fc.array(values, { minLength: 1, maxLength: 8 }),
      fc.array(fc.array(text, { maxLength: 2 }), { maxLength: 3 }),
      (written, searches) => {
        const lines = written.map((line) => `${JSON.stringify({ x: line })}`);
        const walker = createWalker([], searches);
        walker.open(Buffer.from(lines.map((line) => `${line}\n`).join('')));
        const found: string[] = [];
        let [at, skipped] = [0, 0];
        for (let end = walker.next(at); ; end = walker.next(at)) {
          skipped += walker.skipped;
          if (end === undefined) break;
          found.push(lines[found.length + skipped] as string);
          at = end + 1;
        }
        const passes = (line: string) => searches.every((all) => all.some((one) => line.includes(one)));
        expect(found).toEqual(lines.filter(passes));
        expect(skipped).toBe(lines.length - found.length);
      },
    );
    fc.assert(law, { numRuns: runs(1_000) });
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

describe('LineReader', () => {
  it('reads the same records and broken lines with and without the walker', () => {
    const change = fc.tuple(
      fc.nat(),
      fc.nat({ max: 2 }),
      fc.constantFrom('', '"', '{', '}', ',', ':', '\\', '0', '-', '.', 'e', 'u', '\n', '\u0001', ' ', 'é', '\\ud800'),
    );
    // Similar lines, because the walker expects the names of the line before.
    const changed = fc
      .tuple(
        fc.array(object, { minLength: 1, maxLength: 2 }),
        fc.array(fc.tuple(fc.nat(1), fc.array(change, { maxLength: 2 })), { maxLength: 8 }),
      )
      .map(([objects, all]) =>
        all.map(([index, changes]) =>
          changes.reduce(
            (line, [place, length, instead]) => {
              const at = place % (line.length + 1);
              return line.slice(0, at) + instead + line.slice(at + length);
            },
            objects[index % objects.length] as string,
          ),
        ),
      );
    let brokenCount = 0;
    const law = fc.property(changed, fc.subarray(NAMES), (lines, names) => {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      const readAll = (reader: LineReader) => {
        const found: unknown[] = [];
        reader.open({ bytes });
        for (let next = reader.next(); next !== undefined; next = reader.next()) {
          found.push('reason' in next ? next : [next.line, next.text(), pickProperties(next.whole, names)]);
        }
        return { found, lines: reader.line };
      };
      const expected = readAll(new LineReader());
      expect(readAll(new LineReader(names))).toEqual(expected);
      brokenCount += expected.found.filter((found) => !Array.isArray(found)).length;
    });
    const { seeded, fresh } = splitRuns(runs(3_000));
    fc.assert(law, seeded);
    expect(brokenCount).toBeGreaterThan(seeded.numRuns / 2);
    fc.assert(law, fresh);
  });
});

it('the module of the walker is compiled from its source', () => {
  const root = new URL('../../', import.meta.url);
  const source = readFileSync(new URL('scripts/line-walker/line-walker.ts', root));
  const module = readFileSync(new URL('src/cli/input/line-walker-module.ts', root), 'utf8');
  expect(module).toContain(`SHA-256 of the source: ${createHash('sha256').update(source).digest('hex')}\n`);
});
