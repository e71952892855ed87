import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check } from '../../src/api/expressions.ts';
import { getEventKey, getKey, getTypeKey, listKeys, listNamed, Occurrences } from '../../src/data/occurrences.ts';
import { findAbsentNames, listNamedInRequest } from '../../src/queries/absent-names.ts';
import { addLastKey } from '../../src/queries/endpoints/warnings.ts';
import { FileAnswer } from '../../src/service/analytics/execution/stored-answer.ts';
import { runs, splitRuns } from '../runs.ts';
import { FILTERS, SEGMENTS, worlds } from '../service/analytics/arbitraries.ts';
import { occurrencesOf } from '../service/analytics/reference/occurrence.ts';
import { Reference } from '../service/analytics/reference.ts';

const valid = (expressions: fc.Arbitrary<string>) => expressions.filter((source) => check(source).ok);

describe('findAbsentNames', () => {
  it('warns of exactly what no record has', async () => {
    const names = fc.array(fc.constantFrom('a', 'b', 'never done'), { maxLength: 2 });
    const seen = { warned: 0, silent: 0 };
    const property = fc.asyncProperty(
      worlds,
      valid(FILTERS),
      valid(SEGMENTS),
      names,
      async (world, where, on, events) => {
        const sources = [where, on];
        const warnings = await findAbsentNames({ events, sources, ofPeople: false }, new Reference(world));
        const named = listNamed({ sources, now: 0 });
        const missing = new Set([...listKeys(named), ...events.map(getEventKey)]);
        const occurrences = new Occurrences(named);
        const records = occurrencesOf(world.versions);
        for (const { event, properties, profile } of records) {
          missing.delete(getEventKey(event));
          occurrences.add({ event, properties, user: profile } as Parameters<typeof occurrences.add>[0]);
        }
        // People without events have properties too.
        for (const { properties } of world.versions.flatMap(({ people }) => people))
          for (const name of Object.keys(properties))
            missing.delete(getKey({ scope: 'user', name, values: [], types: [] }));
        for (const key of occurrences.take()) missing.delete(key);
        for (const property of named.properties) {
          // The counts of names have no types.
          for (const type of property.types) missing.delete(getTypeKey(property, type));
          // The values of an absent property are not told as well. Values that look alike count as one.
          if (missing.has(getKey(property)))
            for (const value of property.values) missing.delete(getKey(property, value));
          else
            for (const value of property.values)
              if (/^[\d.]+$|^(?:true|false|null)$/.test(String(value))) missing.delete(getKey(property, value));
        }
        seen[warnings.length > 0 ? 'warned' : 'silent']++;
        expect(warnings.filter((text) => !/"(?:\d[\d.]*|true|false|null)" never occurs/.test(text))).toHaveLength(
          missing.size,
        );
      },
    );
    const { seeded, fresh } = splitRuns(runs(100));
    await fc.assert(property, seeded);
    expect(Math.min(seen.warned, seen.silent)).toBeGreaterThan(0);
    await fc.assert(property, fresh);
  });

  it('says nothing of names that may be among those that were not counted', async () => {
    const many = Array.from({ length: 5000 }, (_, index) => ({ name: `n${index}`, count: 1 }));
    const queries = { names: async () => many, values: async () => many };
    const named = { events: ['x'], sources: ['properties["y"] == "z"'], ofPeople: false };
    expect(await findAbsentNames(named, queries)).toEqual([]);
  });
});

describe('listNamedInRequest', () => {
  it('finds events and expressions of every query', () => {
    const steps = [{ event: 's', where: 'true' }, { event: 't' }];
    const request = {
      event: 'a',
      bornEvent: 'b',
      events: ['c'],
      steps,
      where: 'w',
      on: 'o',
      bornWhere: 'v',
      name: 'n',
    };
    expect(listNamedInRequest(request)).toEqual({
      events: ['a', 'b', 'c', 's', 't'],
      sources: ['w', 'o', 'v', 'true', 'properties["n"]'],
      ofPeople: false,
    });
    expect(listNamedInRequest({ limit: 5 })).toEqual({ events: [], sources: [], ofPeople: false });
  });
});

describe('addLastKey', () => {
  const texts = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value));

  it('adds a last key to any object', () => {
    fc.assert(
      fc.property(texts, fc.array(fc.string()), (text, warnings) => {
        const result = addLastKey(text, 'warnings', warnings) as string;
        expect(JSON.parse(result)).toEqual({ ...JSON.parse(text), warnings });
      }),
    );
  });

  it('adds the same to a long answer, in chunks of any size, and tells its size', async () => {
    const property = fc.asyncProperty(
      texts,
      fc.array(fc.string()),
      fc.integer({ min: 1, max: 9 }),
      async (text, warnings, size) => {
        fc.pre(text !== '{}');
        const bytes = Buffer.from(text);
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
          bytes.subarray(at * size, (at + 1) * size),
        );
        const answer = addLastKey(new FileAnswer(bytes.length, Readable.from(chunks)), 'warnings', warnings);
        if (typeof answer === 'string') throw new Error('expected a stream');
        const found = await buffer(answer.stream);
        expect([found.toString(), found.length]).toEqual([addLastKey(text, 'warnings', warnings), answer.bytes]);
      },
    );
    await fc.assert(property);
  });

  it('closes the file of an answer that nobody reads', async () => {
    const file = new Readable({ read() {} });
    const answer = addLastKey(new FileAnswer(2, file), 'warnings', []);
    if (typeof answer === 'string') throw new Error('expected a stream');
    answer.stream.destroy();
    await expect.poll(() => file.destroyed).toBe(true);
  });
});
