import fc, { type Arbitrary } from 'fast-check';
import type { Translation } from '../../../../src/lang/foreign/translate.ts';

export type Value = string | number | boolean | null | readonly (string | number | boolean | null)[];
export type MixedRecord = Readonly<Record<string, Value | undefined>>;

/** Tells whether a record is selected. Undefined if the original fails on it, or has no answer. */
type Selects = (record: MixedRecord) => boolean | undefined;

/** A language of other programs, and what runs its filters. */
export interface Original {
  readonly language: string;
  readonly filters: Arbitrary<string>;
  readonly translate: (source: string) => Translation;
  readonly records: readonly MixedRecord[];
  /** The records for which a note is right, for notes that are right or wrong for a record whatever the filter is. */
  readonly assumptions: readonly (readonly [note: RegExp, holds: (record: MixedRecord) => boolean])[];
  /** Returns undefined for a filter that is none of the language. */
  readonly read: (source: string) => Selects | undefined | Promise<Selects | undefined>;
}

export const NAMES = ['plan', 'country', 'amount', 'score', 'active', 'tags'] as const;

const STRINGS = [
  '',
  'pro',
  'Pro',
  'free',
  'D',
  'DE',
  'prp',
  "it's",
  '5',
  '10',
  '-1',
  '0.5',
  ' 5 ',
  '1e1',
  'true',
  'FALSE',
];
const NUMBERS = [0, 1, -1, 5, 10, 0.5, 100, -7.25, 1e21];
const OTHERS = [true, false, null];
/** `==` of JavaScript also finds a list with one element, which the guide says. */
const LISTS = [[], ['free', 'pro'], [5, 10], ['5', 5], ['', 'D'], [null, 1], [true, 1]];

/** Values that a property can be compared with. */
export const LITERALS: readonly (string | number | boolean)[] = [...STRINGS, ...NUMBERS.slice(0, 8), true, false];

const some = (record: MixedRecord, is: (value: Value) => boolean) =>
  Object.values(record).some((value) => value !== undefined && is(value));

export const hasNoNull = (record: MixedRecord) => !some(record, (value) => value === null);
export const hasNoList = (record: MixedRecord) => !some(record, Array.isArray);
export const hasOnlyNumbers = (record: MixedRecord) =>
  !some(record, (value) => value !== null && typeof value !== 'number');
export const isComplete = (record: MixedRecord) => hasNoNull(record) && NAMES.every((name) => name in record);

/** Draws records in which a property is missing, null or of any type. */
export function drawRecords(hasLists: boolean): readonly MixedRecord[] {
  const pool: readonly Value[] = [...STRINGS, ...NUMBERS, ...OTHERS, ...(hasLists ? LISTS : [])];
  const anyRecord = fc.record(Object.fromEntries(NAMES.map((name) => [name, fc.constantFrom(...pool)])), {
    requiredKeys: [],
  });
  return [...fc.sample(anyRecord, { numRuns: 60, seed: 17 }), ...pool.map((value) => oneValued(value)), {}];
}

/** Returns a record in which all properties have one value. */
function oneValued(value: Value): MixedRecord {
  return Object.fromEntries(NAMES.map((name) => [name, value]));
}

/** Joins parts of a filter. */
export const join = (...parts: readonly (string | Arbitrary<string>)[]): Arbitrary<string> =>
  fc
    .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
    .map((texts) => texts.join(''));

/** Joins some filters by a comma. */
export const joinList = (item: Arbitrary<string>, min = 1, max = 3): Arbitrary<string> =>
  fc.array(item, { minLength: min, maxLength: max }).map((items) => items.join(', '));
