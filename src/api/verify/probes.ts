import type { Use } from '../../lang/check/check.ts';
import { expression, property, quote } from '../../lang/syntax/template.ts';
import type { Properties } from '../../lang/value.ts';
import {
  ALMOST_NUMBERS,
  CHARACTERS,
  FINITE_NUMBERS,
  LISTS,
  listIntegers,
  NAMES,
  OPERANDS,
  POWERS,
  TIMES,
  TRICKY_DATES,
  TRICKY_NUMBERS,
  TRICKY_STRINGS,
  TYPES,
} from './probe-values.ts';

/** An event, and its user if it has one. */
export interface ProbeRecord {
  readonly properties: Properties;
  readonly user?: Properties;
}

/** Expressions that a database is asked over all of some records. The interpreter knows the answers. */
export interface ProbeGroup {
  readonly about: string;
  readonly records: readonly ProbeRecord[];
  readonly expressions: readonly string[];
  readonly uses: readonly Use[];
  /** Whether maps are asked too. What a map holds is read like a JSON column, once it is found. */
  readonly inMaps?: true;
}

const X = property('x');
const Y = property('y');
const LIST = property('list');
const TEXT = property('text');

const FILTER = ['where'] as const;
const VALUE = ['value'] as const;
const ALL_USES = ['value', 'on', 'number'] as const;

function recordsOf(properties: readonly Properties[]): ProbeRecord[] {
  return properties.map((one) => ({ properties: one }));
}

/** A record for each pair of a left and a right value. */
function pairs(lefts: readonly unknown[], rights: readonly unknown[]): ProbeRecord[] {
  return recordsOf(lefts.flatMap((x) => rights.map((y) => ({ x, y }))));
}

const TERMS = listIntegers(1, 40);
const LEVELS = listIntegers(1, 8);

/** Long chains, chains in each other, and operators and casts one inside the other. */
const DEEP = [
  `${TERMS.map((number) => `properties["x"] == ${number}`).join(' or ')} or properties["y"]`,
  `${TERMS.map((number) => `properties["x"] != ${number}`).join(' and ')} and properties["y"]`,
  LEVELS.reduce(
    (inner, level) => `(properties["x"] == ${level} ${level % 2 ? 'or' : 'and'} ${inner})`,
    'properties["y"]',
  ),
  LEVELS.reduce((inner) => `not (${inner} and properties["y"])`, 'properties["x"]'),
  LEVELS.reduce((inner) => `(${inner} + 1) * 2 - properties["y"]`, 'properties["x"]'),
  LEVELS.slice(0, 4).reduce((inner) => `string(number(${inner}))`, 'properties["x"]'),
];

const CASTS = ['string', 'number', 'boolean', 'defined', 'datetime', 'not ', '-', 'floor', 'round', 'ceil'];

