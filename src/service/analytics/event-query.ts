import { check } from '../../api/expressions.ts';
import { toSqlStatement } from '../../api/to-sql.ts';
import type { Use } from '../../lang/check/check.ts';
import type { Schema } from '../../lang/check/schema.ts';
import type { Dialect } from '../../lang/engines/sql/dialect.ts';
import type { SqlValue } from '../../lang/engines/sql/sql.ts';
import type { SqlSource } from '../../lang/engines/sql/sql-source.ts';
import type { SqlParts, SqlStatement } from '../../lang/engines/sql/to-statement.ts';
import { ExpressionTypeError } from '../../lang/errors.ts';
import { getJoinedProperties, lowerPeopleJoin } from '../store/joined-people.ts';
import type { JsonSqlRow, VersionSources } from '../store/store-snapshot.ts';
import { assertAffordable, assertAnswerSize } from './answer-limits.ts';
import { checkExpression, type ExpressionKind, toQueryError } from './expression-error.ts';
import type { QueryContext } from './query-context.ts';
import { getSeenProperties } from './seen-properties.ts';
import { getSqlFunctions } from './sql-functions.ts';
import { lowerTimeRange, type TimeRange } from './time-range.ts';

/** Which events are asked about. */
export interface EventFilter {
  /** By name; left out for all. */
  readonly events?: readonly string[] | undefined;
  readonly span?: TimeRange | undefined;
  readonly where?: string | undefined;
}

/** Something to know of each event: a column of the question. */
export type EventColumn =
  /** Whether it has a name, is within a span, and a filter selects it. */
  | {
      readonly use: 'where';
      readonly event?: string | undefined;
      readonly span?: TimeRange | undefined;
      readonly expression?: string | undefined;
    }
  /** The segments that it is in, as {@link EventQuery.segmentOf} tells; asked of the events of a span only that another part holds for. */
  | { readonly use: 'on'; readonly expression: string; readonly span?: TimeRange | undefined; readonly given?: string }
  /** A number, 0 for what is none; or NULL for what is none. */
  | { readonly use: 'number' | 'number or null'; readonly expression: string }
  /** All properties of an event, as JSON. */
  | { readonly use: 'properties' };

/** An expression as it is compiled: in a longer text, for some uses. */
interface CompiledColumn {
  readonly source: string;
  readonly kind: ExpressionKind;
  readonly use: Use;
  readonly text: string;
  /** Where in the text the expression begins. */
  readonly start: number;
}

/** A type error that events of a version may raise. */
interface PossibleTypeError {
  readonly kind: ExpressionKind;
  readonly use: Use;
  readonly error: ExpressionTypeError;
}

const FILTER = 'chosen';

/** Expressions are within the limits of the language; what they are compiled in is a little longer and deeper. */
const COMPILED_LIMITS = { length: 65_600, depth: 260 };

const NOTHING: VersionSources = {
  events: { table: 'nothing', properties: {} },
  people: { table: 'nothing', properties: {} },
};

/**
 * Events of all versions as a table in SQL, `selected`: `event`, `time`, `distinct_id`, and a column for each part. What is asked about it stands
 * behind it in one statement, and is answered unless an event raises a type error.
 */
export class EventQuery {
  private readonly parameters: SqlValue[] = [];
  private readonly tables: [name: string, sql: string][] = [];
  /** How many of the tables are there for what is selected. */
  private readonly ownTables: number;
  private readonly expressions: Readonly<Record<string, CompiledColumn>>;
  private readonly failures: PossibleTypeError[] = [];
  private readonly listed = new Set<string>();
  private readonly seen: Schema;

  /** @throws {QueryError} where an expression cannot be asked. */
  constructor(
    private readonly scope: QueryContext,
    private readonly filter: EventFilter,
    private readonly parts: Readonly<Record<string, EventColumn>> = {},
  ) {
    const versions = scope.reading.versions.length > 0 ? scope.reading.versions : [NOTHING];
    this.seen = getSeenProperties(versions);
    this.expressions = compiledParts(filter, parts);
    for (const { source, kind, use } of Object.values(this.expressions)) checkExpression(source, kind, use, this.seen);
    assertAffordable(Object.values(this.expressions));
    const statements = versions.map((version, index) => this.addVersion(version, index + 1));
    for (const { parts } of statements) {
      for (const name of Object.keys(this.parts)) if (parts[name]?.segments !== undefined) this.listed.add(name);
    }
    if (statements.some(({ errors }) => errors.length > 0)) {
      this.define('judged', statements.map((statement) => this.judged(statement)).join(' UNION ALL '));
      const columns = ['event', '"time"', 'distinct_id', ...Object.keys(parts)];
      this.define('selected', `SELECT ${columns.join(', ')} FROM judged${this.has(FILTER) ? ` WHERE ${FILTER}` : ''}`);
    } else {
      this.define('selected', statements.map((statement) => this.filtered(statement)).join(' UNION ALL '));
    }
    this.ownTables = this.tables.length;
  }

