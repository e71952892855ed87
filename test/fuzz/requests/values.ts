import fc, { type Arbitrary } from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expressionText, funnelSteps } from '../../../src/queries/endpoints/kinds.ts';
import { NAMES } from '../../arbitraries.ts';
import { EVENTS, PROPERTIES, TEXTS } from '../../service/analytics/arbitraries.ts';
import { ODD_DATES, ODD_EXPRESSIONS, ODD_LISTS, ODD_NUMBERS, ODD_STRINGS } from './hostile-strings.ts';
import type { Declared, Schema } from './operation.ts';
import type { Target } from './target.ts';

const SMALL_NUMBERS = [1, 1, 2, 3, 5, 7, 12, 30, 90, 255];

/** Generates valid values of a parameter. Kinds that are not known here get strings. */
export function createValidValues(declared: Declared, target: Target): Arbitrary<unknown> {
  const { name, schema, takes } = declared;
  const { enum: words, minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema;
  if (words !== undefined) return fc.constantFrom(...words);
  if (schema.type === 'integer') {
    const fitting = SMALL_NUMBERS.filter((number) => number >= minimum && number <= maximum);
    const numbers = name.endsWith('_id') ? target.funnels.map(({ id }) => id) : fitting;
    return fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...numbers) }, fc.constant(minimum)).map(toStringOrNumber);
  }
  if (schema.format === 'date') return createDays(name, target);
  if (schema.pattern?.includes(':') === true) return createDays(name, target).map((day) => `${day} 12:30:00`);
  if (takes === funnelSteps.takes) return createSteps(target);
  if (schema.anyOf !== undefined) return createLists(name, schema.anyOf);
  if (takes === expressionText.takes) return fc.constantFrom(...target.expressions);
  return createStrings(name, target);
}

function createSteps({ expressions }: Target): Arbitrary<unknown> {
  const step = fc.record({ event: EVENTS, where: fc.constantFrom(...expressions) }, { requiredKeys: ['event'] });
  return fc.array(step, { minLength: 1, maxLength: 4 }).map((steps) => JSON.stringify(steps));
}

/** Generates values at and beyond the limits of a parameter. Some need JSON. */
export function createExtremeValues({ schema, takes }: Declared, isJson: boolean): Arbitrary<unknown> {
  const strings = fc.constantFrom<unknown[]>(...ODD_STRINGS);
  const own = getOddValues(schema, takes).map((values) => fc.constantFrom<unknown[]>(...values));
  const json = fc.constantFrom<unknown[]>(...ODD_JSON);
  return fc.oneof(strings, ...own, ...own, ...own, ...(isJson ? [json, json] : []));
}

/** Values that are not strings, and strings that are not well-formed Unicode. */
const ODD_JSON: readonly unknown[] = [
  ...[null, true, false, 0, 1, -1, 1.5, 2 ** 31, 2 ** 53, 1e308, -(2 ** 63)],
  ...[[], {}, [[]], [null], [1, 'a'], { a: 1 }, JSON.parse('{"__proto__": {"a": 1}}'), ['a'], { length: 1, 0: 'a' }],
  ...['\ud800', 'a\udc00b', ['\ud800'], createNestedList(2_000)],
];

function createNestedList(levels: number): unknown {
  let list: unknown = [];
  for (let level = 0; level < levels; level++) list = [list];
  return list;
}

function getOddValues(
  { type, format, pattern, minimum, maximum, anyOf }: Schema,
  takes: string,
): (readonly unknown[])[] {
  if (type === 'integer') {
    const edges = [minimum, maximum].flatMap((edge) => (edge === undefined ? [] : [edge - 1, edge, edge + 1]));
    return [[...ODD_NUMBERS, ...edges, ...edges.map(String)]];
  }
  if (format === 'date' || pattern?.includes(':') === true) return [ODD_DATES];
  if (anyOf !== undefined) return [ODD_LISTS];
  return takes === expressionText.takes ? [ODD_EXPRESSIONS] : [];
}

function toStringOrNumber(number: number): unknown {
  return number % 2 === 0 ? number : String(number);
}

/** Generates days near those of the data, mostly such that the range from or to them contains data. */
function createDays(name: string, { day }: Target): Arbitrary<string> {
  const distances = fc.constantFrom(0, 0, 0, 1, 1, 2, 3, 6, 7, 29, 31, 62);
  const sign = name.startsWith('from') ? -1 : 1;
  const mostly = { weight: 12, arbitrary: distances.map((distance) => sign * distance) };
  const any = fc.oneof(mostly, { weight: 1, arbitrary: fc.constantFrom(-400, -1, 1, 400) });
  return any.map((distance) => Temporal.PlainDate.from(day).add({ days: distance }).toString());
}

/** The strings of lists that are no names of events. */
const LISTED: Readonly<Record<string, Arbitrary<unknown>>> = {
  distinct_ids: fc.constantFrom('u1', 'u2', 'u3', '12', 'nobody'),
  output_properties: fc.constantFrom('plan', 'tags', 'age', 'x'),
};

/** Generates lists in JSON, or values of the other types in the schema. */
function createLists(name: string, schemas: readonly Schema[]): Arbitrary<unknown> {
  const items = schemas.find(({ type }) => type === 'array')?.items;
  if (items === undefined) {
    const state = fc.record({ readable: fc.boolean(), writable: fc.boolean() });
    const strings = fc.constantFrom<unknown[]>('1', 'true', '0');
    return schemas.some(({ type }) => type === 'object') ? state.map((value) => JSON.stringify(value)) : strings;
  }
  const values =
    items.type === 'string' ? (LISTED[name] ?? EVENTS) : fc.constantFrom<unknown[]>(...TEXTS, 0, 1, 2.5, true, null);
  return fc.array(values as Arbitrary<unknown>, { minLength: 1, maxLength: 5 }).map((list) => JSON.stringify(list));
}

function createStrings(name: string, { project, datasets, versions }: Target): Arbitrary<string> {
  const names = fc.oneof(PROPERTIES, fc.constantFrom(...NAMES.map(([own]) => own)));
  const ids = (known: Iterable<string>) => fc.constantFrom(...known, 'first', 'nowhere');
  const known: Readonly<Record<string, Arbitrary<string>>> = {
    name: names,
    dataset_id: ids(datasets.keys()),
    dataset_version: ids(versions.values()),
    version_id: ids(versions.values()),
    token: fc.constant(project.token),
    data: createBatches(project.token),
    description: fc.constantFrom(...TEXTS, 'x'.repeat(2_000)),
  };
  return Object.hasOwn(known, name) ? (known[name] as Arbitrary<string>) : EVENTS;
}

/** Generates batches of records in base64, valid and invalid. */
function createBatches(token: string): Arbitrary<string> {
  const records = fc.constantFrom<unknown[]>(
    { event: 'a', properties: { token, distinct_id: 'u1', time: 1_700_000_000 } },
    { $token: token, $distinct_id: 'u1', $set: { plan: 'pro' } },
    { $token: token, $distinct_id: 'u1', $add: { n: 1e308 } },
    { event: '', properties: {} },
    { $token: 'wrong' },
    ...ODD_JSON,
  );
  const json = fc.array(records, { maxLength: 4 }).map((list) => JSON.stringify(list));
  const bytes = fc.oneof({ weight: 4, arbitrary: json }, fc.constantFrom(...ODD_STRINGS, '['.repeat(50_000)));
  return fc.oneof(
    { weight: 8, arbitrary: bytes.map((text) => Buffer.from(text).toString('base64')) },
    fc.constantFrom('=', 'W10', 'W10=', 'W10==', '****', 'W1 0'),
  );
}
