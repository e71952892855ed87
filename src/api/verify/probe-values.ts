/** Returns the integers from `from` to `to`, both included. */
export function listIntegers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** Latin-1, and characters with special treatment: line separators, marks, the ends of the planes. */
export const CHARACTERS = [
  ...listIntegers(0, 0xff),
  ...[0x300, 0x2028, 0x2029, 0xd7ff, 0xe000, 0xfeff, 0xfffd, 0xffff, 0x10000, 0x1f600, 0x10ffff],
].map((codePoint) => String.fromCodePoint(codePoint));

// biome-ignore format: data, to be read by its rows
export const TRICKY_NUMBERS = [
  0, -0, 1, -1, 2, 3, 7, -7, 10, 0.1, 0.2, 0.3, 0.1 + 0.2, 0.5, -0.5, 1.5, 2.5, -2.5, 0.49999999999999994,
  -0.49999999999999994, 5e-324, 1e-323, 2 ** -1022, 2 ** -1022 - 2 ** -1074, 1e-300, 1e-150, 1e-7, 1e-6, 1.25e-9,
  9.9e-5, 0.99999, 1e15, 1e16, 999999999999999, 2 ** 52 + 0.5, 2 ** 53 - 1, 2 ** 53, 2 ** 53 + 2, -(2 ** 53) - 2,
  45035996273704976, 2 ** 63, 2 ** 64, 1e21, 1.5e21, 1e22, 1e23, 2 ** 81, 2 ** 91, 2 ** 807, 1e150, 8e307, 1e308,
  2 ** 1023, Number.MAX_VALUE, -Number.MAX_VALUE, 4294967295, 4294967295.5, 4294967296, 1735689600, 1735689600123,
  Number.NaN, Infinity, -Infinity,
];

export const FINITE_NUMBERS = TRICKY_NUMBERS.filter(Number.isFinite);

/** Numbers of all magnitudes, for both sides of an operator. */
// biome-ignore format: data, to be read by its rows
export const OPERANDS = [
  0, -0, 1, -1, 3, -7, 0.1, -2.5, 1e-7, 5e-324, -5e-324, 2 ** -1022, 1e-300, 1e-150, 2 ** 52 + 0.5, 2 ** 53 - 1,
  2 ** 53, 1e21, 1e150, 1e300, 1e308, Number.MAX_VALUE, -Number.MAX_VALUE,
];

export const POWERS = [
  ...listIntegers(-1074, 1023).map((exponent) => 2 ** exponent),
  ...listIntegers(-323, 308).map((n) => Number(`1e${n}`)),
];

// biome-ignore format: data, to be read by its rows
export const TRICKY_STRINGS = [
  '', ' ', 'a', 'A', 'b', 'ab', 'B', 'pro', 'Pro', 'é', 'e\u0301', 'É', 'ß', 'ss', 'ΑΣ', 'ας', 'İ', 'i', 'ı', 'Å',
  '\u212b', '\u{1f600}', '\u{1f601}', '\uffff', '\uffffa', '\u{10000}', '\u{10ffff}', '"', "'", '\\', '\\\\', '\n',
  '\t', '\r\n', '\u001b[31m', '\u000b', '\u2028', '%', '_', 'a%', 'a_', '?', '$1', ':p', '{p1:String}', "'; --",
  'null', 'undefined', '[1]', '{}', '"a"',
];

// biome-ignore format: data, to be read by its rows
export const ALMOST_NUMBERS = [
  '0', '1', '12', '-12', '+7', '.5', '5.', '-.5', '1e3', '1E+3', '1e-3', '1e400', '-1e400', '1e-400', '-0', '00172',
  '0.1', '9007199254740993', '18446744073709551616', '2475880078570760549798248448', '1e23', '5e-324', '2.4e-324',
  '2.5e-324', '1.7976931348623157e308', '1.7976931348623159e308',
  '0.1000000000000000055511151231257827021181583404541015625', ' 12 ', ' 12', '12\n', '12\u0000', '0x10', '0o17',
  '0b11', '1_000', '1,000', '1e', 'e5', '.', '-', '+-1', '--1', '1-', '1e5.5', 'Infinity', '-Infinity', 'inf', 'NaN',
  'nan', '１２', '1f', '1d', 'true', 'True', 'TRUE', 't', 'false', 'False', 'f', 'yes', 'Yes', 'no', 'on', 'off',
  'null',
];