  get dialect(): Dialect {
    return this.scope.reading.dialect;
  }

  /** Puts a value into the statement: the place of its parameter. */
  bind(value: SqlValue): string {
    const { dialect } = this;
    this.parameters.push(dialect.bound?.(value) ?? value);
    return dialect.placeholder(this.parameters.length, value);
  }

  /** Gives a name to a subselect, which may refer to those that were named before it. */
  define(name: string, sql: string): void {
    this.tables.push([name, sql]);
  }

  /** What stands in a list of what is selected for the segments of an event: a row for each of them. */
  segmentOf(part: string): string {
    return this.listed.has(part) ? this.dialect.unnest(part) : part;
  }

  /** What the segments of events are ordered by; several of an event have no order of their own. */
  orderOf(part: string): string {
    return this.listed.has(part) ? getSqlFunctions(this.dialect).sorted(part) : part;
  }

  /** Whether the column of a part is an array of the names of segments rather than one name. */
  isListed(part: string): boolean {
    return this.listed.has(part);
  }

  /**
   * The rows of a short answer. As {@link stream}.
   *
   * @throws {QueryError} also where they hold more than an answer may.
   */
  async rows(sql: string): Promise<readonly JsonSqlRow[]> {
    const rows: JsonSqlRow[] = [];
    let [numbers, characters] = [0, 0];
    for await (const some of this.stream(sql)) {
      for (const value of some.flatMap(Object.values)) {
        if (typeof value === 'string') characters += value.length;
        else numbers++;
      }
      assertAnswerSize(numbers, characters);
      rows.push(...some);
    }
    return rows;
  }

  /**
   * Asks, and gives the rows as they are found. A type error that an event raises fails the question, so that it is looked for first; one of a
   * filter before others.
   *
   * @throws {QueryError} for a type error.
   */
  async *stream(sql: string): AsyncGenerator<readonly JsonSqlRow[]> {
    await this.expectNoFailure();
    yield* this.ask(sql);
  }

  private async expectNoFailure(): Promise<void> {
    if (this.failures.length === 0) return;
    const raised: PossibleTypeError[] = [];
    const sql = 'SELECT DISTINCT failure FROM judged WHERE failure IS NOT NULL ORDER BY failure';
    for await (const rows of this.ask(sql)) {
      raised.push(...rows.flatMap(({ failure }) => this.failures[Number(failure) - 1] ?? []));
    }
    const first = raised.find(({ kind }) => kind === 'selector') ?? raised[0];
    if (first !== undefined) throw toQueryError(first.kind, first.error, first.use, this.seen);
  }

  private ask(sql: string): AsyncIterable<readonly JsonSqlRow[]> {
    // To read events twice takes less time and memory than to keep them for that.
    const { inlined } = getSqlFunctions(this.dialect);
    const tables = this.tables.map(
      ([name, text], index) => `${name} AS ${index < this.ownTables ? inlined : ''}(${text})`,
    );
    return this.scope.reading.stream(`WITH ${tables.join(',\n')}\n${sql}`, this.parameters);
  }

  private has(name: string): boolean {
    return name in this.expressions;
  }

  /** Names the events of a version, and compiles the expressions for them. */
  private addVersion(version: VersionSources, number: number): SqlStatement {
    const { dialect } = this;
    const table = `events_${number}`;
    const reads = Object.values(this.expressions).flatMap(({ source }) => check(source).properties);
    const readsUser = reads.some(({ scope }) => scope === 'user');
    if (version === NOTHING) {
      this.define(table, `SELECT '' AS event, 0 AS "time", '' AS distinct_id, '{}' AS properties WHERE 1 = 0`);
    } else {
      this.define(table, this.eventsOf(version, readsUser));
    }
    const source: SqlSource = {
      table,
      properties: version.events.properties,
      user: getJoinedProperties(version.people.properties),
    };
    const expressions = Object.fromEntries(
      Object.entries(this.expressions).map(([name, { text, use }]) => [name, { expression: text, use }]),
    );
    const parametersBefore = this.parameters.length;
    const options = { now: this.scope.now, parametersBefore, limits: COMPILED_LIMITS };
    const statement = toSqlStatement(expressions, dialect, source, options);
    this.parameters.push(...statement.parameters);
    return statement;
  }

  private eventsOf({ events, people }: VersionSources, readsUser: boolean): string {
    const all = `SELECT * FROM ${this.tableName(events)}${this.condition()}`;
    return readsUser ? lowerPeopleJoin(all, this.tableName(people), people.properties) : all;
  }

  private condition(): string {
    const { events, span } = this.filter;
    const conditions = [
      ...(events === undefined ? [] : [`event IN (${events.map((event) => this.bind(event)).join(', ')})`]),
      ...lowerTimeRange(span),
    ];
    return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  }

