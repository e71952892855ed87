import fc, { type Arbitrary } from 'fast-check';
import { compareStrings, type Properties } from '../../../src/lang/value.ts';
import type { PersonLine } from '../../../src/service/store/log-line.ts';
import { applyUpdates } from '../../../src/service/store/person-updates.ts';
import type { StoredEvent, StoredPerson } from '../../../src/service/store/store.ts';
import { codePoint } from '../../code-point.ts';

/** The time of the first event. */
export const START = 1_735_689_600;

export function eventAt(seconds: number, properties: Properties = {}): StoredEvent {
  return { event: 'a', properties: { distinct_id: 'u1', time: START + seconds, ...properties } };
}

export function timeOf({ properties }: StoredEvent): number {
  return properties.time as number;
}

export function nested(depth: number): unknown {
  return depth === 0 ? 'x' : { a: [nested(depth - 1)] };
}

export function manyProperties(prefix: string, count: number): Properties {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`${prefix}${index}`, index % 3 === 0 ? `${index}` : index]),
  );
}

const NAMES = [
  'a',
  'b',
  'A',
  '',
  '__proto__',
  'constructor',
  'a.b',
  'a/b',
  '~',
  '$x',
  "it's",
  '"',
  '日本 \u{1f600}',
  '\u0000',
  '1',
];

/** JSON values as `JSON.parse` returns them. */
const jsonValues: Arbitrary<unknown> = fc
  .oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom<unknown[]>(
        null,
        true,
        false,
        0,
        1,
        -1,
        1.5,
        1e21,
        5e-324,
        2 ** 63,
        '',
        'a',
        'null',
        [],
        {},
      ),
    },
    { weight: 1, arbitrary: fc.jsonValue({ stringUnit: codePoint, maxDepth: 3 }) },
  )
  .map((value) => JSON.parse(JSON.stringify(value)));

const properties: Arbitrary<Properties> = fc
  .uniqueArray(
    fc.tuple(fc.oneof(fc.constantFrom(...NAMES), fc.string({ unit: codePoint, maxLength: 5 })), jsonValues),
    {
      selector: ([name]) => name,
      maxLength: 8,
    },
  )
  .map((entries) => Object.fromEntries(entries));

const ids = fc.oneof(
  fc.constantFrom('u1', 'u2', '\ufeff', '\u0000'),
  fc.string({ unit: codePoint, minLength: 1 }),
  fc.integer(),
);

export const storedEvents: Arbitrary<StoredEvent> = fc.record({
  event: fc.oneof(fc.constantFrom('a', 'b'), fc.string({ unit: codePoint, minLength: 1 })),
  properties: fc.tuple(properties, ids).map(([own, distinct_id]) => ({ ...own, distinct_id })),
});

const UPDATES = ['$set', '$set_once', '$unset', '$delete'] as const;

export const updates: Arbitrary<PersonLine> = fc
  .tuple(fc.constantFrom('a', 'b', 'c', '\u0000', '\u{1f600}'), fc.constantFrom(...UPDATES), properties)
  .map(([$distinct_id, operation, changed]) => {
    const operand = operation === '$unset' ? Object.keys(changed) : operation === '$delete' ? '' : changed;
    return { $distinct_id, [operation]: operand };
  });

/** Gives all events different times, in random order. */
export function assignTimes(flushed: readonly (readonly StoredEvent[])[]): StoredEvent[][] {
  let count = 0;
  const time = () => START + ((++count * 7) % 101);
  return flushed.map((part) =>
    part.map(({ event, properties }) => ({ event, properties: { ...properties, time: time() } })),
  );
}

/** Returns the people after all updates. */
export function foldUpdates(lines: readonly PersonLine[]): StoredPerson[] {
  const updates = new Map<string, PersonLine[]>();
  for (const line of lines)
    updates
      .set(line.$distinct_id, updates.get(line.$distinct_id) ?? [])
      .get(line.$distinct_id)
      ?.push(line);
  const people = [...updates].flatMap(([id, own]): [string, Properties][] => {
    const profile = applyUpdates(undefined, own);
    return profile === undefined ? [] : [[id, profile]];
  });
  const sorted = people.sort(([left], [right]) => compareStrings(left, right));
  return sorted.map(([distinctId, profile]) => ({ distinctId, properties: JSON.parse(JSON.stringify(profile)) }));
}

/** Converts values to JSON, which compares own properties of every name and shows differences briefly. */
export function toJson(values: readonly unknown[]): string[] {
  return values.map((value) => JSON.stringify(value));
}

export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

export async function rest<Item>(iterator: AsyncIterator<Item>): Promise<Item[]> {
  return all({ [Symbol.asyncIterator]: () => iterator });
}
