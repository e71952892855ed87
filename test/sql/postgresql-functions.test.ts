import fc, { type Arbitrary } from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { valueOfRow } from '../../src/engines/sql/value-of-row.ts';
import { readValue, type Value } from '../../src/language/value.ts';
import { ARITHMETIC } from '../../src/operators/arithmetic.ts';
import { CASTS } from '../../src/operators/casts.ts';
import { TIME } from '../../src/operators/time.ts';
import { POSTGRESQL_DATABASES, type PostgresqlDatabase } from './postgresql-databases.ts';

const BATCH = 2000;

/** What fails is one of thousands in a query, and listed: there is nothing to shrink. */
const RUNS = { numRuns: 5, endOnFailure: true };

const finite = { noNaN: true, noDefaultInfinity: true };
const power = fc.integer({ min: -1080, max: 1023 }).map((exponent) => 2 ** exponent);
const scaled = fc.tuple(fc.integer({ min: -99999, max: 99999 }), fc.integer({ min: -330, max: 310 }));

// biome-ignore format: data, to be read by its rows
const TRICKY = [
  0, -0, 1, -1, 0.1, 0.5, 1.5, 2.5, -2.5, 0.49999999999999994, 5e-324, 1e-323, 2 ** -1022, 2 ** -1022 - 2 ** -1074, 1e-300,
  1e-150, 1e150, 8e307, 2 ** 1023, Number.MAX_VALUE, 2 ** 52 + 0.5, 2 ** 53, 2 ** 53 + 2, 45035996273704976, 1e15, 1e21, 1e-4,
  9.9e-5, 0.99999, 1, 4294967295, 4294967296, 999999999999999, 1e22, 1e23,
];

const number = fc
  .oneof(
    fc.constantFrom(...TRICKY),
    fc.double(finite),
    fc.tuple(power, fc.constantFrom(1, -1, 1 + 2 ** -52, 1 - 2 ** -53, 3)).map(([whole, factor]) => whole * factor),
    scaled.map(([digits, exponent]) => Number(`${digits}e${exponent}`)),
    fc.integer(),
  )
  .filter(Number.isFinite);

/** Numbers of one magnitude, or of magnitudes that cancel, next to any two. */
const pair: Arbitrary<[number, number]> = fc
  .oneof(
    fc.tuple(number, number),
    fc.tuple(number, fc.integer({ min: -9, max: 9 })),
    fc
      .tuple(number, fc.double({ ...finite, min: 0.5, max: 2 }))
      .map(([left, factor]): [number, number] => [left, left * factor]),
    fc
      .tuple(number, fc.double({ ...finite, min: 0.5, max: 2 }), fc.integer({ min: -1076, max: -1020 }))
      .map(([left, factor, exponent]): [number, number] => [
        left,
        (2 ** (exponent / 2) * factor * 2 ** (exponent / 2)) / left,
      ]),
  )
  .filter((operands) => operands.every(Number.isFinite));

const digits = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 25 }),
  fc
    .tuple(fc.constantFrom('0', '9', '1'), fc.integer({ min: 0, max: 1300 }))
    .map(([digit, count]) => digit.repeat(count)),
);