// biome-ignore format: data, to be read by its rows
export const TRICKY_DATES = [
  '2025-01-01', '2024-02-29', '2025-02-29', '2000-02-29', '1900-02-29', '2025-04-31', '2025-13-01', '2025-00-10',
  '2025-01-00', '2025-01-32', '0000-01-01', '0000-12-31', '0001-01-01', '0004-02-29', '1582-10-10', '1969-12-31',
  '1970-01-01', '9999-12-31', '10000-01-01', '-001-01-01', '2025-01-01T10:00:00', '2025-01-01 10:00:00',
  '2025-01-01t10:00:00', '2025-01-01T10:00:00Z', '2025-01-01T10:00:00z', '2025-01-01T10:00:00.999+02:00',
  '1969-12-31T23:59:59.5-00:30', '9999-12-31T23:59:59-23:59', '0000-01-01T00:00:00+23:59', '2025-01-01T24:00:00',
  '2025-01-01T23:59:60', '2016-12-31T23:59:60Z', '2025-01-01T23:60:00', '2025-01-01T10:00', '2025-01-01T10:00:00.',
  '2025-01-01T10:00:00.123456789', '2025-01-01T10:00:00,5', '2025-1-1', '20250101', '2025-01-01Z',
  '2025-01-01T10:00:00+24:00', '2025-01-01T10:00:00+05:60', '2025-01-01T10:00:00+05:59', '2025-01-01T10:00:00+0530',
  '2025-01-01T10:00:00+05', '2025-01-01T10:00:00-00:00', ' 2025-01-01', '2025-01-01 ', '2025-01-01\n', '２０２５-01-01',
  'today', '2025-03-30T02:30:00', '2025-10-26T02:30:00', '2025/01/01', '01.01.2025', 'epoch', 'infinity', 'now',
];

export const TIMES = [
  0, 0.5, 0.999, 1, 1.9, -1, 4294967295, 4294967295.5, 4294967296, 1735689600123, 253402300799, 1e15, 8.64e15, 1e300,
];

export const LISTS = [
  [],
  ['a'],
  ['A'],
  ['a', 'b'],
  ['b', 'a'],
  ['a', 'a'],
  [1],
  ['1'],
  [1, '1', true, 'true', null, 'null'],
  [true],
  [false],
  [null],
  ['undefined'],
  [''],
  ['"'],
  ['\\', '\n', '\u000b', '\u2028', 'é'],
  [0],
  [-0],
  [0.1, 1e21, 5e-324, 1e-7],
  [2 ** 53 - 1, 2 ** 53, 2 ** 53 + 2],
  [2 ** 81],
  [2 ** 91],
  [2 ** 807],
  [['a'], { a: 'a' }, 'a'],
  [[1, [2]], {}, 1],
];

/** Values of each type, and those that read as undefined: JSON objects and a missing property. */
// biome-ignore format: data, to be read by its rows
export const TYPES: readonly unknown[] = [
  '', 'a', 'true', '1', 0, 1, -2.5, true, false, null, [], ['a'], [1, true], {}, { a: 1 }, undefined,
];

/** Property names with a meaning in SQL, JSON paths or JavaScript. */
// biome-ignore format: data, to be read by its rows
export const NAMES = [
  '', ' ', 'a', 'A', 'plan', 'Plan', 'PLAN', '__proto__', 'constructor', 'toString', 'a.b', 'a/b', 'a~b', 'a~1b',
  '~0', '/', '$', '$.a', '*', '[0]', '0', '"', "'", '\\', '`', 'say "hi"', '日本 \u{1f600}', 'é', 'e\u0301', '\n',
  '\u000b', 'id', '--',
];
