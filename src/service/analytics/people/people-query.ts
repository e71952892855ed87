import { toSqlStatement } from '../../../api/to-sql.ts';
import type { Schema } from '../../../lang/check/schema.ts';
import type { SqlValue } from '../../../lang/engines/sql/sql.ts';
import type { ErrorSite } from '../../../lang/engines/sql/type-errors.ts';
import { ExpressionError, ExpressionTypeError } from '../../../lang/errors.ts';
import { assertAffordable, assertPageSize, MAX_PAGE_CHARACTERS, PAGE_SIZE } from '../../../queries/answer-limits.ts';
import { CheckedExpressions } from '../../../queries/checked-expressions.ts';
import type { QueryError } from '../../../queries/errors.ts';
import { checkExpression, toQueryError } from '../../../queries/expression-error.ts';
import type { PeopleSelection } from '../../../queries/people.ts';
import type { QueryMoment } from '../../store/filter-snapshot.ts';
import {
  type JsonSqlRow,
  lowerAllRows,
  PLACE_COLUMN,
  type StoreSnapshot,
  type VersionSources,
} from '../../store/store-snapshot.ts';
import { getSeenProperties } from '../sql/seen-properties.ts';
import { getSqlFunctions } from '../sql/sql-functions.ts';

/** The selected people of a version, or of several that share a table, in SQL. */
interface SelectedPeople {
  /** SQL for the place of a person's version. */
  readonly place: string;
  /** The table of all people of the version or versions. */
  readonly table: string;
  readonly from: string;
  /** The condition that selects them. */
  readonly condition: string;
  /** SQL for the number of the type error that a person raises. */
  readonly error: string | undefined;
  readonly errors: readonly ErrorSite[];
}

/** A person as the database returns it. */
export interface FoundPerson {
  readonly id: string;
  /** All properties, as JSON. */
  readonly properties: string;
}

/** Queries the people of all versions that a filter selects, ordered by ID and then version. */
export class PeopleQuery {
  private readonly parameters: SqlValue[];
  private readonly seen: Schema;
  private readonly selected: readonly SelectedPeople[];
  private readonly where: string | undefined;
  private readonly distinctIds: readonly string[] | undefined;

  /** @throws {QueryError} for an invalid filter */
  constructor(
    private readonly snapshot: StoreSnapshot,
    { where, distinctIds }: PeopleSelection,
    moment: QueryMoment,
  ) {
    this.parameters = [...snapshot.parameters];
    this.where = where;
    this.distinctIds = distinctIds;
    const { user = {} } = getSeenProperties(snapshot);
    this.seen = { properties: user, user };
    if (where !== undefined) {
      const expressions = new CheckedExpressions(moment.timeZone);
      const checked = checkExpression(expressions, where, 'selector', 'where', this.seen);
      assertAffordable([{ checked, kind: 'selector' }]);
    }
    this.selected = snapshot.versions.map((version) => this.select(version, moment));
  }

  /**
   * Counts the selected people.
   *
   * @throws {QueryError} for a type error that any person raises, and if a page would be too large
   */
  async count(): Promise<number> {
    const { snapshot } = this;
    const counts = this.selected.map(({ table, from, condition, error }, source) => {
      // At least the characters of the longest profile.
      const longest = `${getSqlFunctions(snapshot.dialect).longest('properties', table)} AS longest`;
      return error === undefined
        ? `SELECT ${source} AS source, count(*) AS people, NULL AS error, ${longest} FROM ${from} WHERE ${condition}`
        : `SELECT ${source} AS source, count(CASE WHEN ${condition} THEN 1 END) AS people, min(${error}) AS error, ${longest} FROM ${from}`;
    });
    if (counts.length === 0) return 0;
    const counted = `SELECT * FROM ${lowerAllRows(snapshot, counts.join(' UNION ALL '))} AS counted`;
    const rows = await snapshot.rows(counted, this.parameters);
    this.expectNoError(rows);
    const total = rows.reduce((sum, { people }) => sum + Number(people), 0);
    const longest = Math.max(...rows.map((row) => Number(row.longest ?? Number.POSITIVE_INFINITY)));
    if (total > 0 && longest * Math.min(total, PAGE_SIZE) > MAX_PAGE_CHARACTERS) await this.expectPages();
    return total;
  }

