import { check } from '../../api/expressions.ts';
import { toSqlStatement } from '../../api/to-sql.ts';
import type { SqlValue } from '../../lang/engines/sql/sql.ts';
import type { SqlSource } from '../../lang/engines/sql/sql-source.ts';
import { getJoinedProperties, listColumns, listUserKeys, lowerPeopleJoin } from './joined-people.ts';
import type { StoreSnapshot, VersionSources } from './store-snapshot.ts';

/** The time of a query, and the time zone of its days and of dates in its expressions. */
export interface QueryMoment {
  /** Unix seconds. */
  readonly now: number;
  /** An IANA name. */
  readonly timeZone: string;
}

/**
 * Restricts a snapshot to the events and people for which a filter is true. Queries run as if no other records existed:
 * their values, type errors and profiles cannot show. Records on which the filter fails are left out.
 *
 * @param where the filter expression
 */
export function filterSnapshot(snapshot: StoreSnapshot, where: string, moment: QueryMoment): StoreSnapshot {
  const parameters = [...snapshot.parameters];
  const versions = snapshot.versions.map((version, index) => new FilteredVersion(snapshot, version, index + 1));
  const tables = versions.flatMap((version) => version.define(where, moment, parameters));
  const addTables = (sql: string): string => {
    if (tables.length === 0) return sql;
    const rest = sql.startsWith('WITH ') ? `, ${sql.slice('WITH '.length)}` : ` ${sql}`;
    return `WITH ${tables.join(', ')}${rest}`;
  };
  const { gather, dialect, isSnapshot } = snapshot;
  const sources = versions.map((version) => version.sources);
  const filtered = { dialect, isSnapshot, isFiltered: true, versions: sources, parameters } as const;
  if (gather !== undefined) {
    return { ...snapshot, ...filtered, gather: (select) => gather(addTables(select)) };
  }
  return {
    ...filtered,
    rows: async (sql, all) => snapshot.rows(addTables(sql), all),
    stream: (sql, all) => snapshot.stream(addTables(sql), all),
  };
}

/** The records of a version that a filter selects, as common table expressions of each statement. */
class FilteredVersion {
  readonly sources: VersionSources;

  constructor(
    private readonly snapshot: StoreSnapshot,
    private readonly version: VersionSources,
    private readonly number: number,
  ) {
    const { events, people } = version;
    this.sources = {
      ...version,
      rollups: undefined,
      events: { ...events, table: `allowed_events_${number}` },
      people: { ...people, table: `allowed_people_${number}` },
    };
  }

  /** Returns the definitions of the tables and appends their parameters to `parameters`. */
  define(where: string, moment: QueryMoment, parameters: SqlValue[]): string[] {
    const { events, people } = this.version;
    const joined = `joined_events_${this.number}`;
    const readsUser = check(where).properties.some(({ scope }) => scope === 'user');
    const allEvents = `SELECT * FROM ${this.quoteTable(events)}`;
    const join = lowerPeopleJoin(allEvents, this.quoteTable(people), this.version);
    const eventSource: SqlSource = {
      table: readsUser ? joined : events.table,
      properties: events.properties,
      user: getJoinedProperties(people.properties),
    };
    const personSource: SqlSource = { ...people, user: people.properties };
    const select = (source: SqlSource, columns: readonly string[]) => {
      const options = { ...moment, parametersBefore: parameters.length };
      const filter = { where: { expression: where, use: 'where' as const } };
      const statement = toSqlStatement(filter, this.snapshot.dialect, source, options);
      parameters.push(...statement.parameters);
      const { condition, error } = statement.parts.where;
      const fails = error === undefined ? '' : ` AND ${error} IS NULL`;
      return `SELECT ${columns.join(', ')} FROM ${statement.from} WHERE coalesce(${condition}, false)${fails}`;
    };
    const keys = listUserKeys(this.version);
    const eventColumns = ['event', '"time"', ...keys, ...listColumns(events.properties)];
    return [
      ...(readsUser ? [`${joined} AS (${join})`] : []),
      `allowed_events_${this.number} AS (${select(eventSource, eventColumns)})`,
      `allowed_people_${this.number} AS (${select(personSource, [...keys, ...listColumns(people.properties)])})`,
    ];
  }

  private quoteTable({ table }: SqlSource): string {
    const { dialect } = this.snapshot;
    return [table]
      .flat()
      .map((name) => dialect.quoteName(name))
      .join('.');
  }
}
