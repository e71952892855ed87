import { inspect, isDeepStrictEqual } from 'node:util';
import fc, { type IAsyncProperty } from 'fast-check';
import { readRowValue, type SqlStatement, toSql, toSqlStatement } from '../../../../src/api/sql.ts';
import { readArray } from '../../../../src/lang/engines/sql/read-row-value.ts';
import type { SqlSource } from '../../../../src/lang/engines/sql/sql-source.ts';
import { ExpressionCheckError, ExpressionUnsupportedError } from '../../../../src/lang/errors.ts';
import { toNumberOrZero, toSegmentNames } from '../../../../src/lang/operators/coercions.ts';
import { parse } from '../../../../src/lang/syntax/parse.ts';
import { Difference } from '../../../difference.ts';
import { ENGINES, type Input, type Outcome, outcome } from '../../../engines.ts';
import type { Database } from './database.ts';

const interpreter = ENGINES.interpret ?? fail('no interpreter');

type ValueUse = 'value' | 'on' | 'number';
type AnyUse = ValueUse | 'where';

/** The uses of an expression other than as a filter. */
const VALUE_USES = ['value', 'on', 'number'] as const satisfies readonly ValueUse[];

/** An expression for a use, with the interpreter's outcome for each record. */
interface TestCase {
  readonly name: string;
  readonly expression: string;
  readonly use: AnyUse;
  readonly expected: readonly Outcome[];
}

type Row = Readonly<Record<string, unknown>>;

/** A result of a database that differs from the interpreter's. */
export class WrongResult extends Difference {
  constructor(
    database: string,
    actual: unknown,
    expected: unknown,
    readonly expression: string,
    readonly record: Input,
    use: AnyUse,
    sql: unknown,
  ) {
    super(database, actual, expected, `${expression} as ${use}, in SQL ${inspect(sql)}`);
    this.message = `${this.message}: ${inspect(actual)}, not ${inspect(expected)}, for ${this.instead} on ${inspect(record)}`;
  }
}

/**
 * Runs a property whose failures are {@link WrongResult}s. It does not shrink them: they name the record and the
 * expression, and each step would query the database.
 */
export async function expectAgreement<Inputs>(
  property: IAsyncProperty<Inputs>,
  runs: { readonly numRuns: number; readonly seed?: number },
): Promise<void> {
  const { errorInstance } = await fc.check(property, { ...runs, endOnFailure: true });
  if (errorInstance !== null) throw errorInstance;
}

function fail(found: string): never {
  throw new Error(`Unexpected: ${found}`);
}

/** Evaluates expressions in a database over the records of a table, and compares the results with the interpreter's. */
export class SqlComparison {
  /** The number of results that agreed. */
  compared = 0;

  constructor(
    private readonly database: Database,
    private readonly table: SqlSource,
    /** All with the same `now` and `timeZone`. */
    private readonly records: readonly Input[],
  ) {}

  /** The time zone of the query, in the interpreter and in SQL. */
  get timeZone(): string {
    return this.records[0]?.timeZone ?? 'UTC';
  }

  /**
   * Compares expressions as filters and in other uses, with one statement for the filters and one for the rest.
   *
   * @throws {WrongResult} for the first result that differs.
   */
  async compare(expressions: readonly string[], uses: readonly [ValueUse, ...ValueUse[]] = VALUE_USES): Promise<void> {
    const values = expressions.flatMap((expression, index) => this.createCases(expression, uses, index));
    if (values.length > 0) this.expectEqual(values, await this.query(values));
    await this.compareFilters(expressions);
  }

  /** Compares expressions only as filters, with one statement for all. */
  async compareFilters(expressions: readonly string[]): Promise<void> {
    const filters = expressions.flatMap((expression, index) => this.createCases(expression, ['where'], index));
    if (filters.length > 0) this.expectEqual(filters, await this.query(filters));
  }

  /**
   * Creates a case for each use. Returns none if the dialect does not support the expression, or if it fails the check:
   * then the interpreter must fail on every record too.
   */
  private createCases(expression: string, uses: readonly [AnyUse, ...AnyUse[]], index: number): TestCase[] {
    const isFilter = uses.includes('where');
    const reference = interpreter(expression, parse(expression), isFilter, this.timeZone);
    const expected = this.records.map((record) => outcome(reference, record));
    try {
      for (const use of uses) toSql(expression, this.database.dialect, this.table, { use, timeZone: this.timeZone });
    } catch (error) {
      if (error instanceof ExpressionUnsupportedError) return [];
      if (!(error instanceof ExpressionCheckError)) throw error;
      const succeeded = expected.findIndex((outcome) => 'value' in outcome);
      const record = this.records[succeeded];
      if (record === undefined) return [];
      throw new WrongResult(this.database.dialect.name, error, expected[succeeded], expression, record, uses[0], '');
    }
    return uses.map((use) => ({ name: `${index} ${use}`, expression, use, expected }));
  }

