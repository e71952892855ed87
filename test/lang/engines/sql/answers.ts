import { inspect, isDeepStrictEqual } from 'node:util';
import { readRowValue, type SqlStatement, toSql, toSqlStatement } from '../../../../src/api/sql.ts';
import type { SqlSource } from '../../../../src/lang/engines/sql/sql-source.ts';
import { ExpressionCheckError, ExpressionUnsupportedError } from '../../../../src/lang/errors.ts';
import { toNumberOrZero, toSegmentNames } from '../../../../src/lang/operators/coercions.ts';
import { parse } from '../../../../src/lang/syntax/parse.ts';
import { Difference } from '../../../difference.ts';
import { ENGINES, type Input, type Outcome, outcome } from '../../../engines.ts';
import type { Database } from './database.ts';

const interpreter = ENGINES.interpret ?? unexpected('no interpreter');

type ValueUse = 'value' | 'on' | 'number';
type AnyUse = ValueUse | 'where';

/** What an expression can be asked as besides a filter. */
const VALUE_USES = ['value', 'on', 'number'] as const satisfies readonly ValueUse[];

/** An expression for a use, and what the interpreter answers for each record. */
interface Asked {
  readonly name: string;
  readonly expression: string;
  readonly use: AnyUse;
  readonly expected: readonly Outcome[];
}

type Row = Readonly<Record<string, unknown>>;

/** An answer of a database that is not the one of the interpreter. */
export class WrongAnswer extends Difference {
  constructor(
    database: string,
    got: unknown,
    expected: unknown,
    readonly expression: string,
    readonly record: Input,
    use: AnyUse,
    sql: unknown,
  ) {
    super(database, got, expected, `${expression} as ${use}, in SQL ${inspect(sql)}`);
    this.message = `${this.message}: ${inspect(got)}, not ${inspect(expected)}, for ${this.instead} on ${inspect(record)}`;
  }
}

function unexpected(found: string): never {
  throw new Error(`Unexpected: ${found}`);
}

/** Asks a database expressions of the records of a table, and compares the answers with those of the interpreter. */
export class Answers {
  /** How many answers agreed. */
  agreed = 0;

  constructor(
    private readonly database: Database,
    private readonly table: SqlSource,
    /** They have one `now`. */
    private readonly records: readonly Input[],
  ) {}

  /**
   * Compares expressions as filters and in other uses. All are asked together.
   *
   * @throws {WrongAnswer} for the first answer that differs.
   */
  async compare(expressions: readonly string[], uses: readonly [ValueUse, ...ValueUse[]] = VALUE_USES): Promise<void> {
    const values = expressions.flatMap((text, index) => this.asked(text, uses, index));
    if (values.length > 0) this.expectAgreement(values, await this.ask(values));
    const filters = expressions.flatMap((text, index) => this.asked(text, ['where'], index));
    if (filters.length > 0) this.expectAgreement(filters, await this.ask(filters));
  }

  /** An expression for each use; none where it fails on every record, as the interpreter must find too, or is not supported. */
  private asked(expression: string, uses: readonly [AnyUse, ...AnyUse[]], index: number): Asked[] {
    const isFilter = uses.includes('where');
    const reference = interpreter(expression, parse(expression), isFilter);
    const expected = this.records.map((record) => outcome(reference, record));
    try {
      for (const use of uses) toSql(expression, this.database.dialect, this.table, { use });
    } catch (error) {
      if (error instanceof ExpressionUnsupportedError) return [];
      if (!(error instanceof ExpressionCheckError)) throw error;
      const answered = expected.findIndex((answer) => 'value' in answer);
      const record = this.records[answered];
      if (record === undefined) return [];
      throw new WrongAnswer(this.database.dialect.name, error, expected[answered], expression, record, uses[0], '');
    }
    return uses.map((use) => ({ name: `${index} ${use}`, expression, use, expected }));
  }

  /** Every part for every record, by its number. Filters are asked twice: for what they are, and for what they select. */
  private async ask(asked: readonly Asked[]): Promise<[SqlStatement, ReadonlyMap<number, Row>]> {
    const { database, table } = this;
    const { quoteName } = database.dialect;
    const expressions = asked.map(({ name, expression, use }) => [name, { expression, use }] as const);
    const statement = toSqlStatement(Object.fromEntries(expressions), database.dialect, table, {
      now: this.records[0]?.now ?? 0,
    });
    const { from, parts, parameters } = statement;
    const columns = Object.entries(parts).flatMap(([name, { value, ...others }]) =>
      Object.entries({ ...others, ...value }).map(([part, sql]) => `${sql} AS ${quoteName(`${name} ${part}`)}`),
    );
    const rows = await database.query(`SELECT ${['id', ...columns].join(', ')} FROM ${from}`, parameters);
    const selecting = Object.entries(parts).flatMap(([name, { condition, error }]) =>
      condition === undefined
        ? []
        : [`SELECT '${name}' AS name, id, coalesce(${error ?? 0}, 0) AS error FROM ${from} WHERE ${condition}`],
    );
    const selected = selecting.length === 0 ? [] : await database.query(selecting.join(' UNION ALL '), parameters);
    const chosen = new Set(selected.map(({ name, id }) => `${name} ${id}`));
    const chosenBy = (id: unknown) =>
      Object.keys(parts).map((name) => [`${name} selects`, chosen.has(`${name} ${id}`)] as const);
    return [
      statement,
      new Map(rows.map((row) => [Number(row.id), { ...row, ...Object.fromEntries(chosenBy(row.id)) }])),
    ];
  }

  private expectAgreement(asked: readonly Asked[], [statement, rows]: [SqlStatement, ReadonlyMap<number, Row>]): void {
    for (const { name, expression, use, expected } of asked) {
      for (const [id, answer] of expected.entries()) {
        const got = answerOf(name, use, statement, rows.get(id) ?? unexpected(`no row ${id}`));
        const wanted = wantedFor(use, answer);
        this.agreed++;
        if (isDeepStrictEqual(got, wanted)) continue;
        const { dialect } = this.database;
        const { errors, ...sql } = toSql(expression, dialect, this.table, { use });
        throw new WrongAnswer(dialect.name, got, wanted, expression, this.records[id] as Input, use, sql);
      }
    }
  }
}

function answerOf(name: string, use: AnyUse, { errors }: SqlStatement, row: Row): unknown {
  const part = (of: string) => row[`${name} ${of}`];
  const error = part('error');
  if (error !== null && error !== undefined) {
    const { operator, found, span } = errors[Number(error) - 1] ?? unexpected(`error ${error}`);
    return { operator, found, span };
  }
  switch (use) {
    case 'where': {
      const holds = part('condition') === true || part('condition') === 1;
      const isSelected = part('selects');
      return { value: holds === isSelected ? holds : `${holds} as a value, ${isSelected} as a filter` };
    }
    case 'value': {
      const channels = (['number', 'string', 'boolean', 'null', 'list', 'json'] as const).map((of) => [of, part(of)]);
      return { value: readRowValue(Object.fromEntries(channels)) };
    }
    case 'number':
      return { value: Number(part('number')) + 0 };
    case 'on': {
      const segments = part('segments');
      return { value: Array.isArray(segments) ? [...segments].sort() : [part('segment')] };
    }
  }
}

function wantedFor(use: AnyUse, answer: Outcome): unknown {
  if (!('value' in answer)) return answer;
  if (use === 'on') return { value: toSegmentNames(answer.value).sort() };
  return { value: use === 'number' ? toNumberOrZero(answer.value) : answer.value };
}
