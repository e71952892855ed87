import fc from 'fast-check';

const finite = { noNaN: true, noDefaultInfinity: true };
const power = fc.integer({ min: -1080, max: 1023 }).map((exponent) => 2 ** exponent);
const scaled = fc.tuple(fc.integer({ min: -99999, max: 99999 }), fc.integer({ min: -330, max: 310 }));

// biome-ignore format: data, to be read by its rows
const TRICKY = [
  0, -0, 1, -1, 0.1, 0.5, 1.5, 2.5, -2.5, 0.49999999999999994, 5e-324, 1e-323, 2 ** -1022, 2 ** -1022 - 2 ** -1074, 1e-300,
  1e-150, 1e150, 8e307, 2 ** 1023, Number.MAX_VALUE, 2 ** 52 + 0.5, 2 ** 53, 2 ** 53 + 2, 45035996273704976, 1e15, 1e21, 1e-4,
  9.9e-5, 0.99999, 1, 4294967295, 4294967296, 999999999999999, 1e22, 1e23,
];

/** Generates finite doubles of every magnitude, often an extreme one, and negative zero. */
export const number = fc
  .oneof(
    fc.constantFrom(...TRICKY),
    fc.double(finite),
    fc.tuple(power, fc.constantFrom(1, -1, 1 + 2 ** -52, 1 - 2 ** -53, 3)).map(([whole, factor]) => whole * factor),
    scaled.map(([digits, exponent]) => Number(`${digits}e${exponent}`)),
    fc.integer(),
  )
  .filter(Number.isFinite);

const digits = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 25 }),
  fc
    .tuple(fc.constantFrom('0', '9', '1'), fc.integer({ min: 0, max: 1300 }))
    .map(([digit, count]) => digit.repeat(count)),
);

/** Generates decimals near the limits of doubles, and strings that are almost decimals. */
export const decimal = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('', '-', '+'),
      digits,
      fc.constantFrom('', '.'),
      digits,
      fc.constantFrom('', 'e', 'E'),
      fc.integer({ min: -1700, max: 1700 }),
    )
    .map(
      ([sign, whole, point, fraction, mark, exponent]) =>
        `${sign}${whole}${point}${fraction}${mark}${mark && exponent}`,
    ),
  number.map(String),
  // Exactly halfway between two doubles, and slightly more.
  fc.tuple(fc.integer({ min: 0, max: 2 ** 31 }), fc.constantFrom('', '0', '1', '0000001')).map(([count, rest]) => {
    const halves = BigInt(2 * count + 1) * 5n ** 1075n;
    return `0.${String(halves).padStart(1075, '0')}${rest}`;
  }),
  fc.constantFrom(
    String(2n ** 1024n - 2n ** 970n),
    String(2n ** 1024n - 2n ** 970n - 1n),
    `${2n ** 1024n - 2n ** 970n - 1n}.9`,
  ),
  fc.constantFrom(
    '1e99999999999999999999',
    '1e-99999999999999999999',
    '0e99999999999999999999',
    '1e00000000000000000000003',
    '.',
    '-',
    'e1',
  ),
  fc.constantFrom(
    '1\n',
    ' 1',
    '1 ',
    '١',
    '0x10',
    'Infinity',
    'NaN',
    '1_0',
    '1e',
    '1e+',
    '--1',
    '',
    '+.5e-3',
    '5.',
    '.5.',
  ),
);
