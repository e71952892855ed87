import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical, isAlways, isNever, relate, simplify } from '../src/api/relate.ts';
import { drawPair, drawValueFirstPair, findWrongWitness, judgeFilter, judgePair, toAnswer } from './relation-law.ts';
import { runs, splitRuns } from './runs.ts';

const PAIRS = runs(1_000, 80);

describe.each([
  ['drawn around few constants', drawPair, 0.9],
  ['drawn around values', drawValueFirstPair, 0.6],
] as const)(`the relations of ${PAIRS} pairs %s`, (_, draw, share) => {
  it(
    'hold for all records, and their witnesses show them',
    () => {
      const seen = new Map<string, number>();
      const law = fc.property(fc.noShrink(fc.noBias(fc.nat())), (seed) => {
        const pair = draw(seed);
        const judged = judgePair(pair);
        expect(judged?.mistake).toBeUndefined();
        expect(judgeFilter(pair)?.mistake).toBeUndefined();
        const name = judged?.relation ?? 'refused';
        seen.set(name, (seen.get(name) ?? 0) + 1);
      });
      const { seeded, fresh } = splitRuns(PAIRS);
      fc.assert(law, seeded);
      if (process.env.ONWHERE_RUNS !== undefined) console.log(seen);
      const [all, unknown] = [[...seen.values()].reduce((sum, count) => sum + count, 0), seen.get('unknown') ?? 0];
      expect(1 - unknown / all).toBeGreaterThan(share);
      expect([...seen.keys()]).toEqual(
        expect.arrayContaining(['equal', 'implies', 'implied-by', 'disjoint', 'overlap']),
      );
      fc.assert(law, fresh);
    },
    6 * 3_600_000,
  );
});

describe(`the forms of ${PAIRS} filters`, () => {
  it(
    'answer and fail as the filters do',
    () => {
      const seen = { equal: 0, sameText: 0, shorter: 0 };
      const law = fc.property(fc.noShrink(fc.noBias(fc.nat())), (seed) => {
        const { left, right, records } = drawPair(seed);
        const [answer, other] = [toAnswer(left), toAnswer(right)];
        if (answer === undefined || other === undefined) return;
        const [normal, shortest] = [canonical(left), simplify(left)];
        expect(canonical(normal)).toBe(normal);
        expect(shortest.length).toBeLessThanOrEqual(left.length);
        for (const text of [normal, shortest]) {
          expect(['equal', 'unknown']).toContain(relate(left, text).relation);
          const same = toAnswer(text);
          for (const record of records) expect(same?.(record)).toBe(answer(record));
        }
        if (shortest.length < normal.length) seen.shorter++;
        const hasSameText = normal === canonical(right);
        const { relation } = relate(left, right);
        if (hasSameText) expect(['equal', 'unknown']).toContain(relation);
        if (left !== right && relation === 'equal') {
          seen.equal++;
          if (hasSameText) seen.sameText++;
        }
      });
      const { seeded, fresh } = splitRuns(PAIRS);
      fc.assert(law, seeded);
      if (process.env.ONWHERE_RUNS !== undefined) console.log(seen);
      expect(seen.shorter).toBeGreaterThan(PAIRS / 20);
      fc.assert(law, fresh);
    },
    6 * 3_600_000,
  );

  it.each([
    ['5 < properties["a"]', 'properties["a"] > 5'],
    ['event["a"] == 1 AND (true)', 'properties["a"] == 1'],
    ['"b" == properties["a"] or properties["a"] in ["a", "b"]', 'properties["a"] in ["a", "b"]'],
    ['not (properties["a"] == 1 or properties["b"] > 2)', 'not properties["b"] > 2 and properties["a"] != 1'],
    ['not (properties["a"] and properties["a"])', 'not (properties["a"] and true)'],
    ['datetime(properties["a"]) < datetime("2025-01-01")', 'properties["a"] < datetime(1735689600)'],
    ['properties["a"] in [-5]', 'properties["a"] == -5'],
    ['not ((properties["a"] and true) != true and user["a"] > true)', '(properties["a"] and true) == true or true'],
    ['datetime(properties["a"]) in [5]', 'datetime(properties["a"]) in [5]'],
  ])('write %s as %s', (source, normal) => {
    expect(canonical(source)).toBe(normal);
    expect(relate(source, normal).relation).toBe('equal');
  });

  it.each([
    ['properties["n"] > 5 and properties["n"] > 3', 'properties["n"] > 5'],
    ['properties["a"] == 1 and properties["a"] == 2', 'false'],
    ['defined(properties["a"]) or not defined(properties["a"])', 'true'],
    ['properties["a"] == 1 or properties["a"] == 2', 'properties["a"] in [1, 2]'],
    ['(properties["a"] == 1 and properties["b"] == 2) or properties["a"] == 1', 'properties["a"] == 1'],
    // Without the first part, it would not fail for a string.
    ['properties["a"] and properties["a"] == true', 'properties["a"]'],
    ['properties["a"] == 1 and properties["b"]', 'properties["a"] == 1 and properties["b"]'],
  ])('shorten %s to %s', (source, shortest) => {
    expect(simplify(source)).toBe(shortest);
  });
});

