import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../../../src/api/expressions.ts';
import { BINARY } from '../../../src/lang/operators/table.ts';
import { NUMBER } from '../../../src/lang/types.ts';
import { valuesOf } from '../../arbitraries.ts';
import { runs } from '../../runs.ts';

const numbers = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), valuesOf.number.map(Number));
const a = 'properties["a"]';
const RUNS = { numRuns: runs(3_000) };

/** Compiles a numeric expression of `a` and optionally `b`. */
function numeric(source: string): (a: unknown, b?: unknown) => number {
  const run = compile(source);
  return (first, second) => run({ a: first, b: second }) as number;
}

describe('rounding', () => {
  it('floor returns the largest whole number that is not larger', () => {
    const floor = numeric(`floor(${a})`);
    fc.assert(
      fc.property(numbers, (number) => {
        expect(Number.isInteger(floor(number))).toBe(true);
        expect(floor(number)).toBeLessThanOrEqual(number);
        if (Number.isInteger(number)) expect(floor(number)).toBe(number + 0);
        // It can be 1, because the difference of -5e-324 and -1 is rounded.
        expect(number - floor(number)).toBeLessThanOrEqual(1);
      }),
      RUNS,
    );
  });

  it('ceil of a number is the negated floor of its negation', () => {
    const [floor, ceil] = [numeric(`floor(-${a})`), numeric(`-ceil(${a})`)];
    fc.assert(
      fc.property(numbers, (number) => {
        expect(ceil(number)).toBe(floor(number));
      }),
      RUNS,
    );
  });

  it('round returns the nearest whole number, with halves away from zero', () => {
    const round = numeric(`round(${a})`);
    fc.assert(
      fc.property(
        fc.oneof(
          numbers,
          fc.integer({ min: -(2 ** 31) }).map((whole) => whole + 0.5),
        ),
        (number) => {
          expect(Number.isInteger(round(number))).toBe(true);
          // The difference of a double and a whole number so near is exact.
          const distance = Math.abs(round(number) - number);
          expect(distance).toBeLessThanOrEqual(0.5);
          if (distance === 0.5) expect(Math.abs(round(number))).toBeGreaterThan(Math.abs(number));
        },
      ),
      RUNS,
    );
  });

  it.each([
    [0.49999999999999994, 0],
    [-0.49999999999999994, 0],
    [0.5, 1],
    [-0.5, -1],
    [2.5, 3],
    [-2.5, -3],
    [2 ** 52 - 0.5, 2 ** 52],
    [2 ** 52 + 1, 2 ** 52 + 1],
    [2 ** 53 - 1, 2 ** 53 - 1],
    [Number.MAX_VALUE, Number.MAX_VALUE],
    [5e-324, 0],
    [-5e-324, 0],
  ])('round(%d) is %d', (number, rounded) => {
    expect(numeric(`round(${a})`)(number)).toBe(rounded);
  });
});

describe('%', () => {
  const remainder = numeric('properties["a"] % properties["b"]');

  it('returns less than the divisor, with the sign of the dividend', () => {
    fc.assert(
      fc.property(numbers, numbers, (dividend, divisor) => {
        const result = remainder(dividend, divisor);
        if (divisor === 0) {
          expect(result).toBeUndefined();
        } else {
          expect(Math.abs(result)).toBeLessThan(Math.abs(divisor));
          expect([0, Math.sign(dividend)]).toContain(Math.sign(result));
        }
      }),
      RUNS,
    );
  });

  it('is exact on whole numbers', () => {
    const whole = fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -50, max: 50 }));
    fc.assert(
      fc.property(
        whole,
        whole.filter((divisor) => divisor !== 0),
        (dividend, divisor) => {
          expect(remainder(dividend, divisor)).toBe(Number(BigInt(dividend) % BigInt(divisor)));
        },
      ),
      RUNS,
    );
  });
});

describe('arithmetic', () => {
  const arithmetic = Object.values(BINARY).filter(({ overloads }) => overloads.some(({ result }) => result & NUMBER));

  it.each(arithmetic.map(({ name }) => name))('%s never returns negative zero, ±Infinity or NaN', (operator) => {
    const run = compile(`${a} ${operator} properties["b"]`);
    fc.assert(
      fc.property(numbers, numbers, (left, right) => {
        const result = run({ a: left, b: right });
        if (result !== undefined) expect(Number.isFinite(result) && !Object.is(result, -0)).toBe(true);
      }),
      RUNS,
    );
  });
});

