import type { Literal } from '../../../lang/ast.ts';
import { type Checked, checkTree, type PropertyRead } from '../../../lang/check/check.ts';
import type { Schema } from '../../../lang/check/schema.ts';
import { lowerChecked } from '../../../lang/engines/sql/lower-checked.ts';
import type { SqlSource } from '../../../lang/engines/sql/sql-source.ts';
import type { SqlParts, SqlStatement } from '../../../lang/engines/sql/to-statement.ts';
import { assertAffordable } from '../../../queries/answer-limits.ts';
import { CheckedExpressions } from '../../../queries/checked-expressions.ts';
import { checkExpression, toQueryError } from '../../../queries/expression-error.ts';
import { lowerTimeRange } from '../../../queries/time-range.ts';
import { getJoinedProperties, lowerPeopleJoin } from '../../store/joined-people.ts';
import type { JsonSqlRow, VersionSources } from '../../store/store-snapshot.ts';
import { noteTrace } from '../query-trace.ts';
import {
  type ColumnExpression,
  EVENT_FILTER,
  type EventColumn,
  type EventFilter,
  listExpressions,
} from './event-columns.ts';
import { PossibleTypeErrors } from './possible-type-errors.ts';
import type { QueryContext } from './query-context.ts';
import { getSeenProperties } from './seen-properties.ts';
import { addUp, ROW_COUNT, type ShardAggregate } from './shard-aggregate.ts';
import { ShardedQuery } from './sharded-query.ts';
import { getSqlFunctions } from './sql-functions.ts';

const NOTHING: VersionSources = {
  events: { table: 'nothing', properties: {} },
  people: { table: 'nothing', properties: {} },
  place: 0,
};

/** How many events a row counts. */
const WEIGHT = 'weight';

/**
 * The selected events of all versions as a table in SQL: `selected`, with `event`, `time`, `distinct_id` and the given
 * columns. If it only counts events, rows may count several; see {@link EventQuery.unit}.
 *
 * Queries define further tables on it. A query fails if an event raises a type error.
 */
export class EventQuery extends ShardedQuery {
  private readonly expressions: Readonly<Record<string, ColumnExpression>>;
  private readonly checked: ReadonlyMap<string, Checked>;
  private readonly failures = new PossibleTypeErrors();
  private readonly listed = new Set<string>();
  private readonly seen: Schema;
  /** Whether some rows are those of rollups. */
  private readonly isRolled: boolean;
  /** Whether no event raises a type error. */
  private isChecked = false;

  /** @throws {QueryError} for an invalid expression, or expressions that cost too much */
  constructor(
    private readonly context: QueryContext,
    private readonly filter: EventFilter,
    private readonly columns: Readonly<Record<string, EventColumn>> = {},
  ) {
    super(context.snapshot);
    const versions = context.snapshot.versions.length > 0 ? context.snapshot.versions : [NOTHING];
    this.seen = getSeenProperties(context.snapshot);
    this.expressions = listExpressions(filter, columns);
    const { expressions = new CheckedExpressions(context.timeZone) } = context;
    const checked = Object.entries(this.expressions).map(([name, { source, kind, use }]) => {
      return { name, kind, checked: checkExpression(expressions, source, kind, use, this.seen) };
    });
    assertAffordable(checked);
    this.checked = new Map(checked.map(({ name, checked }) => [name, checked]));
    this.isRolled = versions.some((version) => this.findRollup(version) !== undefined);
    noteTrace((trace) => {
      if (trace.read !== 'events') trace.read = this.isRolled ? 'counts' : 'events';
    });
    const statements = versions.map((version, index) => this.addVersion(version, index + 1));
    for (const { parts } of statements) {
      for (const name of Object.keys(this.columns)) if (parts[name]?.segments !== undefined) this.listed.add(name);
    }
    if (statements.some(({ errors }) => errors.length > 0)) {
      this.defineInlined('judged', statements.map((statement) => this.lowerJudged(statement)).join(' UNION ALL '));
      const names = ['event', '"time"', this.unit, ...Object.keys(columns)];
      this.defineInlined(
        'selected',
        `SELECT ${names.join(', ')} FROM judged${this.has(EVENT_FILTER) ? ` WHERE ${EVENT_FILTER}` : ''}`,
      );
    } else {
      this.defineInlined('selected', statements.map((statement) => this.lowerFiltered(statement)).join(' UNION ALL '));
    }
  }

  /** The column that tells what a row stands for: its user, or how many events it counts. */
  get unit(): string {
    return this.isRolled ? WEIGHT : 'distinct_id';
  }

  /** The number of events of rows with {@link unit}. */
  get eventCount(): ShardAggregate {
    return this.isRolled ? addUp(`CAST(sum(${WEIGHT}) AS BIGINT)`) : ROW_COUNT;
  }

  /** Returns SQL for a row for each segment of an event, for use in a select list. */
  segmentOf(column: string): string {
    return this.listed.has(column) ? this.dialect.unnest(column) : column;
  }

