import { assertFunction } from '../../base/guard.ts';
import type { Use } from '../../lang/check/check.ts';
import { assertDialect, type Dialect, type DialectName } from '../../lang/engines/sql/dialect.ts';
import { ExpressionCheckError, ExpressionUnsupportedError } from '../../lang/errors.ts';
import type { Properties } from '../../lang/value.ts';
import type { SqlExpression } from '../to-sql.ts';
import { computeExpected } from './expected-answers.ts';
import { findMissingFunctions, SqlSetupError } from './find-missing-functions.ts';
import { findWrongSettings } from './find-wrong-settings.ts';
import { canHold } from './inline-table.ts';
import type { ProbeGroup, ProbeRecord } from './probe-group.ts';
import { type LayoutName, PROBE_LAYOUTS, type ProbeLayout } from './probe-layouts.ts';
import { PROBE_TIME, ProbeTable, type RunSql } from './probe-table.ts';
import { createProbes } from './probes.ts';

/** The outcome of running the built-in probes on a database. */
export interface SqlVerification {
  readonly dialect: DialectName;
  /** The version that the database reports. */
  readonly version: string;
  /** Whether every result was right. */
  readonly isExact: boolean;
  /** The outcome for each layout that the dialect supports. */
  readonly layouts: readonly LayoutVerification[];
  /**
   * A sentence for each setting of the connection that is known to make results wrong. Empty if all results are right or
   * no such setting was found.
   */
  readonly hints: readonly string[];
}

export interface LayoutVerification {
  readonly layout: LayoutName;
  /** The number of results compared. */
  readonly compared: number;
  /** The wrong results in the order of the probes. */
  readonly differences: readonly SqlDifference[];
}

/** A wrong result. */
export interface SqlDifference {
  /** The subject of the probe, such as `powers of two and ten`. */
  readonly about: string;
  readonly expression: string;
  readonly use: Use;
  /** The properties of the record. */
  readonly properties: Properties;
  readonly user?: Properties;
  /** The time zone of the query; missing for UTC. */
  readonly timeZone?: string;
  /** The right result: JSON, `undefined`, or `type error: …`. Segments are a JSON array of names. */
  readonly expected: string;
  /** The result of the database in the same format, or `error: …` if the statement failed. */
  readonly actual: string;
}

/** The number of expressions in a statement. */
const EXPRESSIONS_PER_STATEMENT = 8;

/** The maximum number of failures per layout that are narrowed down to an expression and a record. */
const MAX_NARROWED = 10;

/**
 * Compares the results of your database, with its version and settings, with those of the reference interpreter. It
 * compares tens of thousands of results in each layout, for values that are easy to get wrong.
 *
 * It only runs `SELECT` over values inside the statement, so it reads and writes no table. The database must have the
 * functions of `dialect.setup`. A probe that fails is reported as a difference, not thrown.
 *
 * @param run Runs one statement on your connection. Calls never overlap.
 * @throws {SqlSetupError} if the database lacks some of the functions.
 * @throws {TypeError} if an argument has the wrong type.
 * @throws the error of `run` if the database cannot return its version or its functions.
 *
 * @example
 * const { isExact, layouts, hints } = await verifyDialect((sql, parameters) => client.query(sql, parameters), postgresql);
 */
export async function verifyDialect(run: RunSql, dialect: Dialect): Promise<SqlVerification> {
  assertFunction(run, 'run');
  assertDialect(dialect, 'dialect');
  return verifyProbes(run, dialect, createProbes());
}

/** Runs {@link verifyDialect} with the given probes. */
export async function verifyProbes(
  run: RunSql,
  dialect: Dialect,
  probes: readonly ProbeGroup[],
): Promise<SqlVerification> {
  const [row] = await run(`SELECT ${dialect.name === 'SQLite' ? 'sqlite_version' : 'version'}() AS version`, []);
  const missing = await findMissingFunctions(run, dialect);
  if (missing.length > 0) throw new SqlSetupError(dialect.name, missing);
  const layouts: LayoutVerification[] = [];
  for (const layout of PROBE_LAYOUTS[dialect.name]) {
    layouts.push(await new Verifier(run, dialect, layout).verify(probes));
  }
  const isExact = layouts.every(({ differences }) => differences.length === 0);
  const hints = isExact ? [] : await findWrongSettings(run, dialect);
  return { dialect: dialect.name, version: String(row?.version), isExact, layouts, hints };
}

