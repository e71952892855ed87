import { expression, property } from '../../lang/syntax/template.ts';
import { createDateProbes } from './date-probes.ts';
import { ALL_USES, createPairs, createRecords, FILTER, type ProbeGroup, VALUE, X, Y } from './probe-group.ts';
import {
  ALMOST_NUMBERS,
  CHARACTERS,
  FINITE_NUMBERS,
  LISTS,
  listIntegers,
  NAMES,
  OPERANDS,
  POWERS,
  TRICKY_NUMBERS,
  TRICKY_STRINGS,
  TYPES,
} from './probe-values.ts';

const LIST = property('list');
const TEXT = property('text');

const TERMS = listIntegers(1, 40);
const LEVELS = listIntegers(1, 8);

/** Long chains, nested chains, and nested operators and casts. */
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

/**
 * Creates the built-in probes: values that are easy to get wrong, with the operators that get them wrong. Each expression
 * is parsed, which takes longer than to load the library, so nobody should do it twice or on import.
 */
export function createProbes(): ProbeGroup[] {
  return [
    // The two cases of a letter are 32 code points apart, so they are in the same group of records.
    ...listIntegers(0, 7).map((rest): ProbeGroup => {
      const characters = CHARACTERS.filter((_, index) => index % 8 === rest);
      return {
        about: 'characters as literals',
        records: createRecords(characters.map((x) => ({ x }))),
        expressions: characters.map((character) => expression`${X} == ${character}`),
        uses: FILTER,
        inMaps: true,
      };
    }),
    {
      about: 'characters as values',
      // The DuckDB driver for Node.js drops U+FEFF at the start of the strings that it returns; the SQL is right.
      records: createRecords(
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
      records: createRecords(
        CHARACTERS.map((x, index) => ({ x, y: CHARACTERS[index + 1], list: [x], text: `a${x}b` })),
      ),
      expressions: [
        expression`${X} in ${LIST}`,
        expression`${X} in ${TEXT}`,
        expression`${Y} in ${TEXT}`,
        expression`${X} == ${Y}`,
        expression`${X} < ${Y}`,
        // Any two characters differ in a bit of their indexes.
        ...listIntegers(0, 8).map(
          (bit) => expression`${X} in ${CHARACTERS.filter((_, index) => (index >> bit) % 2 === 1)}`,
        ),
      ],
      uses: VALUE,
      inMaps: true,
    },
    {
      about: 'powers of two and ten',
      records: createRecords(POWERS.map((x) => ({ x, list: [x] }))),
      expressions: [expression`${X}`, expression`${LIST}`],
      uses: ['on'],
    },
    {
      about: 'powers of two and ten, compared',
      records: createRecords(POWERS.map((x) => ({ x, list: [x], text: String(x) }))),
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
      records: createRecords(TRICKY_NUMBERS.map((x) => ({ x }))),
      expressions: [
        ...FINITE_NUMBERS.map((number) => expression`${X} == ${number}`),
        ...OPERANDS.map((number) => expression`${X} > ${number}`),
      ],
      uses: FILTER,
      inMaps: true,
    },
    {
      about: 'numbers as values',
      records: createRecords(TRICKY_NUMBERS.map((x) => ({ x, list: [x], text: String(x) }))),
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
      records: createPairs(OPERANDS, OPERANDS),
      expressions: [
        ...['+', '-', '*', '/', '%', '==', '!=', '<', '<=', '>', '>='].map(
          (name) => `properties["x"] ${name} properties["y"]`,
        ),
        // An overflow is undefined, also as a divisor.
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
      records: createRecords([...ALMOST_NUMBERS, ...TRICKY_STRINGS].map((x) => ({ x }))),
      expressions: CASTS.map((name) => `${name}(properties["x"])`),
      uses: ALL_USES,
    },
    {
      about: 'the order of strings',
      records: createPairs(TRICKY_STRINGS, TRICKY_STRINGS.slice(0, 27)),
      expressions: ['<', '<=', '>', '>=', '==', '!=', 'in', '+'].map(
        (name) => `properties["x"] ${name} properties["y"]`,
      ),
      uses: VALUE,
    },
    {
      about: 'strings as literals',
      records: createRecords([...TRICKY_STRINGS, ...TYPES].map((x) => ({ x }))),
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
    ...createDateProbes(),
    {
      about: 'lists',
      records: createPairs(LISTS, [
        ...LISTS,
        'a',
        'A',
        '1',
        '',
        'null',
        1,
        0,
        2 ** 53 + 1,
        2 ** 92,
        true,
        null,
        undefined,
      ]),
      expressions: [expression`${Y} in ${X}`, expression`${X} == ${Y}`, expression`${X} != ${Y}`],
      uses: VALUE,
    },
    {
      about: 'segments of lists',
      records: createRecords(LISTS.map((x) => ({ x }))),
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
      records: createPairs(TYPES, TYPES),
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
      records: createPairs(TYPES, TYPES),
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
      records: createRecords([
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
      records: createPairs([...TYPES, 7, 40], [true, false, 1, undefined]),
      expressions: DEEP,
      uses: ALL_USES,
    },
  ];
}
