import type { Random } from '../src/data/random.ts';
import { roundDownToNext, roundUpToNext } from '../src/lang/adjacent-doubles.ts';
import { parseDateTime } from '../src/lang/operators/time.ts';
import { parseDecimal, type Scalar, type Value } from '../src/lang/value.ts';
import { TRICKY_VALUES } from './arbitraries.ts';

/** A record with its user and a time in Unix seconds. */
interface Input {
  readonly properties: Record<string, Value>;
  readonly user: Record<string, Value>;
  readonly now: number;
}

const PROPERTIES = ['properties["a"]', 'properties["a"]', 'properties["a"]', 'properties["b"]', 'user["a"]'];

// biome-ignore format: data, to be read by its rows
const NUMBERS = [0, 1, 2, 3, 5, -1, 0.5, 2.5, 0.1, 0.3, 10, 100, 1e21, 5e-324, 1e308, 4294967295, 4294967296, 1735689600, 1735689600000, 1750000000];
// biome-ignore format: data, to be read by its rows
const STRINGS = [
  '', 'a', 'b', 'ab', 'aba', 'abc', 'foo', 'foobar', 'oo', 'US', '0', '1', '5', '05', '5.0', '1e1', '-1', '+', '.', 'true', 'yes', 'no',
  '2025-01-01', '2025-06-15', '2025-01-01T00:00:00', '2024-12-31T23:00:00-01:00', '2025', '2025-1', '2025-02-30', '2020-02-29',
  '\u0000', 'a\u0000', '\u{1f600}', '\uffff', 'é', '~', ' ',
];
const COMPARISONS = ['==', '!=', '<', '<=', '>', '>='];

function oneOf<Item>(random: Random, items: readonly Item[]): Item {
  return items[random.integer(0, items.length - 1)] as Item;
}

function number(random: Random): string {
  const drawn = oneOf(random, NUMBERS);
  return drawn < 0 ? `-${-drawn}` : String(drawn);
}

const text = (random: Random) => JSON.stringify(oneOf(random, STRINGS));
const constant = (random: Random) => oneOf(random, [number, text, text, () => 'true'])(random);
const list = (random: Random) => `[${Array.from({ length: random.integer(1, 3) }, () => constant(random)).join(', ')}]`;
const time = (random: Random) =>
  oneOf(random, [
    () => `datetime(${text(random)})`,
    () => 'datetime("2025-01-01")',
    () => `datetime(${number(random)})`,
    () => `datetime(now - ${oneOf(random, [0, 1, 86400])})`,
  ])();

type Draw = (random: Random, property: string) => string;

const compare = (random: Random, left: string, right: string) => {
  const sides = random.chance(0.8) ? [left, right] : [right, left];
  return sides.join(` ${oneOf(random, COMPARISONS)} `);
};

/** The conditions of a property, each in several ways. */
const CONDITIONS: readonly Draw[] = [
  (random, property) => compare(random, property, constant(random)),
  (random, property) => compare(random, property, constant(random)),
  (random, property) => compare(random, property, text(random)),
  (random, property) => compare(random, property, number(random)),
  (random, property) => `${property} in ${list(random)}`,
  (random, property) => `${constant(random)} in ${property}`,
  (random, property) => `${text(random)} in ${property}`,
  (random, property) => `${property} in ${text(random)}`,
  (_, property) => `defined(${property})`,
  (_, property) => property,
  (random, property) => compare(random, `number(${property})`, number(random)),
  (random, property) => compare(random, `string(${property})`, text(random)),
  (random, property) => compare(random, `boolean(${property})`, oneOf(random, ['true', 'false'])),
  (random, property) => compare(random, `datetime(${property})`, time(random)),
  (random, property) => compare(random, property, time(random)),
  (random, property) => compare(random, `${oneOf(random, ['floor', 'round', 'ceil'])}(${property})`, number(random)),
  (random, property) =>
    compare(random, `${property} ${oneOf(random, ['+', '-', '*', '/', '%'])} ${number(random)}`, number(random)),
  (random, property) =>
    compare(random, `${number(random)} ${oneOf(random, ['-', '/', '%'])} ${property}`, number(random)),
  (random, property) =>
    compare(
      random,
      `floor(${property} / ${oneOf(random, [1, 3, 100])}) % ${oneOf(random, [2, 3, 0.5])}`,
      String(oneOf(random, [0, 1, 2])),
    ),
  (random, property) => compare(random, `${property} + ${text(random)}`, text(random)),
  (random, property) => compare(random, property, oneOf(random, PROPERTIES)),
  (random, property) =>
    compare(random, `${property} ${oneOf(random, ['+', '*'])} ${oneOf(random, PROPERTIES)}`, constant(random)),
  (random, property) => `${property} in ${oneOf(random, PROPERTIES)}`,
  (random, property) => compare(random, property, `now - ${oneOf(random, [0, 1, 86400, 604800])}`),
  (random, property) => compare(random, `(${property} and true)`, 'true'),
];