/** Decimals at and around the ends of what doubles can be, and texts that are almost decimals. */
const decimal = fc.oneof(
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
  // Exactly halfway between two numbers, and a little off.
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

const two = (most: number) => fc.integer({ min: 0, max: most }).map((field) => String(field).padStart(2, '0'));

/** Dates and times, some of them none. */
const time = fc
  .tuple(
    fc.tuple(fc.integer({ min: 0, max: 9999 }), two(14), two(33), fc.constantFrom('', 'T', ' ', 't')),
    fc.tuple(two(25), two(61), two(61)),
    fc.constantFrom('', '.5', '.999999999999', '.'),
    fc.oneof(
      fc.constantFrom('', 'Z', 'z', '\n'),
      fc
        .tuple(fc.constantFrom('+', '-', ' '), two(25), fc.constantFrom(':', ''), two(61))
        .map((parts) => parts.join('')),
    ),
  )
  .map(([[year, month, day, mark], clock, fraction, zone]) => {
    const date = `${String(year).padStart(4, '0')}-${month}-${day}`;
    return mark === '' ? date : `${date}${mark}${clock.join(':')}${fraction}${zone}`;
  });

interface Case {
  readonly answer: (...operands: never[]) => Value;
  readonly operands: Arbitrary<readonly (number | string)[]>;
  readonly type: 'float8' | 'text';
}

const one = (operand: Arbitrary<number | string>) => operand.map((value) => [value]);
const answerOf = (row: { overloads: readonly { id: string; answer: Case['answer'] }[] }, id: string) => {
  const overload = row.overloads.find((candidate) => candidate.id === id);
  if (overload === undefined) throw new Error(`no overload ${id}`);
  return overload.answer;
};

/** Each function, what it is to answer, and for what. */
const CASES: Readonly<Record<string, Case>> = {
  add: { answer: answerOf(ARITHMETIC['+'], 'add'), operands: pair, type: 'float8' },
  subtract: { answer: answerOf(ARITHMETIC['-'], 'subtract'), operands: pair, type: 'float8' },
  multiply: { answer: answerOf(ARITHMETIC['*'], 'multiply'), operands: pair, type: 'float8' },
  divide: { answer: answerOf(ARITHMETIC['/'], 'divide'), operands: pair, type: 'float8' },
  remainder: { answer: answerOf(ARITHMETIC['%'], 'remainder'), operands: pair, type: 'float8' },
  round: { answer: answerOf(ARITHMETIC.round, 'round'), operands: one(number), type: 'float8' },
  text: { answer: answerOf(CASTS.string, 'string.number'), operands: one(number), type: 'float8' },
  seconds: { answer: answerOf(TIME.datetime, 'datetime.number'), operands: one(number), type: 'float8' },
  decimal: { answer: answerOf(CASTS.number, 'number.string'), operands: one(decimal), type: 'text' },
  time: { answer: answerOf(TIME.datetime, 'datetime.string'), operands: one(time), type: 'text' },
};

describe.each(POSTGRESQL_DATABASES)('the functions in $name', ({ open }) => {
  let database: PostgresqlDatabase;
  beforeAll(async () => {
    database = await open();
  }, 120_000);
  afterAll(() => database?.close());

  it.each(Object.keys(CASES))('onwhere_%s answers as the language does', async (name) => {
    const { answer, operands, type } = CASES[name] as Case;
    const batch = fc.array(operands, { minLength: BATCH, maxLength: BATCH, size: 'max' });
    await fc.assert(
      fc.asyncProperty(batch, async (rows) => {
        expect(await differences(name, type, rows, answer)).toEqual([]);
      }),
      RUNS,
    );
  });

  /** The operands for which the function answers otherwise than it should. */
  async function differences(
    name: string,
    type: string,
    rows: readonly (readonly (number | string)[])[],
    answer: Case['answer'],
  ) {
    const columns = (rows[0] ?? []).map((_, index) => rows.map((operands) => operands[index]));
    const lists = columns.map((_, index) => `$${index + 1}::${type}[]`).join(', ');
    const names = columns.map((_, index) => `x${index}`).join(', ');
    const answers = await database.query(
      `SELECT onwhere_${name}(${names})::text AS answer FROM unnest(${lists}) WITH ORDINALITY AS t (${names}, place) ORDER BY place`,
      columns,
    );
    expect(answers).toHaveLength(rows.length);
    return rows.flatMap((operands, index) => {
      const expected = answer(...(operands as never[]));
      const found = (answers[index]?.answer ?? undefined) as string | undefined;
      const read = found === undefined || typeof expected === 'string' ? found : Number(found) + 0;
      return Object.is(read, expected) ? [] : [{ operands, found, expected }];
    });
  }

  it('onwhere_number and onwhere_list read JSON as the language does', async () => {
    const texts = fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text.replaceAll('\0', '')));
    const scalar = fc.oneof(
      number.map(String),
      decimal.filter((text) => /^-?(0|[1-9][0-9]*)(\.[0-9]+)?(e[+-]?[0-9]{1,4})?$/.test(text)),
      texts,
      fc.constantFrom('true', 'false', 'null'),
    );
    const nested = fc.oneof(scalar, fc.constantFrom('[]', '{}', '[1]', '{"a": 1}'));
    const list = fc.array(nested, { maxLength: 5 }).map((elements) => `[${elements.join(', ')}]`);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(nested, list), { minLength: BATCH, maxLength: BATCH, size: 'max' }),
        async (jsons) => {
          const answers = await database.query(
            'SELECT onwhere_number(j::jsonb) AS number, onwhere_list(j::jsonb) AS list FROM unnest($1::text[]) WITH ORDINALITY AS t (j, place) ORDER BY place',
            [jsons],
          );
          const found = answers.map((row) => valueOfRow(row) ?? null);
          const expected = jsons
            .map((json) => readValue(JSON.parse(json)))
            .map((value) => (typeof value === 'number' || Array.isArray(value) ? value : null));
          expect(found).toEqual(expected);
        },
      ),
      RUNS,
    );
  });

  it('onwhere_names names each element once', async () => {
    const names = await database.query(
      `SELECT unnest(onwhere_names(onwhere_list('["1", 1, "true", true, null, 1e21, "a", "\\"a"]'))) AS name`,
      [],
    );
    expect(names.map(({ name }) => name).sort()).toEqual(['"a', '1', '1000000000000000000000', 'a', 'null', 'true']);
  });
});