/** All that a database is asked: values that are easy to get wrong, in front of the operators that get them wrong. */
export const PROBES: readonly ProbeGroup[] = [
  // A letter and its other case are 32 apart, and so among the same records.
  ...listIntegers(0, 7).map((rest): ProbeGroup => {
    const characters = CHARACTERS.filter((_, index) => index % 8 === rest);
    return {
      about: 'characters as literals',
      records: recordsOf(characters.map((x) => ({ x }))),
      expressions: characters.map((character) => expression`${X} == ${character}`),
      uses: FILTER,
      inMaps: true,
    };
  }),
  {
    about: 'characters as values',
    // The DuckDB driver for Node.js drops U+FEFF at the start of the strings that it returns, which is no answer of the SQL.
    records: recordsOf(
      CHARACTERS.filter((x) => x !== '\ufeff').map((x, index) => ({
        x,
        y: CHARACTERS[index + 1],
        list: [x],
        text: `a${x}b`,
      })),
    ),
    expressions: [expression`${X}`, expression`${X} + ""`, expression`${LIST}`],
    uses: ['value', 'on'],
    inMaps: true,
  },
  {
    about: 'characters in strings and lists',
    records: recordsOf(CHARACTERS.map((x, index) => ({ x, y: CHARACTERS[index + 1], list: [x], text: `a${x}b` }))),
    expressions: [
      expression`${X} in ${LIST}`,
      expression`${X} in ${TEXT}`,
      expression`${Y} in ${TEXT}`,
      expression`${X} == ${Y}`,
      expression`${X} < ${Y}`,
      // Any two characters are told apart by a bit of their places.
      ...listIntegers(0, 8).map(
        (bit) => expression`${X} in ${CHARACTERS.filter((_, index) => (index >> bit) % 2 === 1)}`,
      ),
    ],
    uses: VALUE,
    inMaps: true,
  },
  {
    about: 'powers of two and ten',
    records: recordsOf(POWERS.map((x) => ({ x, list: [x] }))),
    expressions: [expression`${X}`, expression`${LIST}`],
    uses: ['on'],
  },
  {
    about: 'powers of two and ten, compared',
    records: recordsOf(POWERS.map((x) => ({ x, list: [x], text: String(x) }))),
    expressions: [
      expression`${X} in ${LIST}`,
      expression`${X} * 2 in ${LIST}`,
      expression`number(${TEXT})`,
      expression`string(${X}) == ${TEXT}`,
    ],
    uses: VALUE,
  },
  {
    about: 'numbers as literals',
    records: recordsOf(TRICKY_NUMBERS.map((x) => ({ x }))),
    expressions: [
      ...FINITE_NUMBERS.map((number) => expression`${X} == ${number}`),
      ...OPERANDS.map((number) => expression`${X} > ${number}`),
    ],
    uses: FILTER,
    inMaps: true,
  },
  {
    about: 'numbers as values',
    records: recordsOf(TRICKY_NUMBERS.map((x) => ({ x, list: [x], text: String(x) }))),
    expressions: [
      ...CASTS.map((name) => `${name}(properties["x"])`),
      expression`${X} in ${FINITE_NUMBERS}`,
      expression`${X} in ${LIST}`,
      expression`string(${X}) in ${TEXT}`,
      expression`${X} % 1`,
      expression`round(${X} / 2)`,
    ],
    uses: ALL_USES,
  },
  {
    about: 'arithmetic',
    records: pairs(OPERANDS, OPERANDS),
    expressions: [
      ...['+', '-', '*', '/', '%', '==', '!=', '<', '<=', '>', '>='].map(
        (name) => `properties["x"] ${name} properties["y"]`,
      ),
      // What overflows is undefined, also as a divisor.
      expression`${X} / (${Y} * 10)`,
      expression`${X} % (${Y} * 10)`,
      expression`${X} * 10 == ${Y} * 10`,
      expression`defined(${X} * ${Y})`,
      expression`boolean(${X} - ${Y})`,
    ],
    uses: VALUE,
  },
  {
    about: 'strings as numbers and words',
    records: recordsOf([...ALMOST_NUMBERS, ...TRICKY_STRINGS].map((x) => ({ x }))),
    expressions: CASTS.map((name) => `${name}(properties["x"])`),
    uses: ALL_USES,
  },
  {
    about: 'the order of strings',
    records: pairs(TRICKY_STRINGS, TRICKY_STRINGS.slice(0, 27)),
    expressions: ['<', '<=', '>', '>=', '==', '!=', 'in', '+'].map((name) => `properties["x"] ${name} properties["y"]`),
    uses: VALUE,
  },
  {
    about: 'strings as literals',
    records: recordsOf([...TRICKY_STRINGS, ...TYPES].map((x) => ({ x }))),
    expressions: [
      ...TRICKY_STRINGS.map((text) => expression`${X} == ${text}`),
      ...TRICKY_STRINGS.filter((_, index) => index % 4 === 0).flatMap((text) => [
        expression`${X} < ${text}`,
        expression`${text} in ${X}`,
      ]),
      expression`${X} in ${[...TRICKY_STRINGS, 1, true]}`,
    ],
    uses: FILTER,
    inMaps: true,
  },
  {
    about: 'dates',
    records: recordsOf([...TRICKY_DATES, ...TIMES, null, true, [], undefined].map((x) => ({ x }))),
    expressions: [
      expression`datetime(${X})`,
      expression`datetime(string(${X}))`,
      ...['2025-01-01', '1970-01-01', '0000-01-01', '9999-12-31T23:59:59'].flatMap((date) =>
        ['==', '!=', '<', '<=', '>', '>='].map((name) => `properties["x"] ${name} datetime(${quote(date)})`),
      ),
      expression`datetime(${X}) > now - 86400`,
      expression`now - datetime(${X})`,
    ],
    uses: VALUE,
  },
  {
    about: 'dates as filters',
    records: recordsOf([...TRICKY_DATES, ...TIMES, null, true, [], undefined].map((x) => ({ x }))),
    expressions: [
      expression`${X} >= datetime("2025-01-01")`,
      expression`${X} < datetime("2025-01-01T10:00:00Z") and ${X} > datetime("1969-12-31")`,
      expression`not (${X} == datetime("2025-01-01T10:00:00"))`,
    ],
    uses: FILTER,
  },
  {
    about: 'lists',
    records: pairs(LISTS, [...LISTS, 'a', 'A', '1', '', 'null', 1, 0, 2 ** 53 + 1, 2 ** 92, true, null, undefined]),
    expressions: [expression`${Y} in ${X}`, expression`${X} == ${Y}`, expression`${X} != ${Y}`],
    uses: VALUE,
  },
  {
    about: 'segments of lists',
    records: recordsOf(LISTS.map((x) => ({ x }))),
    expressions: [
      expression`${X}`,
      expression`"a" in ${X}`,
      expression`"" in ${X}`,
      expression`1 in ${X}`,
      expression`true in ${X}`,
      expression`${2 ** 92} in ${X}`,
    ],
    uses: ['on', 'value'],
  },
  {
    about: 'types',
    records: pairs(TYPES, TYPES),
    expressions: [
      ...['+', '-', '/', '==', '!=', '<', '>=', 'in', 'and', 'or'].map(
        (name) => `properties["x"] ${name} properties["y"]`,
      ),
      expression`not ${X} and not ${Y}`,
      expression`defined(${X}) and ${Y}`,
      expression`${X} == ${Y} or ${Y}`,
      expression`${X} or ${Y} and ${X}`,
      expression`boolean(${X}) or boolean(${Y})`,
      expression`${X} in ["a", 1, true]`,
      expression`${X} in []`,
    ],
    uses: VALUE,
    inMaps: true,
  },
  {
    about: 'type errors of filters',
    records: pairs(TYPES, TYPES),
    expressions: [
      expression`${X}`,
      expression`not ${X}`,
      expression`${X} and ${Y}`,
      expression`${X} or ${Y}`,
      expression`${X} == ${Y} and (${X} or not ${Y})`,
      expression`defined(${X}) or ${Y}`,
      expression`boolean(${X}) and ${X} != "a"`,
    ],
    uses: FILTER,
  },
  {
    about: 'names of properties',
    records: recordsOf([
      ...NAMES.map((name) => Object.fromEntries([[name, `the value of ${name}`]])),
      Object.fromEntries(NAMES.map((name, index) => [name, index])),
      {},
    ]),
    expressions: NAMES.map((name) => expression`${property(name)}`),
    uses: VALUE,
    inMaps: true,
  },
  {
    about: 'users',
    records: [
      { properties: { x: 'a' }, user: { x: 'b', y: 1 } },
      { properties: { x: 'a' }, user: { x: 'a' } },
      { properties: { x: 'a', y: true }, user: {} },
      { properties: { x: 'a' } },
      { properties: {}, user: { x: 'a', y: null } },
    ],
    expressions: [
      expression`${X} == ${property('x', 'user')}`,
      expression`defined(${property('y', 'user')})`,
      expression`${property('y', 'user')} == ${Y}`,
      expression`${property('x', 'user')} + ${X}`,
    ],
    uses: ALL_USES,
  },
  {
    about: 'deep expressions',
    records: pairs([...TYPES, 7, 40], [true, false, 1, undefined]),
    expressions: DEEP,
    uses: ALL_USES,
  },
];