  /** Returns SQL to order events by their segments. Several segments of an event have no order. */
  orderOf(column: string): string {
    return this.listed.has(column) ? getSqlFunctions(this.dialect).sorted(column) : column;
  }

  /** Whether a column is an array of segment names rather than one name. */
  isListed(column: string): boolean {
    return this.listed.has(column);
  }

  /**
   * Runs a query and streams its rows. Looks for type errors first, since one fails the query; those of a filter come
   * first.
   *
   * @throws {QueryError} for a type error
   */
  override async *stream(sql: string): AsyncGenerator<readonly JsonSqlRow[]> {
    await this.assertNoFailure();
    yield* super.stream(sql);
  }

  private async assertNoFailure(): Promise<void> {
    if (this.failures.isEmpty || this.isChecked) return;
    const failures = this.lowerGroups({ from: 'judged WHERE failure IS NOT NULL', keys: ['failure'], values: {} });
    const rows: JsonSqlRow[] = [];
    for await (const some of super.stream(`${failures} ORDER BY failure`)) rows.push(...some);
    const first = this.failures.findFirst(rows);
    if (first !== undefined) throw toQueryError(first.kind, first.error, first.use, this.seen);
    this.isChecked = true;
  }

  /** The properties of events that the expressions read. */
  private get readProperties(): readonly string[] {
    return this.listReads('properties');
  }

  private get readsUser(): boolean {
    return this.listReads('user').length > 0;
  }

  private listReads(wanted: PropertyRead['scope']): readonly string[] {
    const reads = [...this.checked.values()].flatMap(({ properties }) => properties);
    return [...new Set(reads.filter(({ scope }) => scope === wanted).map(({ name }) => name))];
  }

  private has(name: string): boolean {
    return name in this.expressions;
  }

  /** Names the events of a version and compiles the expressions for them. */
  private addVersion(version: VersionSources, number: number): SqlStatement {
    const { dialect } = this;
    const table = `events_${number}`;
    if (version === NOTHING) {
      this.defineInlined(table, `SELECT '' AS event, 0 AS "time", '' AS distinct_id, '{}' AS properties WHERE 1 = 0`);
    } else {
      this.defineInlined(table, this.lowerEvents(version, this.readsUser));
    }
    const source: SqlSource = {
      table,
      properties: version.events.properties,
      user: getJoinedProperties(version.people.properties),
    };
    const expressions = Object.fromEntries(
      Object.entries(this.expressions).map(([name, { use, isNumberOrNull }]) => {
        const checked = this.checked.get(name) as Checked;
        return [name, { checked: isNumberOrNull ? multiplyByOne(checked) : checked, use }];
      }),
    );
    const statement = lowerChecked(expressions, dialect, source, this.context.now, this.parameters.length);
    this.parameters.push(...statement.parameters);
    return statement;
  }

  private lowerEvents(version: VersionSources, readsUser: boolean): string {
    if (this.isRolled) return this.lowerCounts(version);
    const all = `SELECT * FROM ${this.tableName(version.events)}${this.lowerFilter()}`;
    return readsUser ? lowerPeopleJoin(all, this.tableName(version.people), version) : all;
  }

  /** Returns SQL for the counts of a rollup, and for the events that it does not count. */
  private lowerCounts(version: VersionSources): string {
    const { columns = {} } = version.events.properties;
    const read = this.readProperties.flatMap((name) => Object.values(columns[name] ?? {}));
    const rollup = this.findRollup(version);
    const events = `SELECT *, 1 AS ${WEIGHT} FROM ${this.tableName(version.events)}`;
    if (rollup === undefined) return `${events}${this.lowerFilter()}`;
    const select = (source: string, weight: string, conditions: readonly string[]) =>
      `SELECT ${['event', '"time"', `${weight} AS ${WEIGHT}`, ...read].join(', ')} FROM ${source}${this.lowerFilter(conditions)}`;
    const rest = [`"time" >= ${version.rollups?.before}`];
    return `${select(this.tableName({ table: rollup }), WEIGHT, [])} UNION ALL ${select(this.tableName(version.events), '1', rest)}`;
  }

  /** Returns the table of counts of a version that has all that the query reads, if the query can read counts. */
  private findRollup({ rollups }: VersionSources): SqlSource['table'] | undefined {
    const { columns, filter, readProperties } = this;
    const isOfEvent = Object.values(columns).some(({ use }) => use !== 'on' && use !== 'where');
    if (filter.countsHours !== true || rollups === undefined || isOfEvent || this.readsUser) return undefined;
    const [name, another] = readProperties;
    if (name === undefined) return rollups.table;
    return another === undefined && Object.hasOwn(rollups.byProperty, name) ? rollups.byProperty[name] : undefined;
  }