describe('string of a number', () => {
  const text = compile(`string(${a})`);

  it('has no exponent, parses to the same double, and is as short as possible', () => {
    fc.assert(
      fc.property(numbers, (number) => {
        const written = String(text({ a: number }));
        expect(written).toMatch(/^(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]*[1-9])?)$/);
        expect(Number(written)).toBe(number + 0);
        const significant = (digits: string) => digits.replace(/[-.]/g, '').replace(/^0+|0+$/g, '');
        expect(significant(written)).toBe(significant(number.toExponential().replace(/e.*/, '')));
      }),
      RUNS,
    );
  });

  it.each([
    [0, '0'],
    [-0, '0'],
    [-1.5, '-1.5'],
    [1e21, '1000000000000000000000'],
    [-1.5e21, '-1500000000000000000000'],
    [123456789012345680000, '123456789012345680000'],
    [1e-7, '0.0000001'],
    [-1.25e-9, '-0.00000000125'],
    [0.000001, '0.000001'],
    [5e-324, `0.${'0'.repeat(323)}5`],
    [2 ** 53, '9007199254740992'],
  ])('of %d is %s', (number, written) => {
    expect(text({ a: number })).toBe(written);
  });
});

describe('number of a string', () => {
  const number = compile(`number(${a})`);
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 25 });
  const sign = fc.constantFrom('', '+', '-');
  const fraction = fc.oneof(
    digits,
    digits.map((whole) => `${whole}.`),
    digits.map((part) => `.${part}`),
    fc.tuple(digits, digits).map((parts) => parts.join('.')),
  );
  const exponent = fc.option(
    fc.tuple(fc.constantFrom('e', 'E'), sign, fc.nat(400)).map((parts) => parts.join('')),
    { nil: '' },
  );
  const decimals = fc.tuple(sign, fraction, exponent).map((parts) => parts.join(''));

  it('is the value of a decimal, undefined if that is too large', () => {
    fc.assert(
      fc.property(decimals, (text) => {
        const parsed = Number(text);
        expect(number({ a: text })).toBe(Number.isFinite(parsed) ? parsed + 0 : undefined);
      }),
      RUNS,
    );
  });

  it('is undefined if the decimal contains another character', () => {
    // A decimal contains none of these.
    const stray = fc.constantFrom(' ', '\n', '\t', '_', ',', 'x', 'n', 'a', '١', '１', '−', '\u0000', '\u00a0');
    const spoilt = fc.tuple(decimals, fc.nat(), stray).map(([text, seed, character]) => {
      const at = seed % (text.length + 1);
      return text.slice(0, at) + character + text.slice(at);
    });
    fc.assert(
      fc.property(spoilt, (text) => {
        expect(number({ a: text })).toBeUndefined();
      }),
      RUNS,
    );
  });

  it('is undefined for strings that are not decimals', () => {
    const close = fc.string({ unit: fc.constantFrom(...'0011789+-..eExXoObB'), maxLength: 6 });
    fc.assert(
      fc.property(close, (text) => {
        const isDecimal = /^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$/.test(text);
        expect(number({ a: text }) !== undefined, text).toBe(isDecimal && Number.isFinite(Number(text)));
      }),
      RUNS,
    );
  });

  it.each([
    '',
    '.',
    '+',
    '-',
    'e1',
    '1e',
    '1e+',
    '1.2.3',
    '--1',
    '+-1',
    '0x10',
    '0X10',
    '0b1',
    '0B1',
    '0o17',
    '0O17',
    'Infinity',
    'NaN',
    '1e400',
    '-1e400',
  ])('of "%s" is undefined', (text) => {
    expect(number({ a: text })).toBeUndefined();
  });
});

describe('the order of strings', () => {
  const less = compile('properties["a"] < properties["b"]');
  const units = fc.constantFrom(
    'a',
    'b',
    '\ud7ff',
    '\ud83d',
    '\ue000',
    '\uffff',
    '\u{10000}',
    '\u{1f600}',
    '\u{1f601}',
    '\u{10ffff}',
  );
  const text = fc.string({ unit: units, maxLength: 4 });

  it('is by code point, not by UTF-16 unit', () => {
    // Strings of code points, each padded to one width, sort like the code points.
    const key = (characters: string) =>
      Array.from(characters, (one) => (one.codePointAt(0) ?? 0).toString(16).padStart(6, '0')).join('');
    fc.assert(
      fc.property(text, text, (left, right) => {
        expect(less({ a: left, b: right })).toBe(key(left) < key(right));
      }),
      RUNS,
    );
  });

  it('sorts U+FFFF before the characters of other planes', () => {
    expect(less({ a: '\uffff', b: '\u{1f600}' })).toBe(true);
    expect(less({ a: '\u{1f600}', b: '\uffff' })).toBe(false);
  });
});
