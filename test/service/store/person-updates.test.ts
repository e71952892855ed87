import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Properties } from '../../../src/lang/value.ts';
import type { PersonLine } from '../../../src/service/store/log-line.ts';
import { PERSON_OPERATIONS } from '../../../src/service/store/person-operations.ts';
import { applyUpdates } from '../../../src/service/store/person-updates.ts';
import { runs } from '../../runs.ts';

type Operations = Readonly<Record<`$${string}`, unknown>>;

function updateProfile(profile: Properties | undefined, ...updates: Operations[]): Properties | undefined {
  return applyUpdates(
    profile,
    updates.map((operations) => ({ $distinct_id: 'ann', ...operations })),
  );
}

describe('an operation', () => {
  it.each<[string, Properties | undefined, Operations, Properties | undefined]>([
    ['$set makes and overwrites', { a: 1, b: [2] }, { $set: { b: 3, c: null } }, { a: 1, b: 3, c: null }],
    ['$set makes a profile, an empty one too', undefined, { $set: {} }, {}],
    ['$set_once leaves what is set, null too', { a: null }, { $set_once: { a: 1, b: 2 } }, { a: null, b: 2 }],
    ['$add counts from 0', { a: 1 }, { $add: { a: -3, b: 2 } }, { a: -2, b: 2 }],
    [
      '$add leaves what is no number',
      { a: '1', b: null, c: [1] },
      { $add: { a: 1, b: 1, c: 1 } },
      { a: '1', b: null, c: [1] },
    ],
    ['$add leaves what would be no double', { a: 1e308 }, { $add: { a: 1e308 } }, { a: 1e308 }],
    ['$append appends, a list too', { a: [1] }, { $append: { a: 1, b: [2] } }, { a: [1, 1], b: [[2]] }],
    ['$append leaves what is no list', { a: 'x', b: null }, { $append: { a: 1, b: 1 } }, { a: 'x', b: null }],
    [
      '$union appends what is not there',
      { a: [1, '1'] },
      { $union: { a: [1, 2, 2], b: [] } },
      { a: [1, '1', 2], b: [] },
    ],
    ['$union leaves what is no list', { a: { b: 1 } }, { $union: { a: [1] } }, { a: { b: 1 } }],
    [
      '$union compares deeply',
      { a: [{ x: 1, y: [2] }] },
      { $union: { a: [{ y: [2], x: 1 }] } },
      { a: [{ x: 1, y: [2] }] },
    ],
    ['$remove removes all equals', { a: [1, { b: 2 }, 1, '1'] }, { $remove: { a: 1 } }, { a: [{ b: 2 }, '1'] }],
    ['$remove compares deeply', { a: [{ x: 1, y: 2 }] }, { $remove: { a: { y: 2, x: 1 } } }, { a: [] }],
    ['$remove leaves what is no list or missing', { a: 1 }, { $remove: { a: 1, b: 1 } }, { a: 1 }],
    ['$unset removes', { a: 1, b: 2 }, { $unset: ['a', 'c'] }, { b: 2 }],
    ['$delete removes the profile', { a: 1 }, { $delete: '' }, undefined],
    ['$delete has others begin anew', { a: 1, b: 2 }, { $delete: '', $set: { b: 3 } }, { b: 3 }],
    ['the order of keys counts', { a: 1 }, { $set: { b: 3 }, $delete: '' }, undefined],
  ])('%s', (_, profile, operations, result) => {
    expect(updateProfile(profile, operations)).toEqual(result);
  });

  it('never changes a prototype', () => {
    const operations = JSON.parse(
      `{"$set": {"__proto__": {"polluted": 1}, "constructor": 1}, "$set_once": {"toString": 1},
        "$append": {"valueOf": 1}, "$add": {"hasOwnProperty": 1}}`,
    );
    const profile = updateProfile({}, operations, { $add: JSON.parse('{"__proto__": 1, "constructor": 1}') });
    expect(Object.entries(profile ?? {}).sort()).toEqual([
      ['__proto__', { polluted: 1 }],
      ['constructor', 2],
      ['hasOwnProperty', 1],
      ['toString', 1],
      ['valueOf', [1]],
    ]);
    expect(Object.getPrototypeOf(profile)).toBe(Object.prototype);
    expect(({} as { polluted?: 1 }).polluted).toBe(undefined);
    expect(updateProfile(profile, { $unset: ['__proto__'] })).not.toHaveProperty('polluted');
  });
});

const value = fc.oneof(
  fc.constantFrom<unknown[]>(0, 1, 2, '1', 'x', null, true, [], [1], { x: 1, y: 2 }, { y: 2, x: 1 }, 1e308),
  fc.jsonValue({ maxDepth: 2 }).map((json) => JSON.parse(JSON.stringify(json))),
);
const name = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', '1', '');
const list = fc.array(value, { maxLength: 4 });

function objectOf(values: fc.Arbitrary<unknown>): fc.Arbitrary<Properties> {
  return fc.array(fc.tuple(name, values), { maxLength: 3 }).map((entries) => Object.fromEntries(entries));
}

const profiles = fc.option(objectOf(fc.oneof(value, list)), { nil: undefined });

