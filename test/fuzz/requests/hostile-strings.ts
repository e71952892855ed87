/** Strings that no parameter expects. */
// biome-ignore format: data
export const ODD_STRINGS: readonly string[] = [
  '', ' ', '\0', 'a\0b', '\t', '\n', '\r\nX-Injected: 1', '\u007f', '\u2028', '\ufeff', '\u{1f600}', '\u{1f600}'.repeat(500),
  '__proto__', 'constructor', 'toString', 'null', 'undefined', 'true', 'NaN', 'Infinity', '[]', '{}', '[1', '{"a":', '[[[]]]',
  '"', "'", '`', "'; DROP TABLE events; --", '$1', '?', '{p1:String}', '%', '%s', '%00', '../..', 'a/b', '\\', 'x'.repeat(3_000),
];

/** Numbers, and strings that look like numbers. */
// biome-ignore format: data
export const ODD_NUMBERS: readonly string[] = [
  '0', '1', '-1', '-0', '00', '01', '+1', '1.5', '.5', '1e3', '1e400', '0x10', ' 1', '1 ', '1_000', '\uff11', '1,000', '255', '256', '9999',
  '10000', '10001', '2147483647', '2147483648', '4294967296', '9007199254740991', '9007199254740992', '9007199254740993',
  '18446744073709551616', '9'.repeat(400),
];

/** Days at the limits of calendars, and strings that look like days. */
// biome-ignore format: data
export const ODD_DATES: readonly string[] = [
  '0001-01-01', '0000-01-01', '0000-12-31', '9999-12-31', '9999-01-01', '10000-01-01', '+010000-01-01', '-000001-01-01', '1582-10-10',
  '1900-02-29', '2000-02-29', '2024-02-29', '2025-02-29', '2025-02-30', '2025-13-01', '2025-00-00', '2025-1-1', '2025-03-30', '2025-10-26',
  '2011-12-30', '1970-01-01', '1969-12-31', '2038-01-19', '2106-02-07', '2025-06-01T00:00:00Z', '2025-06-01 24:00:00', '20250601', 'today',
  '2025-03-30 02:30:00', '9999-12-31 23:59:59', '0001-01-01 00:00:00', '2025-06-01 23:59:60',
];

/** Lists, and strings that look like lists. */
// biome-ignore format: data
export const ODD_LISTS: readonly string[] = [
  '[]', '[""]', '["a","a"]', '["__proto__"]', '[null]', '[true,false]', '[{}]', '[[]]', '["a",', '{"0":"a"}', '"a"', '1', 'null',
  '[1e999]', '[-0]', '[9007199254740993]', '["\\u0000"]', '["\\ud800"]', '["a"] ', '[1,"1",1.0]', `[${'"a",'.repeat(500)}"b"]`,
  `${'['.repeat(1_000)}${']'.repeat(1_000)}`, JSON.stringify(Array.from({ length: 400 }, (_, index) => `e${index}`)),
];

const X = 'properties["x"]';

/** Expressions that are deep, long, wrong or expensive. */
export const ODD_EXPRESSIONS: readonly string[] = [
  ...[20, 255, 256, 300, 3_000].flatMap((levels) => [
    `${'('.repeat(levels)}1${')'.repeat(levels)}`,
    `${'not '.repeat(levels)}true`,
    `${'-'.repeat(levels)}1`,
    `1${' + 1'.repeat(levels)}`,
    `true${' and true'.repeat(levels)}`,
  ]),
  ...[20, 250, 2_000].flatMap((levels) => [
    `${X}${` + ${X}`.repeat(levels)}`,
    `${'upper('.repeat(levels)}${X}${')'.repeat(levels)}`,
    `${X}${' in ["p", 1]'.repeat(levels)}`,
    `${X} in [${'"p", '.repeat(levels)}"q"]`,
    Array.from({ length: levels }, (_, index) => `defined(properties["p${index}"])`).join(' or '),
  ]),
  `(${X} + ${X}) + (${X} + ${X}) == "${'p'.repeat(2_000)}"`,
  `properties["${'x'.repeat(5_000)}"]`,
  `number("${'9'.repeat(2_000)}")`,
  ...[
    '1 +',
    '(',
    ')',
    '"',
    'properties',
    'properties[',
    'properties[1]',
    'event["n"',
    'foo(1)',
    'now(',
    'in',
    '\0',
    '"\\ud800"',
  ],
  ...[
    'not 5',
    '"a" < 1',
    '-"a"',
    '5 and true',
    'true + 1',
    '[]',
    '1 in [[]]',
    '1 / 0',
    '0 / 0',
    '1e308 * 10',
    '-(1e308 * 10)',
  ],
  ...[
    'datetime("x")',
    'datetime(1e300)',
    'datetime(-1) < now',
    'now',
    'string(now)',
    'list(1)',
    'boolean("yes")',
    'ceil(1e308)',
  ],
  ...[
    'event',
    'user',
    'user[""]',
    'properties["__proto__"]',
    'properties["constructor"]',
    'null',
    'undefined',
    '{}',
    'a.b',
    '$1',
    '?',
  ],
];