describe('the relation of', () => {
  it.each([
    ['properties["a"] == 1 and properties["a"] == 2', 'false', 'equal'],
    ['properties["a"] != "x" or properties["a"] != "y"', 'true', 'equal'],
    ['properties["a"] > 10 and properties["a"] < 5', 'false', 'equal'],
    ['defined(properties["a"]) or not defined(properties["a"])', 'true', 'equal'],
    ['properties["a"] == "x" and not defined(properties["a"])', 'false', 'equal'],
    ['properties["a"] == "US" or properties["a"] in ["US", "DE"]', 'properties["a"] in ["US", "DE"]', 'equal'],
    ['properties["a"] in ["x", "x"]', 'properties["a"] == "x"', 'equal'],
    ['number(properties["a"]) > 5 and number(properties["a"]) > 3', 'number(properties["a"]) > 5', 'equal'],
    ['"foobar" in properties["a"]', '"foo" in properties["a"]', 'overlap'],
    ['"foobar" in string(properties["a"])', '"foo" in string(properties["a"])', 'implies'],
    ['properties["a"] >= "2025-01-01"', 'datetime(properties["a"]) >= datetime("2025-01-01")', 'overlap'],
    ['properties["a"] * 3 == 0.3', 'properties["a"] == 0.1', 'disjoint'],
    ['floor(properties["a"] / 100) * 100 == 250', 'false', 'equal'],
    ['properties["a"] + 1 > 1', 'properties["a"] > 0', 'implies'],
    ['1 / properties["a"] > 0', 'properties["a"] > 0', 'implies'],
    ['properties["a"] < properties["b"] and properties["a"] > properties["b"]', 'false', 'equal'],
    [
      'properties["a"] <= properties["b"] and properties["a"] >= properties["b"]',
      'properties["a"] == properties["b"]',
      'implies',
    ],
    ['properties["a"] + properties["b"] > 3', 'properties["a"] + properties["b"] > 2', 'implies'],
    ['properties["a"] == properties["b"]', 'properties["b"] == properties["a"]', 'equal'],
    ['now > 5 and now < 3', 'false', 'equal'],
    ['properties["t"] > now - 86400', 'properties["t"] > now - 604800', 'implies'],
    ['properties["t"] > now and properties["t"] < now - 5', 'false', 'equal'],
    ['datetime(properties["t"]) >= datetime(now - 60)', 'datetime(properties["t"]) >= datetime(now - 30)', 'overlap'],
    ['now < 4294967296', 'true', 'equal'],
    ['properties["a"]', 'properties["a"] == true', 'implies'],
    ['properties["a"] and true', 'properties["a"]', 'equal'],
    ['not properties["a"]', 'not (properties["a"] and true)', 'implies'],
    ['properties["a"] < "a" and "a" in properties["a"]', 'false', 'implied-by'],
    ['"ab" in properties["a"] and not "b" in properties["a"] and properties["a"] > ""', 'false', 'equal'],
    ['number(properties["a"]) < 0 and properties["a"] > "/"', 'false', 'equal'],
    ['datetime(properties["a"]) < datetime("2020-01-01") and properties["a"] > "2021"', 'false', 'equal'],
    ['boolean(properties["a"]) == true and not defined(properties["a"])', 'false', 'equal'],
    ['string(properties["a"]) == "5" and properties["a"] != 5 and properties["a"] != "5"', 'false', 'equal'],
    ['properties["a"] in "abc" and properties["a"] > "c"', 'false', 'equal'],
    ['1 in properties["a"] and properties["a"] == 1', 'false', 'equal'],
    ['properties["a"] + "b" == "ab"', 'properties["a"] == "a"', 'unknown'],
    ['properties["a"] % 3 == 5', 'false', 'equal'],
    // Infinitely many periods are not followed, but bounded ones are.
    ['floor(properties["a"] / 100) % 2 == 1', 'floor(properties["a"] / 100) % 2 == 0', 'unknown'],
    ['floor(properties["a"] / 100) % 2 == 3', 'false', 'equal'],
    ['floor(properties["a"] / 100) % 2 == 1 and properties["a"] >= 0 and properties["a"] < 100', 'false', 'equal'],
    ['properties["a"] % 2 == 1 and properties["a"] >= 0 and properties["a"] < 4', 'properties["a"] in [1, 3]', 'equal'],
    ['-properties["a"] > 3', 'properties["a"] < -3', 'equal'],
    ['round(properties["a"]) == 1', 'properties["a"] >= 0.5 and properties["a"] < 1.5', 'equal'],
    ['ceil(properties["a"]) > 2', 'properties["a"] > 2', 'equal'],
    ['floor(properties["a"]) >= 2', 'properties["a"] >= 2', 'equal'],
    ['(properties["a"] and true) == true', 'properties["a"] == true', 'implies'],
    ['properties["a"] == "x"', 'properties["b"] == "x"', 'overlap'],
    ['user["a"] == 1', 'properties["a"] == 1', 'overlap'],
    ['event["a"] == 1', 'properties["a"] == 1', 'equal'],
    ['properties["a"] > "a" and properties["a"] < "a\\u0000"', 'false', 'equal'],
    ['"a" in properties["a"] and "b" in properties["a"]', '"b" in properties["a"]', 'implies'],
    [
      'properties["a"] > "a" and properties["a"] < "c" and not "a" in properties["a"]',
      'properties["a"] == "b"',
      'implied-by',
    ],
    ['not properties["a"]', 'properties["a"] == false', 'implied-by'],
    ['properties["a"] > properties["b"]', 'properties["a"] == properties["b"]', 'disjoint'],
    ['properties["a"] < properties["b"]', 'properties["a"] != properties["b"]', 'implies'],
    ['properties["a"] < properties["b"]', 'properties["b"] > properties["a"]', 'equal'],
    ['properties["a"] < properties["b"]', 'properties["b"] < properties["a"]', 'disjoint'],
    ['not properties["a"] >= properties["b"]', 'properties["a"] < properties["b"]', 'implied-by'],
    ['properties["a"] in ["x", 1]', 'properties["a"] in [1, "y"]', 'overlap'],
    ['properties["a"] and properties["b"]', 'properties["b"] and properties["a"]', 'equal'],
    ['properties["a"] == 1 and properties["b"]', 'properties["a"] == 1 and properties["b"] == true', 'implies'],
  ] as const)('%s to %s is %s', (left, right, relation) => {
    const found = relate(left, right);
    expect(found.relation).toBe(relation);
    const [one, other] = [toAnswer(left), toAnswer(right)];
    if (one !== undefined && other !== undefined) expect(findWrongWitness(found, one, other)).toBeUndefined();
    const turned = { equal: 'equal', implies: 'implied-by', 'implied-by': 'implies' }[relation as 'equal'] ?? relation;
    const fails = found.leftFails !== undefined || found.rightFails !== undefined;
    if (!fails) expect(relate(right, left).relation).toBe(turned);
  });

  it('filters under a schema is that of the records that it allows', () => {
    const schema = { properties: { a: { types: ['string' as const], values: ['x', 'y'] } } };
    const options = { schema };
    expect(relate('properties["a"] == "x"', 'properties["a"] != "y"', options)).toEqual({
      relation: 'implies',
      both: { properties: { a: 'x' } },
      onlyRight: { properties: {} },
    });
    expect(isAlways('not properties["a"] == "z"', options).answer).toBe('yes');
    expect(isNever('properties["a"] == 1', options).answer).toBe('yes');
  });

  it('dates depends on the time zone', () => {
    const [local, utc] = [
      'datetime(properties["a"]) == datetime("2025-06-01")',
      'datetime(properties["a"]) == 1748736000',
    ];
    expect(relate(local, utc).relation).toBe('equal');
    expect(relate(local, utc, { timeZone: 'Europe/Berlin' }).relation).toBe('disjoint');
  });

  it('filters that take too many steps is unknown', () => {
    const [left, right] = ['properties["a"] > 5', 'properties["a"] > 3'];
    expect(relate(left, right, { steps: 5 }).relation).toBe('unknown');
    expect(isNever(left, { steps: 0 })).toEqual({ answer: 'unknown' });
  });

  it.each([
    ['many properties', (index: number) => `properties["p${index}"] < properties["p${index + 1}"]`],
    ['many remainders', (index: number) => `properties["a"] % ${index + 2} == 1`],
    ['many substrings', (index: number) => `"x${index}" in properties["a"]`],
    ['many ordered strings', (index: number) => `properties["a"] > "x${index}" and "y${index}" in properties["a"]`],
  ])('filters with %s needs no more steps than allowed', (_, toCondition) => {
    const filter = Array.from({ length: 400 }, (_, index) => toCondition(index)).join(' and ');
    expect(relate(filter, `${filter} and user["b"] == 1`).relation).toBe('unknown');
    expect(simplify(filter)).toBe(filter);
  });
});
