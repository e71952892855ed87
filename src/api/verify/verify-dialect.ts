import type { Use } from '../../lang/check/check.ts';
import { assertDialect, type Dialect, type DialectName } from '../../lang/engines/sql/dialect.ts';
import { ExpressionCheckError, ExpressionUnsupportedError } from '../../lang/errors.ts';
import { assertFunction } from '../../lang/util/guard.ts';
import type { Properties } from '../../lang/value.ts';
import type { SqlExpression } from '../to-sql.ts';
import { computeExpected } from './expected-answers.ts';
import { findMissingFunctions, SqlSetupError } from './find-missing-functions.ts';
import { findWrongSettings } from './find-wrong-settings.ts';
import { canHold } from './inline-table.ts';
import { type LayoutName, PROBE_LAYOUTS, type ProbeLayout } from './probe-layouts.ts';
import { PROBE_TIME, ProbeTable, type RunSql } from './probe-table.ts';
import { PROBES, type ProbeGroup, type ProbeRecord } from './probes.ts';

/** How a database answered a built-in set of probes. */
export interface SqlVerification {
  readonly dialect: DialectName;
  /** The version as the database writes it. */
  readonly version: string;
  /** Whether every answer was right. */
  readonly isExact: boolean;
  /** The result for each way to keep properties that the dialect reads. */
  readonly layouts: readonly LayoutVerification[];
  /**
   * If answers differ, the settings that are known to change answers, each a sentence. Empty if no such setting was
   * found.
   */
  readonly hints: readonly string[];
}

export interface LayoutVerification {
  readonly layout: LayoutName;
  /** How many answers were compared. */
  readonly compared: number;
  /** The wrong answers in the order of the probes. */
  readonly differences: readonly SqlDifference[];
}

/** A wrong answer. */
export interface SqlDifference {
  /** What the probe is about, such as `powers of two and ten`. */
  readonly about: string;
  readonly expression: string;
  readonly use: Use;
  /** The record that the expression was asked of. */
  readonly properties: Properties;
  readonly user?: Properties;
  /** The right answer: JSON, `undefined`, or `type error: …`. Segments are a JSON array of their names. */
  readonly expected: string;
  /** What the database answered, written alike, or `error: …` if the statement failed. */
  readonly actual: string;
}

/** How many expressions share a statement. */
const TOGETHER = 8;

/** How many failures in a layout are narrowed down to an expression and a record. */
const NARROWED = 10;

/**
 * Compares the answers of a database, in its version and with its settings, with those of the reference interpreter:
 * tens of thousands in each layout, for values that are easy to get wrong. It only runs `SELECT` over values inside the
 * statement, so it reads and writes no table. The functions of `dialect.setup` must be in the database.
 *
 * @param run Runs one statement on your connection. Calls never overlap.
 * @throws {SqlSetupError} if the database lacks some of the functions; what `run` rejects with if the database cannot say
 *   its version or its functions; {@link TypeError} for an argument of another type. A probe that fails is a difference.
 */
export async function verifyDialect(run: RunSql, dialect: Dialect): Promise<SqlVerification> {
  assertFunction(run, 'run');
  assertDialect(dialect, 'dialect');
  return verifyProbes(run, dialect, PROBES);
}

/** Compares the answers to some probes alone, as `verifyDialect` does those to all. */
export async function verifyProbes(
  run: RunSql,
  dialect: Dialect,
  probes: readonly ProbeGroup[],
): Promise<SqlVerification> {
  const [row] = await run('SELECT version() AS version', []);
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

/** Asks a database all probes in one layout. */
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
    for (const group of groups) await this.ask(group);
    return { layout: this.layout.name, compared: this.compared, differences: this.differences };
  }

  private async ask({ about, records, expressions, uses }: ProbeGroup): Promise<void> {
    const { layout, dialect } = this;
    const kept = records
      .filter((record) => canHold(dialect, record))
      .map(({ properties, user }) => ({
        properties: layout.kept(properties),
        ...(user && { user: layout.kept(user) }),
      }));
    const table = new ProbeTable(this.run, dialect, layout, kept);
    const asked = expressions
      .flatMap((expression) => uses.map((use) => ({ expression, use })))
      .filter((one) => isSupported(table, one));
    for (let first = 0; first < asked.length; first += TOGETHER) {
      const together = asked.slice(first, first + TOGETHER);
      const answers = await this.answers(table, together, [...kept.keys()]);
      for (const [index, one] of together.entries()) this.compare(about, one, kept, answers[index] ?? []);
    }
  }

  private compare(
    about: string,
    { expression, use }: SqlExpression,
    records: readonly ProbeRecord[],
    answers: readonly string[],
  ): void {
    const right = computeExpected(expression, use, records, PROBE_TIME);
    for (const [id, record] of records.entries()) {
      const [expected = '', actual = ''] = [right[id], answers[id]];
      this.compared++;
      if (actual !== expected) this.differences.push({ about, expression, use, ...record, expected, actual });
    }
  }

  /**
   * The answers; if the statement fails, those of its halves, down to the expressions and records that it fails for.
   */
  private async answers(
    table: ProbeTable,
    expressions: readonly SqlExpression[],
    ids: readonly number[],
  ): Promise<readonly (readonly string[])[]> {
    try {
      return await table.answers(expressions, ids);
    } catch (error) {
      if (this.failures < NARROWED && expressions.length > 1) {
        const [some, others] = halves(expressions);
        return [...(await this.answers(table, some, ids)), ...(await this.answers(table, others, ids))];
      }
      if (this.failures < NARROWED && ids.length > 1) {
        const [some, others] = halves(ids);
        const [first = []] = await this.answers(table, expressions, some);
        const [second = []] = await this.answers(table, expressions, others);
        return [[...first, ...second]];
      }
      this.failures++;
      const answer = `error: ${error instanceof Error ? error.message : String(error)}`;
      return expressions.map(() => ids.map(() => answer));
    }
  }
}

function halves<Item>(items: readonly Item[]): [readonly Item[], readonly Item[]] {
  const middle = items.length >> 1;
  return [items.slice(0, middle), items.slice(middle)];
}

/** Whether the dialect can answer it; an expression that fails on every record of the layout is not asked either. */
function isSupported(table: ProbeTable, expression: SqlExpression): boolean {
  try {
    table.expectSupported(expression);
    return true;
  } catch (error) {
    if (error instanceof ExpressionCheckError || error instanceof ExpressionUnsupportedError) return false;
    throw error;
  }
}
