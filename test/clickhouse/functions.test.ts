import fc, { type Arbitrary } from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isWellFormed } from '../../src/base/strings.ts';
import type { SqlValue } from '../../src/lang/engines/sql/sql.ts';
import { BINARY, FUNCTIONS } from '../../src/lang/operators/table.ts';
import { formatDecimal, parseDecimal, undefinedIfNotFinite, type Value } from '../../src/lang/value.ts';
import { valuesOf } from '../arbitraries.ts';
import { codePoint } from '../code-point.ts';
import type { ColumnType, Database } from '../lang/engines/sql/database.ts';
import { drawSample } from '../runs.ts';
import { HAS_CLICKHOUSE, openClickhouse } from './open-clickhouse.ts';

const RUNS = Number(process.env.ONWHERE_RUNS ?? 5_000);

const [bySeconds, byText] = [FUNCTIONS.datetime.overloads[1].evaluate, FUNCTIONS.datetime.overloads[0].evaluate];

/** Finite doubles with uniform exponents, and the numbers of the other tests. */
const anyDouble = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  valuesOf.number as Arbitrary<number>,
  fc.integer({ min: -1_000_000, max: 1_000_000 }).map((cents) => cents / 100),
  fc.integer({ min: 0, max: 10_000 }).map((whole) => whole + 0.5),
);

/** Strings without lone surrogates, which a store cannot hold. */
const wellFormed = (valuesOf.string as Arbitrary<string>).filter(isWellFormed);

const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 25 });

const almostDecimal = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('', '+', '-', '+-'),
      digits,
      fc.constantFrom('', '.', '..'),
      digits,
      fc.constantFrom('', 'e', 'E-', 'e+', 'e3', 'e-300', 'e400'),
      fc.constantFrom('', '\n', ' ', '_1'),
    )
    .map((parts) => parts.join('')),
  fc.string({ unit: fc.constantFrom(...'0123456789+-.eExinfa_ \n\0'), maxLength: 8 }),
  anyDouble.map((number) => number.toPrecision(30)),
  wellFormed,
);

const twoDigits = (max: number) => fc.integer({ min: 0, max }).map((number) => String(number).padStart(2, '0'));

const almostDate = fc.oneof(
  fc
    .tuple(
      fc.oneof(fc.constantFrom(0, 4, 100, 1900, 2000, 2023, 2024, 9999), fc.integer({ min: 0, max: 9999 })),
      twoDigits(13),
      fc.oneof(twoDigits(32), fc.constantFrom('28', '29', '30', '31')),
      fc.oneof(fc.constant(''), fc.tuple(fc.constantFrom('T', ' ', 't'), twoDigits(24), twoDigits(60), twoDigits(60))),
      fc.constantFrom('', '', '.', '.5', '.123456789'),
      fc.constantFrom('', 'Z', '+00:00', '-23:59', '+24:00', '+05:60', '-05:30', '+0530', '\n'),
    )
    .map(([year, month, day, time, ...rest]) => {
      const clock = time === '' ? '' : `${time[0]}${time.slice(1).join(':')}`;
      return `${String(year).padStart(4, '0')}-${month}-${day}${clock}${rest.join('')}`;
    }),
  wellFormed,
);

describe.skipIf(!HAS_CLICKHOUSE)('the functions of the setup in ClickHouse', () => {
  let database: Database;

  beforeAll(async () => {
    database = await openClickhouse();
  });

  afterAll(() => database?.close());

  /** Calls a function with random operands in one query and compares the results with `evaluate`. */
  async function expectResults<Operand extends SqlValue>(
    type: ColumnType,
    operands: readonly Arbitrary<Operand>[],
    sql: string,
    evaluate: (...operands: Operand[]) => Value,
  ): Promise<void> {
    const rows = drawSample(fc.tuple(...operands), RUNS) as Operand[][];
    const columns = operands.map((_, index) => ({ name: 'ab'[index] ?? '', type }));
    await database.createTable(
      'operands',
      [{ name: 'id', type: 'integer' }, ...columns],
      rows.map((row, id) => [id, ...row]),
    );
    const results = await database.query(`SELECT ${sql} AS result FROM operands ORDER BY id`, []);
    expect(results).toHaveLength(RUNS);
    const differences = rows
      .map((row, id) => ({ row, actual: results[id]?.result ?? undefined, expected: evaluate(...row) }))
      .filter(({ actual, expected }) => (typeof actual === 'number' ? actual + 0 : actual) !== expected);
    expect(differences).toEqual([]);
  }

  const cleaned = (sql: string) => `nullIf(ifNotFinite(${sql}, inf), inf)`;

  it('write numbers as decimals', () =>
    expectResults('double', [anyDouble], 'onwhere_spelled(toString(a + 0.))', formatDecimal));
  it('read decimals', () => expectResults('text', [almostDecimal], cleaned('onwhere_decimal(a)'), parseDecimal));
  it('read dates', () => expectResults('text', [almostDate], 'onwhere_time(a)', byText));
  it('read numbers as seconds', () => expectResults('double', [anyDouble], 'onwhere_seconds(a)', bySeconds));
  it('round', () => expectResults('double', [anyDouble], 'onwhere_round(a)', FUNCTIONS.round.overloads[0].evaluate));
  it('take remainders', () =>
    expectResults('double', [anyDouble, anyDouble], 'onwhere_remainder(a, b)', BINARY['%'].overloads[0].evaluate));

  it('read every property of JSON, also next to numbers that are too large for the parser', async () => {
    const records = drawSample(
      fc.dictionary(
        fc.oneof(fc.string({ unit: codePoint }), fc.constantFrom('', 'a', 'a.b', '"', '\\', '$')),
        fc.oneof(anyDouble, fc.constantFrom(2 ** 63, 2 ** 64, -(2 ** 64), 123456789012345680000), wellFormed),
        { minKeys: 1, maxKeys: 4, noNullPrototype: true },
      ),
      Math.ceil(RUNS / 50),
    );
    const rows = records.map((record, id) => [id, JSON.stringify(record), JSON.stringify(Object.keys(record).at(-1))]);
    const columns = [
      { name: 'id', type: 'integer' },
      { name: 'json', type: 'text' },
      { name: 'name', type: 'text' },
    ] as const;
    await database.createTable('records', columns, rows as never);
    for (const [id, record] of records.entries()) {
      const [name = '', value] = Object.entries(record).at(-1) ?? [];
      const [row] = await database.query(
        `SELECT onwhere_property(assumeNotNull(json), {p1:String}) AS raw, onwhere_decimal(raw) AS number, JSONExtractString(raw) AS string FROM records WHERE id = ${id}`,
        [name],
      );
      const got = typeof value === 'number' ? Number(row?.number) + 0 : row?.string;
      expect({ name, got }).toEqual({
        name,
        got: typeof value === 'string' ? value : undefinedIfNotFinite(value as number),
      });
    }
  });

  it('refuse to read numbers if precise_float_parsing is off', async () => {
    await expect(
      database.query("SELECT onwhere_decimal('0.1') SETTINGS precise_float_parsing = 0", []),
    ).rejects.toThrow('onwhere needs the setting precise_float_parsing = 1');
  });
});
