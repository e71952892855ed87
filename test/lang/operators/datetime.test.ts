import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../../../src/api/expressions.ts';
import { COMPARISONS } from '../../../src/lang/operators/table.ts';
import { anyValue } from '../../arbitraries.ts';
import { runs } from '../../runs.ts';

const datetime = compile('datetime(properties["a"])');

describe('datetime of a number', () => {
  it.each([
    [1, 1],
    [1.9, 1],
    [1735689600, 1735689600],
    [1735689600.999, 1735689600],
    [4294967295, 4294967295],
    // Larger numbers are milliseconds.
    [4294967295.5, 4294967],
    [4294967296, 4294967],
    [1735689600999, 1735689600],
    [1e308, 1e305],
    [0, undefined],
    [0.999, undefined],
    [-1, undefined],
    [-1735689600, undefined],
  ])('reads %d as %s', (a, seconds) => {
    expect(datetime({ a })).toBe(seconds);
  });
});

describe('datetime of a string', () => {
  it.each([
    ['1970-01-01', 0],
    ['1970-01-02', 86_400],
    ['1969-12-31', -86_400],
    ['2025-01-01', 1_735_689_600],
    ['2024-02-29', 1_709_164_800],
    ['0001-01-01', -62_135_596_800],
    ['0099-12-31', -59_011_545_600],
    ['9999-12-31', 253_402_214_400],
    ['1970-01-01T00:00:01', 1],
    ['1970-01-01 00:00:01', 1],
    ['1970-01-01T00:00:01Z', 1],
    ['1970-01-01 23:59:59', 86_399],
    ['1970-01-01T00:00:01.999', 1],
    ['1970-01-01T00:00:01.5Z', 1],
    ['1969-12-31T23:59:59.5', -1],
    ['1970-01-01T02:00:00+02:00', 0],
    ['1970-01-01T00:00:00-00:30', 1_800],
    ['1970-01-01T00:00:00+23:59', -86_340],
    ['1970-01-01 01:00:00.25+01:00', 0],
  ])('reads %s as %d', (a, seconds) => {
    expect(datetime({ a })).toBe(seconds);
  });

  it.each([
    ...[
      '',
      'soon',
      '2025',
      '2025-01',
      '2025-1-1',
      '25-01-01',
      '12025-01-01',
      '+002025-01-01',
      '2025/01/01',
      '20250101',
    ],
    ...['2025-00-01', '2025-13-01', '2025-01-00', '2025-01-32', '2025-02-29', '2025-04-31', '1900-02-29', '2100-02-29'],
    ...[
      '2025-01-01T',
      '2025-01-01T10',
      '2025-01-01T10:00',
      '2025-01-01t10:00:00',
      '2025-01-01  10:00:00',
      '2025-01-01_10:00:00',
    ],
    ...[
      '2025-01-01T24:00:00',
      '2025-01-01T10:60:00',
      '2025-01-01T10:00:60',
      '2025-01-01T1:00:00',
      '2025-01-01T10:00:00.',
    ],
    ...[
      '2025-01-01T10:00:00z',
      '2025-01-01T10:00:00 Z',
      '2025-01-01T10:00:00+0200',
      '2025-01-01T10:00:00+02',
      '2025-01-01T10:00:00+2:00',
    ],
    ...[' 2025-01-01', '2025-01-01 ', '2025-01-01\n', '２０２５-01-01', '1735689600', '2025-01-01T10:00:00Z+01:00'],
  ])('is undefined for "%s"', (a) => {
    expect(datetime({ a })).toBe(undefined);
  });

  it('agrees with the calendar', () => {
    const dates = fc.date({ min: new Date('1600-01-01'), max: new Date('2400-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(dates, fc.constantFrom('T', ' '), fc.constantFrom('Z', ''), (date, separator, zone) => {
        const a = date.toISOString().replace('T', separator).replace('Z', zone);
        expect(datetime({ a })).toBe(Math.floor(date.getTime() / 1000));
        expect(datetime({ a: a.slice(0, 10) })).toBe(Math.floor(date.getTime() / 86_400_000) * 86_400);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('accepts zones from -23:59 to +23:59 and subtracts them', () => {
    const twoDigits = fc.nat(99).map((number) => String(number).padStart(2, '0'));
    fc.assert(
      fc.property(twoDigits, twoDigits, (hours, minutes) => {
        const clock = `${hours}:${minutes}`;
        const time = datetime({ a: `1970-01-01T${clock}:00` });
        expect(datetime({ a: `1970-01-01T00:00:00-${clock}` })).toBe(time);
        expect(datetime({ a: `1970-01-01T${clock}:00+${clock}` })).toBe(time === undefined ? undefined : 0);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('ignores a fraction of any length', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1 }), (fraction) => {
        expect(datetime({ a: `1970-01-01T00:00:01.${fraction}` })).toBe(1);
        expect(datetime({ a: `1970-01-01T01:00:01.${fraction}+01:00` })).toBe(1);
      }),
    );
  });
});

describe('a comparison with a datetime call', () => {
  it.each(Object.keys(COMPARISONS))('reads the other side of %s through datetime', (operator) => {
    const other = 'properties["b"]';
    const both = compile(`datetime(properties["a"]) ${operator} datetime(${other})`);
    const forms = [
      `datetime(properties["a"]) ${operator} ${other}`,
      `(datetime(properties["a"])) ${operator} (${other})`,
      `properties["a"] ${operator} datetime(${other})`,
      `properties["a"] ${operator} ((datetime(${other})))`,
    ].map((source) => compile(source));
    fc.assert(
      fc.property(anyValue, anyValue, (a, b) => {
        for (const form of forms) expect(form({ a, b })).toBe(both({ a, b }));
      }),
      { numRuns: runs(300) },
    );
  });

  it('reads the other side unchanged if the call is inside an operand', () => {
    const later = compile('properties["a"] < datetime("2025-01-01") + 0');
    expect(later({ a: '2024-01-01' })).toBe(undefined);
    expect(later({ a: 5 })).toBe(true);
    expect(compile('properties["a"] in datetime("2025-01-01")')({ a: '2025-01-01' })).toBe(undefined);
  });

  it.each([
    ['properties["$last_seen"] < datetime("2025-01-01")', { $last_seen: '2024-12-31T23:59:59' }, true],
    ['datetime("2025-01-01") == "2025-01-01T00:00:00Z"', {}, true],
    ['datetime(now - 86400) > properties["a"]', { a: 1 }, true],
    ['datetime("soon") == "later"', {}, true],
    ['datetime("soon") != "2025-01-01"', {}, true],
    ['datetime("soon") < "2025-01-01"', {}, undefined],
    ['now > datetime("1970-01-01T00:00:01")', {}, true],
  ])('evaluates %s', (source, record, value) => {
    expect(compile(source, { now: 1_735_689_600 })(record)).toBe(value);
  });
});
