import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isWellFormed } from '../../../src/base/strings.ts';
import { parseDateTime } from '../../../src/lang/operators/time.ts';
import { findTimeZone } from '../../../src/lang/operators/time-zone.ts';
import { type Constants, listPrefixes } from '../../../src/lang/relate/constants.ts';
import { listTextRegions } from '../../../src/lang/relate/texts.ts';
import type { TextClass } from '../../../src/lang/relate/value-set.ts';
import { compareStrings, parseDecimal } from '../../../src/lang/value.ts';
import { TIME_ZONES, valuesOf } from '../../arbitraries.ts';
import { runs } from '../../runs.ts';

/** Strings that are close to each other: few characters, dates, decimals, the first and last code points. */
const near = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', '~', '\u0000', '\u{10ffff}', '\ud7ff', '\ue000', '0'), maxLength: 4 }),
  fc.string({ unit: fc.constantFrom('0', '1', '9', '.', '-', '+', 'e', ':'), maxLength: 5 }),
  fc
    .tuple(
      fc.integer({ min: -62e9, max: 250e9 }),
      fc.constantFrom(4, 7, 10, 19, 24),
      fc.constantFrom('', '+23:59', '-11:00', 'a'),
    )
    .map(([time, end, rest]) => new Date(time * 1000).toISOString().slice(0, end) + rest),
);
const wellFormed = near.filter((string) => isWellFormed(string));
const anyString = fc.oneof(near, valuesOf.string as fc.Arbitrary<string>);

function has(text: TextClass, string: string, timeZone: string): boolean {
  const { low, high } = text;
  if (low !== undefined && compareStrings(string, low) <= 0) return false;
  if (high !== undefined && compareStrings(string, high) >= 0) return false;
  if ([...text.parts].some(([part, isContained]) => string.includes(part) !== isContained)) return false;
  const [decimal, time] = [parseDecimal(string), parseDateTime(string, findTimeZone(timeZone))];
  const read = decimal ?? time;
  const form = decimal !== undefined ? 'decimal' : time !== undefined ? 'date' : 'plain';
  if (text.form === 'any') return true;
  return text.form === form && (read === undefined || (read >= text.from && read <= text.to));
}

/** Ordered and searched constants, and strings that random draws rarely have beside them. */
const EXAMPLES = [
  // Times on another day than the constant.
  [['2024-12-31'], [], ['2024-12-30', '2024-12-30T23:59:59-11:00']],
  [['2024-01-01'], [], ['2024-01-01T00:00:00+23:59']],
  // All strings between the constants contain the searched one.
  [['ab', 'abz'], ['a'], ['abc']],
] as const;

it('every string is a constant or in a class, and so is the sample of each class', () => {
  const strings = fc.uniqueArray(wellFormed, { maxLength: 3 });
  const law = fc.property(
    fc.record({ ordered: strings, parts: strings, others: strings, readsForms: fc.boolean() }),
    fc.array(anyString, { minLength: 20, maxLength: 20 }),
    fc.constantFrom(...TIME_ZONES),
    ({ ordered, parts, others, readsForms }, drawn, timeZone) => {
      const constants: Constants = {
        ordered: new Set(ordered),
        parts: new Set(parts.filter((part) => part !== '')),
        strings: new Set(['', ...others, ...parts, ...ordered.flatMap(listPrefixes)]),
        numbers: new Set(),
        elements: new Set(),
        readsForms,
      };
      const regions = listTextRegions(constants) ?? [];
      const close = [...ordered, ...parts].flatMap((string) => [
        `${string}\u0000`,
        `${string}a`,
        string.slice(0, -1),
        `+${string}`,
      ]);
      for (const string of [...drawn, ...close]) {
        const isFound = constants.strings.has(string) || regions.some(({ text }) => has(text, string, timeZone));
        if (!isFound) expect.fail(`${JSON.stringify(string)} is in no class`);
      }
      for (const { text, sample } of regions) {
        if (sample === undefined) continue;
        if (!has(text, sample, timeZone) || text.excluded.has(sample))
          expect.fail(`${JSON.stringify(sample)} is not in its class`);
      }
    },
  );
  fc.assert(law, {
    numRuns: runs(5_000),
    examples: EXAMPLES.map(([ordered, parts, drawn]) => [
      { ordered: [...ordered], parts: [...parts], others: [], readsForms: true },
      [...drawn],
      'UTC',
    ]),
  });
});
