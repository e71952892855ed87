import fc, { type Arbitrary } from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BINARY, FUNCTIONS } from '../../../../src/lang/operators/table.ts';
import type { Value } from '../../../../src/lang/value.ts';
import { decimal, number } from './decimals.ts';
import { POSTGRESQL_DATABASES, type PostgresqlDatabase } from './postgresql-databases.ts';

const BATCH = 2000;

/** What fails is one of thousands in a query, and listed: there is nothing to shrink. */
const RUNS = { numRuns: 5, endOnFailure: true };

const finite = { noNaN: true, noDefaultInfinity: true };

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
  add: { answer: answerOf(BINARY['+'], 'add'), operands: pair, type: 'float8' },
  subtract: { answer: answerOf(BINARY['-'], 'subtract'), operands: pair, type: 'float8' },
  multiply: { answer: answerOf(BINARY['*'], 'multiply'), operands: pair, type: 'float8' },
  divide: { answer: answerOf(BINARY['/'], 'divide'), operands: pair, type: 'float8' },
  remainder: { answer: answerOf(BINARY['%'], 'remainder'), operands: pair, type: 'float8' },
  round: { answer: answerOf(FUNCTIONS.round, 'round'), operands: one(number), type: 'float8' },
  text: { answer: answerOf(FUNCTIONS.string, 'string.number'), operands: one(number), type: 'float8' },
  seconds: { answer: answerOf(FUNCTIONS.datetime, 'datetime.number'), operands: one(number), type: 'float8' },
  decimal: { answer: answerOf(FUNCTIONS.number, 'number.string'), operands: one(decimal), type: 'text' },
  time: { answer: answerOf(FUNCTIONS.datetime, 'datetime.string'), operands: one(time), type: 'text' },
};

describe.each(POSTGRESQL_DATABASES)('the functions in $name', ({ open }) => {
  let database: PostgresqlDatabase;
  beforeAll(async () => {
    database = await open();
  });
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

  it.each([-15, 0, 3])('onwhere_text answers the same where extra_float_digits is %i', async (setting) => {
    const numbers = fc.sample(number, BATCH).map((operand) => [operand]);
    await database.query(`SET extra_float_digits = ${setting}`, []);
    try {
      expect(await differences('text', 'float8', numbers, answerOf(FUNCTIONS.string, 'string.number'))).toEqual([]);
    } finally {
      await database.query('RESET extra_float_digits', []);
    }
  });

  it('onwhere_names names each element once', async () => {
    const names = await database.query(
      `SELECT unnest(onwhere_names(onwhere_list('["1", 1, "true", true, null, 1e21, "a", "\\"a"]'))) AS name`,
      [],
    );
    expect(names.map(({ name }) => name).sort()).toEqual(['"a', '1', '1000000000000000000000', 'a', 'null', 'true']);
  });
});