  private tableName({ table }: SqlSource): string {
    const { dialect } = this;
    return [table]
      .flat()
      .map((name) => dialect.quoteName(name))
      .join('.');
  }

  /** The selected events of a version, where none can raise a type error: databases look at fewer, the more they know of a filter. */
  private filtered({ parts, from }: SqlStatement): string {
    const condition = parts[FILTER]?.condition;
    return `SELECT ${this.columns(parts).join(', ')} FROM ${from}${condition === undefined ? '' : ` WHERE ${condition}`}`;
  }

  /** The events of a version, with whether each is selected, and the type error that it raises. */
  private judged(statement: SqlStatement): string {
    const { parts, from } = statement;
    const filter = this.has(FILTER) ? [`${holds(parts[FILTER]?.condition)} AS ${FILTER}`] : [];
    return `SELECT ${[...this.columns(parts), ...filter, `${this.failure(statement)} AS failure`].join(', ')} FROM ${from}`;
  }

  /** What is known of each event. */
  private columns(sql: SqlStatement['parts']): string[] {
    const parts = Object.entries(this.parts).map(([name, part]) => `${this.column(name, part, sql[name])} AS ${name}`);
    return ['event', '"time"', 'distinct_id', ...parts];
  }

  private column(name: string, part: EventColumn, sql: SqlParts | undefined): string {
    switch (part.use) {
      case 'where':
        return this.whereSql(part, sql);
      case 'on':
        return sql?.segments ?? (this.listed.has(name) ? `[${sql?.segment}]` : `${sql?.segment}`);
      case 'number':
        return `${sql?.number}`;
      case 'properties':
        return 'properties';
      default:
        // Both databases know by this that it is a number.
        return sql?.value?.number ?? 'nullif(0.0, 0.0)';
    }
  }

  private whereSql(part: EventColumn & { readonly use: 'where' }, sql: SqlParts | undefined): string {
    const { expression } = part;
    const conditions = [...this.looksAt(part), ...(expression === undefined ? [] : [holds(sql?.condition)])];
    return conditions.length === 0 ? 'true' : conditions.join(' AND ');
  }

  /** The number of the first type error that an event raises, as {@link failures} counts them from 1; NULL for none. */
  private failure({ parts, errors }: SqlStatement): string {
    const before = this.failures.length;
    for (const { expression, operator, found, span } of errors) {
      const { source, kind, use, start } = this.expressions[expression] as CompiledColumn;
      const place = { start: Math.max(0, span.start - start), end: Math.max(0, span.end - start) };
      this.failures.push({ kind, use, error: new ExpressionTypeError(source, operator, found, place) });
    }
    const failures = Object.entries(parts).flatMap(([name, { error }]) => {
      if (error === undefined) return [];
      const conditions = this.conditionsOf(name, parts);
      return [conditions.length === 0 ? error : `CASE WHEN ${conditions.join(' AND ')} THEN ${error} END`];
    });
    if (failures.length === 0) return 'NULL';
    return `coalesce(${failures.join(', ')}) + ${before}`;
  }

  /** Of which events a part is asked: filters of all that they look at, others of those only that are selected. */
  private conditionsOf(name: string, parts: SqlStatement['parts']): string[] {
    const part = this.parts[name];
    if (part === undefined) return [];
    if (part.use === 'where') return this.looksAt(part);
    const chosen = this.has(FILTER) ? [holds(parts[FILTER]?.condition)] : [];
    if (part.use !== 'on') return chosen;
    const given = part.given === undefined ? undefined : this.parts[part.given];
    const holding = given === undefined ? [] : [this.column(`${part.given}`, given, parts[`${part.given}`])];
    return [...chosen, ...lowerTimeRange(part.span), ...holding];
  }

  private looksAt({ event, span }: EventColumn & { readonly use: 'where' }): string[] {
    return [...(event === undefined ? [] : [`event = ${this.bind(event)}`]), ...lowerTimeRange(span)];
  }
}

function holds(condition: string | undefined): string {
  return `coalesce(${condition}, false)`;
}

function compiledParts(
  { where }: EventFilter,
  parts: Readonly<Record<string, EventColumn>>,
): Record<string, CompiledColumn> {
  const whole = (source: string, use: Use): CompiledColumn => ({
    source,
    kind: use === 'where' ? 'selector' : 'action',
    use,
    text: source,
    start: 0,
  });
  const compiled = Object.entries(parts).flatMap(([name, part]): [string, CompiledColumn][] => {
    if (part.use === 'properties' || part.expression === undefined) return [];
    const { use, expression } = part;
    if (use !== 'number or null') return [[name, whole(expression, use)]];
    // Of all values, only a number times 1 is something.
    return [[name, { ...whole(expression, 'value'), text: `(${expression}) * 1`, start: 1 }]];
  });
  return { ...(where !== undefined && { [FILTER]: whole(where, 'where') }), ...Object.fromEntries(compiled) };
}
