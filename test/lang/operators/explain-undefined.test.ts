import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { trace } from '../../../src/api/explain.ts';
import { findUndefinedCause, why } from '../../../src/lang/explain/why.ts';
import { explainUndefined } from '../../../src/lang/operators/explain-undefined.ts';
import { applyOperator } from '../../../src/lang/operators/overloads.ts';
import type { StrictRow } from '../../../src/lang/operators/row.ts';
import { BINARY, FUNCTIONS, PREFIX } from '../../../src/lang/operators/table.ts';
import { TRICKY_VALUES } from '../../arbitraries.ts';
import { runs } from '../../runs.ts';

const ROWS: readonly StrictRow[] = [...Object.values(PREFIX), ...Object.values(BINARY), ...Object.values(FUNCTIONS)];

const DEFINED = TRICKY_VALUES.filter((value) => value !== undefined);

it('an operator on defined operands has a reason if, and only if, its result is undefined', () => {
  const operand = fc.constantFrom(...DEFINED);
  fc.assert(
    fc.property(fc.constantFrom(...ROWS), operand, operand, (row, left, right) => {
      const operands = row.fixity === 'infix' ? [left, right] : [left];
      const reason = explainUndefined(row, operands);
      expect(reason === undefined).toBe(applyOperator(row, operands) !== undefined);
      if (reason !== undefined) expect(reason).toMatch(/^[\p{L}`"].*[^.]$/su);
    }),
    { numRuns: runs(50_000) },
  );
});

it('an operator with an undefined operand has no reason, because the operand has it', () => {
  for (const row of ROWS) {
    expect(explainUndefined(row, row.fixity === 'infix' ? [1, undefined] : [undefined])).toBeUndefined();
  }
});

describe('the reason of an undefined value', () => {
  it.each([
    ['1 / 0', 'division by zero'],
    ['7 % (1 - 1) + 2', 'division by zero'],
    ['1e308 * 10', 'the result is too large for a number'],
    ['number("x")', '"x" is not a number'],
    ['number(" 12 ") > 3', '" 12 " is not a number'],
    ['boolean("maybe")', '"maybe" is not a boolean'],
    ['datetime("2025-13-01")', 'no month 13'],
    ['datetime("2025-00-01")', 'no month 00'],
    ['datetime("2025-02-30")', 'no day 30 in 2025-02'],
    ['datetime("2025-02-00")', 'no day 00 in 2025-02'],
    ['datetime("2025-01-01T24:00:00")', 'no hour 24'],
    ['datetime("2025-01-01T10:60:00")', 'no minute 60'],
    ['datetime("2025-01-01T10:00:61Z")', 'no second 61'],
    ['datetime("2025-01-01T10:00:00+24:00")', 'no time zone +24:00'],
    ['datetime("soon")', '"soon" is not a date such as 2025-06-01 or 2025-06-01T12:00:00Z'],
    ['datetime(0)', 'a time is at least 1 second after 1970-01-01'],
    ['"2025-13-01" < datetime("2025-01-01")', 'no month 13'],
    ['-"2"', '`-` takes a number, not a string'],
    ['1 < "2"', '`<` takes a number and a number, or a string and a string, not a number and a string'],
    ['properties["missing"] * 2', 'properties["missing"] is missing'],
    ['properties["object"] * 2', 'properties["object"] is an object, which expressions cannot read'],
  ])('%s: %s', (source, cause) => {
    expect(findUndefinedCause(trace(source, { object: {} }))).toBe(cause);
  });

  it.each(['1', '1 == 1 / 0', 'properties["missing"] and true', 'not (1 / 0)'])('%s is not undefined', (source) => {
    expect(findUndefinedCause(trace(source, {}))).toBeUndefined();
  });

  it('is part of why', () => {
    expect(why(trace('properties["a"] / properties["b"]', { a: 1, b: 0 }))[0]?.message).toBe(
      'properties["a"] / properties["b"] is undefined: properties["a"] is 1, properties["b"] is 0; division by zero',
    );
    expect(why(trace('1 / 0', {}))[0]?.message).toBe('1 / 0 is always undefined: division by zero');
  });
});