  private lowerFilter(others: readonly string[] = []): string {
    const { events, span } = this.filter;
    const conditions = [
      ...(events === undefined ? [] : [`event IN (${events.map((event) => this.bind(event)).join(', ')})`]),
      ...lowerTimeRange(span),
      ...others,
    ];
    return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  }

  private tableName({ table }: Pick<SqlSource, 'table'>): string {
    const { dialect } = this;
    return [table]
      .flat()
      .map((name) => dialect.quoteName(name))
      .join('.');
  }

  /**
   * Returns SQL for the selected events of a version that cannot raise type errors. A plain WHERE lets the database
   * skip events.
   */
  private lowerFiltered({ parts, from }: SqlStatement): string {
    const condition = parts[EVENT_FILTER]?.condition;
    return `SELECT ${this.lowerColumns(parts).join(', ')} FROM ${from}${condition === undefined ? '' : ` WHERE ${condition}`}`;
  }

  /** Returns SQL for the events of a version, whether each is selected, and the type error that it raises. */
  private lowerJudged(statement: SqlStatement): string {
    const { parts, from } = statement;
    const filter = this.has(EVENT_FILTER) ? [`${lowerIsTrue(parts[EVENT_FILTER]?.condition)} AS ${EVENT_FILTER}`] : [];
    return `SELECT ${[...this.lowerColumns(parts), ...filter, `${this.lowerFailure(statement)} AS failure`].join(', ')} FROM ${from}`;
  }

  /** Returns SQL for the columns of each event. */
  private lowerColumns(sql: SqlStatement['parts']): string[] {
    const own = Object.entries(this.columns).map(
      ([name, column]) => `${this.lowerColumn(name, column, sql[name])} AS ${name}`,
    );
    return ['event', '"time"', this.unit, ...own];
  }

  private lowerColumn(name: string, column: EventColumn, sql: SqlParts | undefined): string {
    switch (column.use) {
      case 'where':
        return this.lowerWhere(column, sql);
      case 'on':
        return sql?.segments ?? (this.listed.has(name) ? `[${sql?.segment}]` : `${sql?.segment}`);
      case 'number':
        return `${sql?.number}`;
      case 'properties':
        return 'properties';
      default:
        // Both databases infer from this that the column is a number.
        return sql?.value?.number ?? 'nullif(0.0, 0.0)';
    }
  }

  private lowerWhere(column: EventColumn & { readonly use: 'where' }, sql: SqlParts | undefined): string {
    const { expression, raises } = column;
    const { condition, error } = sql ?? {};
    const conditions = [
      ...this.lowerEventConditions(column),
      ...(expression === undefined ? [] : [lowerIsTrue(condition)]),
      ...(raises === undefined || error === undefined ? [] : [`${error} IS NULL`]),
    ];
    return conditions.length === 0 ? 'true' : conditions.join(' AND ');
  }

  /**
   * Returns SQL for the number of the first type error that an event raises, as counted by {@link failures}; NULL for
   * none.
   */
  private lowerFailure({ parts, errors }: SqlStatement): string {
    const offset = this.failures.add(errors, this.expressions);
    const failures = Object.entries(parts).flatMap(([name, { error }]) => {
      if (error === undefined) return [];
      const conditions = this.lowerConditions(name, parts);
      return [conditions.length === 0 ? error : `CASE WHEN ${conditions.join(' AND ')} THEN ${error} END`];
    });
    if (failures.length === 0) return 'NULL';
    return `coalesce(${failures.join(', ')}) + ${offset}`;
  }

  /**
   * Returns the conditions under which a column is computed: a filter for the events it applies to, others only for
   * selected events.
   */
  private lowerConditions(name: string, parts: SqlStatement['parts']): string[] {
    const column = this.columns[name];
    if (column === undefined) return [];
    if (column.use === 'where') return [...this.lowerEventConditions(column), ...lowerTimeRange(column.raises)];
    const selected = this.has(EVENT_FILTER) ? [lowerIsTrue(parts[EVENT_FILTER]?.condition)] : [];
    if (column.use !== 'on') return selected;
    const given = column.given === undefined ? undefined : this.columns[column.given];
    const isGiven = given === undefined ? [] : [this.lowerColumn(`${column.given}`, given, parts[`${column.given}`])];
    return [...selected, ...lowerTimeRange(column.span), ...isGiven];
  }

  private lowerEventConditions({ event, span }: EventColumn & { readonly use: 'where' }): string[] {
    return [...(event === undefined ? [] : [`event = ${this.bind(event)}`]), ...lowerTimeRange(span)];
  }
}

/** Returns an expression that has the same value if that is a number, and is undefined if not. */
function multiplyByOne({ source, tree, timeZone }: Checked): Checked {
  const { span } = tree;
  const one: Literal = { kind: 'literal', value: 1, span };
  return checkTree(source, { kind: 'binary', operator: '*', left: tree, right: one, span }, 'value', { timeZone });
}

function lowerIsTrue(condition: string | undefined): string {
  return `coalesce(${condition}, false)`;
}
