import { check } from '../../api/expressions.ts';
import { toSqlStatement } from '../../api/to-sql.ts';
import type { SqlValue } from '../../lang/engines/sql/sql.ts';
import type { SqlSource } from '../../lang/engines/sql/sql-source.ts';
import { getJoinedProperties, listColumns, lowerPeopleJoin } from './joined-people.ts';
import type { StoreSnapshot, VersionSources } from './store-snapshot.ts';

type Statement = readonly [sql: string, parameters: readonly SqlValue[]];

/**
 * Narrows a reading to the events and people for which a filter is true. Whatever is asked of it, the answer is as if no others existed: neither
 * values, nor type errors, nor profiles of others can show. A record on which the filter fails is left out. `now` is in Unix seconds.
 */
export function filterSnapshot(reading: StoreSnapshot, where: string, now: number): StoreSnapshot {
  const versions = reading.versions.map((version, index) => new FilteredVersion(reading, version, index + 1));
  const narrowed = (sql: string, parameters: readonly SqlValue[]): Statement => {
    const all = [...parameters];
    const tables = versions.flatMap((version) => version.define(where, now, all));
    if (tables.length === 0) return [sql, parameters];
    const rest = sql.startsWith('WITH ') ? `, ${sql.slice('WITH '.length)}` : ` ${sql}`;
    return [`WITH ${tables.join(', ')}${rest}`, all];
  };
  return {
    dialect: reading.dialect,
    isSnapshot: reading.isSnapshot,
    versions: versions.map(({ sources }) => sources),
    rows: async (sql, parameters) => reading.rows(...narrowed(sql, parameters)),
    stream: (sql, parameters) => reading.stream(...narrowed(sql, parameters)),
  };
}

/** The records of a version that a filter selects, in tables that statements define for themselves. */
class FilteredVersion {
  readonly sources: VersionSources;

  constructor(
    private readonly reading: StoreSnapshot,
    private readonly version: VersionSources,
    private readonly number: number,
  ) {
    const { events, people } = version;
    this.sources = {
      events: { ...events, table: `allowed_events_${number}` },
      people: { ...people, table: `allowed_people_${number}` },
    };
  }

  /** Defines the tables, whose parameters come after those that there are. */
  define(where: string, now: number, parameters: SqlValue[]): string[] {
    const { events, people } = this.version;
    const joined = `joined_events_${this.number}`;
    const readsUser = check(where).properties.some(({ scope }) => scope === 'user');
    const joins = readsUser
      ? [
          `${joined} AS (${lowerPeopleJoin(`SELECT * FROM ${this.nameOf(events)}`, this.nameOf(people), people.properties)})`,
        ]
      : [];
    const ofEvents: SqlSource = {
      table: readsUser ? joined : events.table,
      properties: events.properties,
      user: getJoinedProperties(people.properties),
    };
    const ofPeople: SqlSource = { ...people, user: people.properties };
    const select = (source: SqlSource, columns: readonly string[]) => {
      const options = { now, parametersBefore: parameters.length };
      const filter = { where: { expression: where, use: 'where' as const } };
      const statement = toSqlStatement(filter, this.reading.dialect, source, options);
      parameters.push(...statement.parameters);
      const { condition, error } = statement.parts.where;
      const fails = error === undefined ? '' : ` AND ${error} IS NULL`;
      return `SELECT ${columns.join(', ')} FROM ${statement.from} WHERE coalesce(${condition}, false)${fails}`;
    };
    const eventColumns = ['event', '"time"', 'distinct_id', ...listColumns(events.properties)];
    return [
      ...joins,
      `allowed_events_${this.number} AS (${select(ofEvents, eventColumns)})`,
      `allowed_people_${this.number} AS (${select(ofPeople, ['distinct_id', ...listColumns(people.properties)])})`,
    ];
  }

  private nameOf({ table }: SqlSource): string {
    const { dialect } = this.reading;
    return [table]
      .flat()
      .map((name) => dialect.quoteName(name))
      .join('.');
  }
}
