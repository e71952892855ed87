import fc, { type Arbitrary } from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BINARY, FUNCTIONS } from '../../../../src/lang/operators/table.ts';
import type { Value } from '../../../../src/lang/value.ts';
import { drawSample } from '../../../runs.ts';
import { decimal, number } from './decimals.ts';
import { POSTGRESQL_DATABASES, type PostgresqlDatabase } from './postgresql-databases.ts';

const BATCH = 2000;

/** A query tests thousands of operands and lists those that fail, so shrinking is pointless. */
const RUNS = { numRuns: 5, endOnFailure: true };

const finite = { noNaN: true, noDefaultInfinity: true };

/** Generates pairs of any numbers, of numbers of similar magnitude, and of numbers whose exponents cancel. */
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

const twoDigits = (max: number) => fc.integer({ min: 0, max }).map((field) => String(field).padStart(2, '0'));

/** Generates dates and times, some of them invalid. */
const time = fc
  .tuple(
    fc.tuple(fc.integer({ min: 0, max: 9999 }), twoDigits(14), twoDigits(33), fc.constantFrom('', 'T', ' ', 't')),
    fc.tuple(twoDigits(25), twoDigits(61), twoDigits(61)),
    fc.constantFrom('', '.5', '.999999999999', '.'),
    fc.oneof(
      fc.constantFrom('', 'Z', 'z', '\n'),
      fc
        .tuple(fc.constantFrom('+', '-', ' '), twoDigits(25), fc.constantFrom(':', ''), twoDigits(61))
        .map((parts) => parts.join('')),
    ),
  )
  .map(([[year, month, day, mark], clock, fraction, zone]) => {
    const date = `${String(year).padStart(4, '0')}-${month}-${day}`;
    return mark === '' ? date : `${date}${mark}${clock.join(':')}${fraction}${zone}`;
  });

interface Case {
  readonly reference: (...operands: never[]) => Value;
  readonly operands: Arbitrary<readonly (number | string)[]>;
  readonly type: 'float8' | 'text';
}

const tupleOf = (operand: Arbitrary<number | string>) => operand.map((value) => [value]);
const getReference = (row: { overloads: readonly { id: string; evaluate: Case['reference'] }[] }, id: string) => {
  const overload = row.overloads.find((candidate) => candidate.id === id);
  if (overload === undefined) throw new Error(`no overload ${id}`);
  return overload.evaluate;
};

/** The functions, with their reference implementation and operands. */
const CASES: Readonly<Record<string, Case>> = {
  add: { reference: getReference(BINARY['+'], 'add'), operands: pair, type: 'float8' },
  subtract: { reference: getReference(BINARY['-'], 'subtract'), operands: pair, type: 'float8' },
  multiply: { reference: getReference(BINARY['*'], 'multiply'), operands: pair, type: 'float8' },
  divide: { reference: getReference(BINARY['/'], 'divide'), operands: pair, type: 'float8' },
  remainder: { reference: getReference(BINARY['%'], 'remainder'), operands: pair, type: 'float8' },
  round: { reference: getReference(FUNCTIONS.round, 'round'), operands: tupleOf(number), type: 'float8' },
  text: { reference: getReference(FUNCTIONS.string, 'string.number'), operands: tupleOf(number), type: 'float8' },
  seconds: {
    reference: getReference(FUNCTIONS.datetime, 'datetime.number'),
    operands: tupleOf(number),
    type: 'float8',
  },
  decimal: { reference: getReference(FUNCTIONS.number, 'number.string'), operands: tupleOf(decimal), type: 'text' },
  time: { reference: getReference(FUNCTIONS.datetime, 'datetime.string'), operands: tupleOf(time), type: 'text' },
};

describe.each(POSTGRESQL_DATABASES)('the functions in $name', ({ open }) => {
  let database: PostgresqlDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database?.close());

  it.each(Object.keys(CASES))('onwhere_%s returns the same as the interpreter', async (name) => {
    const { reference, operands, type } = CASES[name] as Case;
    const batch = fc.array(operands, { minLength: BATCH, maxLength: BATCH, size: 'max' });
    await fc.assert(
      fc.asyncProperty(batch, async (rows) => {
        expect(await findDifferences(name, type, rows, reference)).toEqual([]);
      }),
      RUNS,
    );
  });

  /** Returns the operands for which the function differs from its reference. */
  async function findDifferences(
    name: string,
    type: string,
    rows: readonly (readonly (number | string)[])[],
    reference: Case['reference'],
  ) {
    const columns = (rows[0] ?? []).map((_, index) => rows.map((operands) => operands[index]));
    const lists = columns.map((_, index) => `$${index + 1}::${type}[]`).join(', ');
    const names = columns.map((_, index) => `x${index}`).join(', ');
    const results = await database.query(
      `SELECT onwhere_${name}(${names})::text AS answer FROM unnest(${lists}) WITH ORDINALITY AS t (${names}, place) ORDER BY place`,
      columns,
    );
    expect(results).toHaveLength(rows.length);
    return rows.flatMap((operands, index) => {
      const expected = reference(...(operands as never[]));
      const found = (results[index]?.answer ?? undefined) as string | undefined;
      const read = found === undefined || typeof expected === 'string' ? found : Number(found) + 0;
      return Object.is(read, expected) ? [] : [{ operands, found, expected }];
    });
  }

  it.each([-15, 0, 3])('onwhere_text returns the same if extra_float_digits is %i', async (setting) => {
    const numbers = drawSample(number, BATCH).map((operand) => [operand]);
    await database.query(`SET extra_float_digits = ${setting}`, []);
    try {
      expect(await findDifferences('text', 'float8', numbers, getReference(FUNCTIONS.string, 'string.number'))).toEqual(
        [],
      );
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