function condition(random: Random): string {
  return oneOf(random, CONDITIONS)(random, oneOf(random, PROPERTIES));
}

function filter(random: Random, conditions: readonly string[], depth: number): string {
  if (depth === 0 || random.chance(0.2)) return oneOf(random, conditions);
  if (random.chance(0.2)) return `not (${filter(random, conditions, depth - 1)})`;
  const operands = Array.from({ length: random.integer(2, 3) }, () => filter(random, conditions, depth - 1));
  return `(${operands.join(` ${oneOf(random, ['and', 'or'])} `)})`;
}

/** Draws two filters that share conditions and constants. */
export function drawFilter(random: Random): readonly [left: string, right: string] {
  const conditions = Array.from({ length: random.integer(1, 4) }, () => condition(random));
  const draw = () => filter(random, conditions, random.integer(0, 2));
  const left = draw();
  const other = random.chance(0.5) ? draw() : condition(random);
  return [left, oneOf(random, [other, `(${left}) and (${other})`, `(${left}) or (${other})`, `not (${other})`])];
}

/** Draws records with the values that filters are about, and with those close to them. */
export function drawRecords(random: Random, sources: readonly string[], count: number): readonly Input[] {
  const written = sources.flatMap((source) => source.match(/"(?:[^"\\]|\\.)*"|\d[\d.e+-]*/g) ?? []);
  const constants = written.flatMap((word): Value[] => {
    const value: Scalar = JSON.parse(word.replace(/^\./, '0.').replace(/[.e+-]+$/, ''));
    return [value, ...near(value)];
  });
  const value = () => {
    const drawn = random.chance(0.75) ? oneOf(random, constants) : oneOf(random, TRICKY_VALUES);
    return random.chance(0.1) ? ([drawn, oneOf(random, constants)].flat() as Scalar[]) : drawn;
  };
  return Array.from({ length: count }, () => {
    const a = value();
    const b = random.chance(0.3) ? a : value();
    const now = value();
    return {
      properties: { a, b },
      user: { a: random.chance(0.2) ? a : value() },
      now: typeof now === 'number' && Number.isInteger(now) && now <= 4294967295 ? now : 1735689600,
    };
  });
}

function near(value: Scalar): Value[] {
  if (typeof value === 'number') {
    const dates = value > 0 && value < 4e9 ? [new Date(value * 1000).toISOString()] : [];
    return [
      value + 1,
      value - 1,
      -value,
      roundUpToNext(value),
      roundDownToNext(value),
      String(value),
      `0${value}`,
      `${value}.0`,
      value / 3,
      value * 1000,
      [value],
      ...dates,
    ];
  }
  if (typeof value !== 'string') return [!value, String(value)];
  const numbers = [parseDecimal(value), parseDateTime(value)].filter((number) => number !== undefined);
  return [
    `${value}a`,
    `${value}\u0000`,
    value.slice(1),
    value.slice(0, -1),
    `a${value}`,
    `~${value}`,
    `${value}${value}`,
    [value],
    [value, 'a'],
    `${value}T10:00:00+05:00`,
    ...numbers,
  ];
}

/** The values of a property, each in several ways. */
const VALUES: readonly Draw[] = [
  (_, property) => property,
  (_, property) => property,
  (random, property) => `${oneOf(random, ['string', 'number', 'boolean', 'datetime', 'floor', '-'])}(${property})`,
  (random, property) => `number(${property}) ${oneOf(random, ['+', '-', '*', '/', '%'])} ${number(random)}`,
  (random, property) => `${property} ${oneOf(random, ['+', '-', '*'])} ${constant(random)}`,
  (random, property) => `${property} + ${oneOf(random, PROPERTIES)}`,
  (random, property) => `${text(random)} + string(${property})`,
  (_, property) => `(${property} and true)`,
  (random) => constant(random),
  (random) => condition(random),
  (random, property) => filter(random, [condition(random), property], 1),
];

/** Draws two expressions whose values are often the same on some records. */
export function drawValues(random: Random): readonly [left: string, right: string] {
  const draw = () => oneOf(random, VALUES)(random, oneOf(random, PROPERTIES));
  const left = draw();
  const changed = [
    () => draw(),
    () => draw(),
    () => `${oneOf(random, ['string', 'number', 'boolean', 'floor', 'round', '-'])}(${left})`,
    () => `(${left}) ${oneOf(random, ['+ 0', '* 1', '+ ""', '+ 1', 'or false', '== true'])}`,
    () => left.replaceAll('properties', 'event'),
    () => text(random),
  ];
  return [left, oneOf(random, changed)()];
}