  /**
   * Returns the parts of all cases for each record, by its number. A filter is queried twice: as a value, and in a
   * `WHERE` clause.
   */
  private async query(cases: readonly TestCase[]): Promise<[SqlStatement, ReadonlyMap<number, Row>]> {
    const { database, table } = this;
    const { quoteName } = database.dialect;
    const expressions = cases.map(({ name, expression, use }) => [name, { expression, use }] as const);
    const statement = toSqlStatement(Object.fromEntries(expressions), database.dialect, table, {
      now: this.records[0]?.now ?? 0,
      timeZone: this.timeZone,
    });
    const { from, parts, parameters } = statement;
    const columns = Object.entries(parts).flatMap(([name, { value, ...others }]) =>
      Object.entries({ ...others, ...value }).map(([part, sql]) => `${sql} AS ${quoteName(`${name} ${part}`)}`),
    );
    const rows = await database.query(`SELECT ${['id', ...columns].join(', ')} FROM ${from}`, parameters);
    const selections = Object.entries(parts).flatMap(([name, { condition, error }]) =>
      condition === undefined
        ? []
        : [`SELECT '${name}' AS name, id, coalesce(${error ?? 0}, 0) AS error FROM ${from} WHERE ${condition}`],
    );
    const selected = selections.length === 0 ? [] : await database.query(selections.join(' UNION ALL '), parameters);
    const selectedKeys = new Set(selected.map(({ name, id }) => `${name} ${id}`));
    const getSelections = (id: unknown) =>
      Object.keys(parts).map((name) => [`${name} selects`, selectedKeys.has(`${name} ${id}`)] as const);
    return [
      statement,
      new Map(rows.map((row) => [Number(row.id), { ...row, ...Object.fromEntries(getSelections(row.id)) }])),
    ];
  }

  private expectEqual(cases: readonly TestCase[], [statement, rows]: [SqlStatement, ReadonlyMap<number, Row>]): void {
    for (const { name, expression, use, expected } of cases) {
      for (const [id, outcome] of expected.entries()) {
        const actual = readResult(name, use, statement, rows.get(id) ?? fail(`no row ${id}`));
        const expectedResult = convertExpected(use, outcome);
        this.compared++;
        if (isDeepStrictEqual(actual, expectedResult)) continue;
        const { dialect } = this.database;
        const { errors, ...sql } = toSql(expression, dialect, this.table, { use, timeZone: this.timeZone });
        throw new WrongResult(dialect.name, actual, expectedResult, expression, this.records[id] as Input, use, sql);
      }
    }
  }
}

function readResult(name: string, use: AnyUse, { errors }: SqlStatement, row: Row): unknown {
  const getPart = (of: string) => row[`${name} ${of}`];
  const error = getPart('error');
  if (error !== null && error !== undefined) {
    const { operator, found, span } = errors[Number(error) - 1] ?? fail(`error ${error}`);
    return { operator, found, span };
  }
  switch (use) {
    case 'where': {
      const holds = getPart('condition') === true || getPart('condition') === 1;
      const isSelected = getPart('selects');
      return { value: holds === isSelected ? holds : `${holds} as a value, ${isSelected} as a filter` };
    }
    case 'value': {
      const channels = (['number', 'string', 'boolean', 'null', 'list', 'json'] as const).map((of) => [
        of,
        getPart(of),
      ]);
      return { value: readRowValue(Object.fromEntries(channels)) };
    }
    case 'number':
      return { value: Number(getPart('number')) + 0 };
    case 'on': {
      const segments = readArray(getPart('segments'));
      return { value: segments === undefined ? [getPart('segment')] : [...segments].sort() };
    }
  }
}

function convertExpected(use: AnyUse, outcome: Outcome): unknown {
  if (!('value' in outcome)) return outcome;
  if (use === 'on') return { value: toSegmentNames(outcome.value).sort() };
  return { value: use === 'number' ? toNumberOrZero(outcome.value) : outcome.value };
}