/** Arguments for each operation. */
const ARGUMENTS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  $set: objectOf(fc.oneof(value, list)),
  $set_once: objectOf(value),
  $add: objectOf(fc.constantFrom(0, 1, -2.5, 1e308)),
  $append: objectOf(value),
  $union: objectOf(list),
  $remove: objectOf(value),
  $unset: fc.array(name, { maxLength: 3 }),
  $delete: value,
  $properties: objectOf(fc.oneof(value, list)),
};

const update: fc.Arbitrary<PersonLine> = fc
  .shuffledSubarray(Object.keys(ARGUMENTS), { minLength: 1 })
  .chain((keys) => fc.tuple(...keys.map((key) => fc.tuple(fc.constant(key), ARGUMENTS[key] as fc.Arbitrary<unknown>))))
  .map((operations) => ({ $distinct_id: 'ann', ...Object.fromEntries(operations) }));

const updates = fc.array(update, { maxLength: 8 });

/** Returns JSON with sorted keys, so that equal values have equal strings. */
function toSortedJson(json: unknown): string {
  if (Array.isArray(json)) return `[${json.map(toSortedJson).join()}]`;
  if (typeof json !== 'object' || json === null) return JSON.stringify(json);
  const entries = Object.entries(json).map(([key, part]) => `${JSON.stringify(key)}:${toSortedJson(part)}`);
  return `{${entries.sort().join()}}`;
}

type Step = (before: unknown, argument: never) => unknown;

/** Returns a property after an operation, undefined if it is missing: a plain model. */
const MODEL: Readonly<Record<string, Step>> = {
  $set: (_, to) => to,
  $properties: (_, to) => to,
  $set_once: (before, to) => (before === undefined ? to : before),
  $add: (before = 0, by: number) => {
    return typeof before === 'number' && Math.abs(before + by) !== Infinity ? before + by : before;
  },
  $append: (before = [], last: unknown) => (Array.isArray(before) ? [...before, last] : before),
  $union: (before = [], others: unknown[]) => {
    if (!Array.isArray(before)) return before;
    const all: unknown[] = [...before];
    for (const other of others) if (!all.map(toSortedJson).includes(toSortedJson(other))) all.push(other);
    return all;
  },
  $remove: (before, gone: unknown) => {
    return Array.isArray(before) ? before.filter((element) => toSortedJson(element) !== toSortedJson(gone)) : before;
  },
};

function model(profile: Properties | undefined, lines: readonly PersonLine[]): Properties | undefined {
  let result = profile;
  for (const { $distinct_id, ...operations } of lines) {
    for (const [operation, argument] of Object.entries(operations)) {
      if (operation === '$delete') result = undefined;
      else if (operation === '$unset') result = without(result, argument as string[]);
      else {
        const step = MODEL[operation] as Step;
        result = Object.entries(argument as object).reduce((properties, [key, part]) => {
          const next = step(Object.hasOwn(properties, key) ? properties[key] : undefined, part as never);
          return Object.fromEntries([
            ...Object.entries(without(properties, [key])),
            ...(next === undefined ? [] : [[key, next]]),
          ]);
        }, result ?? {});
      }
    }
  }
  return result;
}

function without(properties: Properties | undefined, names: readonly string[]): Properties {
  return Object.fromEntries(Object.entries(properties ?? {}).filter(([key]) => !names.includes(key)));
}

describe('updates', () => {
  it('are tested for every operation', () => {
    expect(Object.keys(ARGUMENTS)).toEqual([...PERSON_OPERATIONS.keys()]);
  });

  it('agree with a plain model', () => {
    fc.assert(
      fc.property(profiles, updates, (profile, lines) => {
        expect(toSortedJson(applyUpdates(profile, lines) ?? null)).toBe(toSortedJson(model(profile, lines) ?? null));
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('have the same result at once and one by one', () => {
    fc.assert(
      fc.property(profiles, updates, (profile, lines) => {
        const oneByOne = lines.reduce((before, line) => applyUpdates(before, [line]), profile);
        expect(toSortedJson(applyUpdates(profile, lines) ?? null)).toBe(toSortedJson(oneByOne ?? null));
      }),
    );
  });

  it('change neither the profile nor their arguments', () => {
    fc.assert(
      fc.property(profiles, updates, (profile, lines) => {
        const before = JSON.stringify([profile, lines]);
        const once = toSortedJson(applyUpdates(profile, lines) ?? null);
        expect(JSON.stringify([profile, lines])).toBe(before);
        expect(toSortedJson(applyUpdates(profile, lines) ?? null)).toBe(once);
      }),
    );
  });

  it('obey their laws', () => {
    const some = ARGUMENTS as Readonly<Record<string, fc.Arbitrary<Properties>>>;
    const [values, lists] = [some.$set as fc.Arbitrary<Properties>, some.$union as fc.Arbitrary<Properties>];
    fc.assert(
      fc.property(profiles, values, values, lists, (profile, $set, other, $union) => {
        const names = Object.keys($set);
        expect(updateProfile(profile, { $set }, { $unset: names })).toEqual(updateProfile(profile, { $unset: names }));
        expect(updateProfile(profile, { $union }, { $union })).toEqual(updateProfile(profile, { $union }));
        expect(updateProfile(profile, { $set_once: $set }, { $set_once: other })).toEqual(
          updateProfile(profile, { $set_once: { ...other, ...$set } }),
        );
        expect(updateProfile(profile, { $set }, { $set: other })).toEqual(
          updateProfile(profile, { $set: { ...$set, ...other } }),
        );
      }),
    );
  });
});
