import { describe, expect, it } from 'vitest';
import { Random } from '../../../src/data/random.ts';
import { describeFilterChange } from '../../../src/web/questions/describe-filter-change.ts';
import { drawFilter, drawRecords } from '../../related-filters.ts';
import { toAnswer } from '../../relation-law.ts';
import { runs } from '../../runs.ts';

/** What no record does, by what is said: is selected by only one of both filters, or by both. */
const CONTRADICTIONS = {
  same: ['before', 'after'],
  fewer: ['after'],
  more: ['before'],
  none: ['both'],
  other: [],
} as const;

type Said = keyof typeof CONTRADICTIONS;

function readWord(text: string | undefined): Said | undefined {
  return (Object.keys(CONTRADICTIONS) as Said[]).find((word) =>
    new RegExp(`^Selects (the )?${word}\\b`).test(text ?? ''),
  );
}

describe('the change of a filter', () => {
  it('is what records say', () => {
    const seen = new Set<Said | undefined>();
    for (let seed = 0; seed < runs(1_500); seed++) {
      const random = new Random(seed);
      const [before, after] = drawFilter(random);
      const said = readWord(describeFilterChange(before, after));
      seen.add(said);
      const [selectsBefore, selectsAfter] = [toAnswer(before), toAnswer(after)];
      if (said === undefined || selectsBefore === undefined || selectsAfter === undefined) continue;
      for (const record of drawRecords(random, [before, after], 40)) {
        const [one, other] = [selectsBefore(record) === 'selects', selectsAfter(record) === 'selects'];
        if (!one && !other) continue;
        const selected = one && other ? 'both' : one ? 'before' : 'after';
        expect([before, after, record, CONTRADICTIONS[said]]).not.toEqual([
          ...[before, after, record],
          expect.arrayContaining([selected]),
        ]);
      }
    }
    expect(seen).toEqual(new Set([...Object.keys(CONTRADICTIONS), undefined]));
  });

  it.each([
    ['properties["a"] > 1', 'properties["a"] > 5', 'Selects fewer events than the filter before: no longer a 5.'],
    [
      'properties["a"] == "x"',
      'properties["a"] in ["x", "y"]',
      'Selects more events than the filter before: now also a "y".',
    ],
    ['user["a"] == 1', 'user["a"] == 1 and true', 'Selects the same events as the filter before.'],
    ['properties["a"] == 1', 'properties["a"] == 2', 'Selects none of the events of the filter before.'],
    [
      'defined(properties["a"])',
      'true',
      'Selects more events than the filter before: now also events without these properties.',
    ],
  ])('from %s to %s has words', (before, after, words) => {
    expect(describeFilterChange(before, after)).toBe(words);
  });

  it('is not told of what is no whole filter, is blank or has not changed', () => {
    const [whole, partial] = ['properties["a"] == 1', 'properties["a"] =='];
    for (const [before, after] of [
      [whole, whole],
      [whole, ''],
      ['', whole],
      [whole, partial],
      [partial, whole],
    ] as const)
      expect(describeFilterChange(before, after)).toBe(undefined);
  });
});
