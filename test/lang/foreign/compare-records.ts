import fc from 'fast-check';
import { expect } from 'vitest';
import { compileWhere } from '../../../src/api/expressions.ts';
import type { Translation } from '../../../src/lang/foreign/translate.ts';

const VALUES = {
  plan: ['pro', 'free', 'team', 'Pro', '', 'pr', 'prp', 'pro max'],
  country: ['DE', 'US', 'pro', 'free'],
  amount: [0, 1, -1, 5, 10, 10.5, 20, 100],
  score: [0, 1, 2, 3, 5, 10, -1],
  active: [true, false],
} as const;

/** Columns that random filters name, by type. */
export const STRINGS = ['plan', 'country'] as const;
export const NUMBERS = ['amount', 'score'] as const;

type ForeignRecord = Readonly<Record<string, string | number | boolean | undefined>>;

export const anyValueOf = (name: keyof typeof VALUES) => fc.constantFrom(...VALUES[name]);

/** Records with missing properties. */
const RECORDS: readonly ForeignRecord[] = fc
  .sample(
    fc.record(Object.fromEntries(Object.keys(VALUES).map((name) => [name, anyValueOf(name as keyof typeof VALUES)])), {
      requiredKeys: [],
    }),
    { numRuns: 200, seed: 3 },
  )
  .concat([{}]);

/** Expects that a translated filter selects the records that a reference selects. */
export function expectSameRecords(
  source: string,
  translation: Translation,
  selects: (record: ForeignRecord) => boolean,
): void {
  if ('reason' in translation) expect.fail(`${source}: ${translation.reason}`);
  const condition = compileWhere(translation.expression);
  const found = RECORDS.filter((record) => condition(record));
  expect({ source, ...translation, found }).toEqual({ source, ...translation, found: RECORDS.filter(selects) });
}