/** Runs probes in one layout. */
class Verifier {
  private compared = 0;
  private failures = 0;
  private readonly differences: SqlDifference[] = [];

  constructor(
    private readonly run: RunSql,
    private readonly dialect: Dialect,
    private readonly layout: ProbeLayout,
  ) {}

  async verify(probes: readonly ProbeGroup[]): Promise<LayoutVerification> {
    const groups = probes.filter(({ inMaps }) => inMaps || !this.layout.isMap);
    for (const group of groups) await this.verifyGroup(group);
    return { layout: this.layout.name, compared: this.compared, differences: this.differences };
  }

  private async verifyGroup(group: ProbeGroup): Promise<void> {
    const { layout, dialect } = this;
    const { records, expressions, uses, timeZone = 'UTC' } = group;
    const stored = records
      .filter((record) => canHold(dialect, record))
      .map(({ properties, user }) => ({
        properties: layout.toStored(properties),
        ...(user && { user: layout.toStored(user) }),
      }));
    const table = new ProbeTable(this.run, dialect, layout, stored, timeZone);
    const supported = expressions
      .flatMap((expression) => uses.map((use) => ({ expression, use })))
      .filter((one) => isSupported(table, one));
    for (let first = 0; first < supported.length; first += EXPRESSIONS_PER_STATEMENT) {
      const together = supported.slice(first, first + EXPRESSIONS_PER_STATEMENT);
      const results = await this.fetchResults(table, together, [...stored.keys()]);
      for (const [index, one] of together.entries()) this.compare(group, one, stored, results[index] ?? []);
    }
  }

  private compare(
    { about, timeZone }: ProbeGroup,
    { expression, use }: SqlExpression,
    records: readonly ProbeRecord[],
    actuals: readonly string[],
  ): void {
    const expecteds = computeExpected(expression, use, records, { now: PROBE_TIME, timeZone: timeZone ?? 'UTC' });
    for (const [id, record] of records.entries()) {
      const [expected = '', actual = ''] = [expecteds[id], actuals[id]];
      this.compared++;
      if (actual === expected) continue;
      const zone = timeZone === undefined ? {} : { timeZone };
      this.differences.push({ about, expression, use, ...record, ...zone, expected, actual });
    }
  }

  /**
   * Returns the results. If the statement fails, it is split in halves, down to the expressions and records that fail.
   */
  private async fetchResults(
    table: ProbeTable,
    expressions: readonly SqlExpression[],
    ids: readonly number[],
  ): Promise<readonly (readonly string[])[]> {
    try {
      return await table.fetchResults(expressions, ids);
    } catch (error) {
      if (this.failures < MAX_NARROWED && expressions.length > 1) {
        const [some, others] = halves(expressions);
        return [...(await this.fetchResults(table, some, ids)), ...(await this.fetchResults(table, others, ids))];
      }
      if (this.failures < MAX_NARROWED && ids.length > 1) {
        const [some, others] = halves(ids);
        const [first = []] = await this.fetchResults(table, expressions, some);
        const [second = []] = await this.fetchResults(table, expressions, others);
        return [[...first, ...second]];
      }
      this.failures++;
      const failure = `error: ${error instanceof Error ? error.message : String(error)}`;
      return expressions.map(() => ids.map(() => failure));
    }
  }
}

function halves<Item>(items: readonly Item[]): [readonly Item[], readonly Item[]] {
  const middle = items.length >> 1;
  return [items.slice(0, middle), items.slice(middle)];
}

/** Returns whether the dialect supports an expression and the check finds no error with the types of the layout. */
function isSupported(table: ProbeTable, expression: SqlExpression): boolean {
  try {
    table.expectSupported(expression);
    return true;
  } catch (error) {
    if (error instanceof ExpressionCheckError || error instanceof ExpressionUnsupportedError) return false;
    throw error;
  }
}
