import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject } from '../../src/base/json.ts';
import { parseJson } from '../../src/base/parse-json.ts';
import { ObjectSplitter } from '../../src/data/object-splitter.ts';

/** Splits a text in chunks of some bytes. Returns the JSON of each record, or the problem with it. */
function splitRecords(text: string, chunk: number, path?: string): unknown[] {
  const [bytes, splitter] = [Buffer.from(text), new ObjectSplitter(undefined, path)];
  const found = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, index) =>
    splitter.feed(bytes.subarray(index * chunk, (index + 1) * chunk)),
  );
  return [...found.flat(), ...splitter.end()].map((raw) => ('text' in raw ? parseJson(raw.text) : raw.problem));
}

/**
 * Returns the records of the lists that have a path, also through other lists, in the order of the object. Undefined if
 * there is no list.
 */
function findRecords(object: JsonObject, path: readonly string[]): unknown[] | undefined {
  const lists = Object.entries(object).flatMap(([name, value]): unknown[][] => {
    const parts = name.split('.');
    if (parts.some((part, index) => part !== path[index])) return [];
    const rest = path.slice(parts.length);
    if (rest.length === 0) return Array.isArray(value) ? [value] : [];
    const objects = (Array.isArray(value) ? value : [value]).filter(isJsonObject);
    return objects.flatMap((one) => {
      const records = findRecords(one, rest);
      return records === undefined ? [] : [records];
    });
  });
  return lists.length === 0 ? undefined : lists.flat();
}

/** Writes every character of the names that is not ASCII as Python does. */
function escapeLetters(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const { object } = fc.letrec<{ value: unknown; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(1, 'é', 'b', '"}]', '[{', null, true),
    tie('object'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(tie('object'), { maxLength: 3 }),
  ),
  object: fc.dictionary(fc.constantFrom('é', 'b', 'é.b', '"]', '\\'), tie('value'), { maxKeys: 3 }),
}));

describe('the list at a path', () => {
  it('has the records of the JSON, in each object and in chunks of any size', () => {
    const layout = fc.record({
      indent: fc.constantFrom(0, 1),
      joint: fc.constantFrom('', '\n', '\r\n'),
      escapes: fc.boolean(),
      inList: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(object, { maxLength: 3 }),
        fc.constantFrom('é', 'é.b', 'é.b.b'),
        fc.integer({ min: 1, max: 30 }),
        layout,
        (objects, path, chunk, { indent, joint, escapes, inList }) => {
          const texts = objects.map((one) => JSON.stringify(one, null, indent));
          const written = texts.map((json) => (escapes ? escapeLetters(json) : json));
          const text = inList ? `[${written.join(`${joint},`)}]` : written.join(joint);
          const expected = objects.flatMap(
            (one) => findRecords(one, path.split('.')) ?? [`there is no list "${path}" in this object`],
          );
          expect(splitRecords(text, chunk, path)).toEqual(expected);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('has records with the members that objects of outer lists have before it', () => {
    const members = fc.dictionary(
      fc.constantFrom('x', 'y', '"]', 'b'),
      fc.constantFrom<unknown>(1, '[{', null, [{ b: [1] }], { y: 2 }),
      { maxKeys: 3 },
    );
    const items = fc.array(fc.constantFrom<unknown>({ x: 3 }, {}, 4), { maxLength: 2 });
    const part = fc.record({ before: members, items, after: members });
    const order = fc.record({ before: members, parts: fc.array(part, { maxLength: 3 }), after: members });
    const write = (pairs: readonly (readonly [string, unknown])[], indent: number) =>
      `{${pairs.map(([name, value]) => `${JSON.stringify(name)}: ${typeof value === 'string' && value.startsWith('@') ? value.slice(1) : JSON.stringify(value, null, indent)}`).join(', ')}}`;
    fc.assert(
      fc.property(
        fc.array(order, { maxLength: 3 }),
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(0, 1),
        (orders, chunk, indent) => {
          const without = (object: JsonObject, name: string) => Object.entries(object).filter(([key]) => key !== name);
          const texts = orders.map(({ before, parts, after }) => {
            const written = parts.map((one) =>
              write([...without(one.before, 'b'), ['b', one.items], ...without(one.after, 'b')], indent),
            );
            return write(
              [...Object.entries(before), ['parts', `@[${written.join(', ')}]`], ...Object.entries(after)],
              indent,
            );
          });
          const expected = orders.flatMap(({ before, parts }) =>
            parts.flatMap((one) =>
              one.items.map(() => ({ ...before, ...Object.fromEntries(without(one.before, 'b')) })),
            ),
          );
          const [bytes, splitter] = [
            Buffer.from(`{"n": 1, "o": [${texts.join(', ')}]}`),
            new ObjectSplitter(undefined, 'o.parts.b'),
          ];
          const found = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, index) =>
            splitter.feed(bytes.subarray(index * chunk, (index + 1) * chunk)),
          ).flat();
          const read = found.flatMap((raw) => ('text' in raw ? [raw.around ?? {}] : []));
          expect(read).toEqual(expected);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is not in a list within a list, and strings of lists are no names', () => {
    const problem = 'there is no list "é.b.b" in this object';
    for (const text of ['{"é": ["b", {"b": [1]}]}', '{"é": [[{"b": {"b": [1]}}]]}', '{"é": {"b": ["b", [1]]}}'])
      for (let chunk = 1; chunk <= text.length; chunk++) expect(splitRecords(text, chunk, 'é.b.b')).toEqual([problem]);
  });

  it.each([
    ['{"a": [{"b": 1}]', [{ b: 1 }, 'the object is not closed']],
    ['{"a": [{"b": 1}', ['the object is not closed']],
    ['[{"a": [{"b": 1}]}, {"b": []}, 7]', [{ b: 1 }, 'there is no list "a" in this object']],
    ['[{"a": [{"b": 1}]}', [{ b: 1 }, 'the object is not closed']],
    ['{"a": []} 7', ['text after the end of the object']],
    ['a,b\n1,2\n', ['expected a JSON object around the records']],
    ['', []],
  ])('is refused with what is wrong around it: %s', (text, expected) => {
    for (let chunk = 1; chunk <= text.length; chunk++) expect(splitRecords(text, chunk, 'a')).toEqual(expected);
  });
});

it('the requests that a browser has recorded are found without a path', () => {
  const log = { version: '1.2', pages: [{ id: 'page_1' }], entries: [{ time: 1 }, { time: 2 }] };
  const text = JSON.stringify({ log }, null, 2);
  for (const chunk of [1, 7, 1000]) expect(splitRecords(text, chunk)).toEqual(log.entries);
});