  /** Checks the size of each page; needed if the longest profiles could make one too large. */
  private async expectPages(): Promise<void> {
    const lengths = this.lowerPeople('length(CAST(properties AS VARCHAR)) AS characters');
    const places = `SELECT characters, row_number() OVER (ORDER BY distinct_id, version) - 1 AS place FROM ${lengths} AS placed`;
    const page = getSqlFunctions(this.snapshot.dialect).quotient('place', PAGE_SIZE);
    const pages = `SELECT sum(characters) AS characters FROM (${places}) AS places GROUP BY ${page}`;
    const [row] = await this.snapshot.rows(
      `SELECT max(characters) AS longest FROM (${pages}) AS pages`,
      this.parameters,
    );
    assertPageSize(Number(row?.longest));
  }

  /** Returns the first `limit` people. Throws like {@link all}. */
  async first(limit: number): Promise<FoundPerson[]> {
    if (this.selected.length === 0) return [];
    return this.checkRows(await this.snapshot.rows(`${this.ordered()} LIMIT ${limit}`, this.parameters));
  }

  /**
   * Streams all people after the first `skipped`.
   *
   * @throws {QueryError} for a type error that a person raises
   */
  async *all(skipped: number): AsyncGenerator<FoundPerson[]> {
    if (this.selected.length === 0) return;
    const sql = skipped === 0 ? this.ordered() : `${this.ordered()} OFFSET ${skipped}`;
    for await (const rows of this.snapshot.stream(sql, this.parameters)) yield this.checkRows(rows);
  }

  private select(version: VersionSources, moment: QueryMoment): SelectedPeople {
    const found = this.filter(version, moment);
    return this.distinctIds === undefined ? found : { ...found, from: this.pick(found.from, this.distinctIds) };
  }

  /** Returns SQL for the rows of some people. No other person can raise an error then. */
  private pick(from: string, distinctIds: readonly string[]): string {
    const placeholders = distinctIds.map((id) => {
      return this.snapshot.dialect.placeholder(this.parameters.push(id), id);
    });
    return `(SELECT * FROM ${from} WHERE distinct_id IN (${placeholders.join(', ')})) AS picked`;
  }

  private filter({ people, place: number }: VersionSources, moment: QueryMoment): SelectedPeople {
    const { snapshot, where, parameters } = this;
    const names = [people.table].flat().map((name) => snapshot.dialect.quoteName(name));
    const table = names.join('.');
    const place = String(number ?? PLACE_COLUMN);
    if (where === undefined) return { place, table, from: table, condition: 'true', error: undefined, errors: [] };
    try {
      const source = { ...people, user: people.properties };
      const options = { ...moment, parametersBefore: parameters.length };
      const statement = toSqlStatement(
        { where: { expression: where, use: 'where' } },
        snapshot.dialect,
        source,
        options,
      );
      parameters.push(...statement.parameters);
      const { condition = 'true', error } = statement.parts.where;
      return { place, table, from: statement.from, condition, error, errors: statement.errors };
    } catch (error) {
      throw error instanceof ExpressionError ? this.toError(error) : error;
    }
  }

  private ordered(): string {
    const people = this.lowerPeople('CAST(properties AS VARCHAR) AS properties');
    return `SELECT distinct_id AS id, properties, source, error FROM ${people} AS people ORDER BY distinct_id, version`;
  }

  /**
   * Returns a table in SQL with the selected people and one more column. Without a snapshot, people may arrive after
   * the count, so those who raise an error are included.
   */
  private lowerPeople(column: string): string {
    const versions = this.selected.map(({ place, from, condition, error = 'NULL' }, source) => {
      const columns = `distinct_id, ${place} AS version, ${source} AS source, ${column}, ${error} AS error`;
      const others = this.snapshot.isSnapshot || error === 'NULL' ? '' : ` OR ${error} IS NOT NULL`;
      return `SELECT ${columns} FROM ${from} WHERE ${condition}${others}`;
    });
    return lowerAllRows(this.snapshot, versions.join(' UNION ALL '));
  }

  private checkRows(rows: readonly JsonSqlRow[]): FoundPerson[] {
    this.expectNoError(rows);
    return rows as unknown as FoundPerson[];
  }

  /** Throws the error that comes first in the filter, if there is any. */
  private expectNoError(rows: readonly JsonSqlRow[]): void {
    const sites = rows.flatMap(({ source, error }) => {
      const site = error === null ? undefined : this.selected[Number(source)]?.errors[Number(error) - 1];
      return site === undefined ? [] : [site];
    });
    const [site] = sites.sort((left, right) => left.span.start - right.span.start);
    if (site === undefined) return;
    throw this.toError(new ExpressionTypeError(this.where ?? '', site.operator, site.found, site.span));
  }

  private toError(error: ExpressionError): QueryError {
    return toQueryError('selector', error, 'where', this.seen);
  }
}
