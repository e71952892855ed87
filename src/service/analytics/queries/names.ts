import { formatProperty } from '../../../base/strings.ts';
import type { NameCount, NamesRequest, ValueCount, ValuesRequest } from '../../../queries/requests.ts';
import type { EventColumn } from '../sql/event-columns.ts';
import { EventQuery } from '../sql/event-query.ts';
import type { QueryContext } from '../sql/query-context.ts';
import { ROW_COUNT, type ShardAggregate } from '../sql/shard-aggregate.ts';
import { ShardedQuery } from '../sql/sharded-query.ts';
import { getSqlFunctions } from '../sql/sql-functions.ts';
import { createValuesQuery } from './properties.ts';

/** Returns the most frequent names of events, of their properties, or of properties of people, over all time. */
export function queryNames(context: QueryContext, { of, limit }: NamesRequest): Promise<readonly NameCount[]> {
  if (of === 'user') return queryPeopleProperties(context, limit);
  const columns: Readonly<Record<string, EventColumn>> = of === 'events' ? {} : { record: { use: 'properties' } };
  const query = new EventQuery(context, { countsHours: true }, columns);
  const name = of === 'events' ? 'event' : getSqlFunctions(query.dialect).namesOf('record');
  query.define('named', `SELECT ${name} AS name, ${query.unit} FROM selected`);
  return rankNames(query, query.eventCount, limit);
}

/** Filters that tell the type of a property. Any other value is a list. */
const TYPE_TESTS = {
  string: (property: string) => `${property} + "" == ${property}`,
  number: (property: string) => `${property} * 1 == ${property}`,
  boolean: (property: string) => `${property} == true or ${property} == false`,
  null: (property: string) => `not defined(${property})`,
};

/** Returns the most frequent values of a property over all events. */
export async function queryValues(
  context: QueryContext,
  { scope: of, name, limit }: ValuesRequest,
): Promise<readonly ValueCount[]> {
  const property = formatProperty(of, name);
  const types = Object.entries(TYPE_TESTS).map(([type, test]) => [`is_${type}`, type, test(property)] as const);
  const columns = types.map(([column, , expression]) => [column, { use: 'where', expression }] as const);
  const query = createValuesQuery(context, { countsHours: true }, name, of, Object.fromEntries(columns));
  const cases = types.map(([column, type]) => `WHEN ${column} THEN '${type}'`);
  query.define(
    'valued',
    `SELECT ${query.segmentOf('segment')} AS name, CASE ${cases.join(' ')} ELSE 'list' END AS type, ${query.unit} FROM selected`,
  );
  query.group('counted', { from: 'valued', keys: ['name', 'type'], values: { records: query.eventCount } });
  const rows = await query.rows(
    `SELECT name, type, records FROM counted ORDER BY records DESC, name, type LIMIT ${limit}`,
  );
  return rows.map(({ name, type, records }) => {
    return { name: String(name), type: type as ValueCount['type'], count: Number(records) };
  });
}

async function queryPeopleProperties({ snapshot }: QueryContext, limit: number): Promise<readonly NameCount[]> {
  const { dialect, versions } = snapshot;
  if (versions.length === 0) return [];
  const names = versions.map(({ people }) => {
    const table = [people.table].flat().map((part) => dialect.quoteName(part));
    const profiles = `SELECT CAST(properties AS VARCHAR) AS profile FROM ${table.join('.')}`;
    return `SELECT ${getSqlFunctions(dialect).namesOf('profile')} AS name FROM (${profiles}) AS profiles`;
  });
  const query = new ShardedQuery(snapshot);
  query.define('named', names.join(' UNION ALL '));
  return rankNames(query, ROW_COUNT, limit);
}

/** Returns the most frequent names in the table `named`. */
async function rankNames(query: ShardedQuery, records: ShardAggregate, limit: number): Promise<readonly NameCount[]> {
  query.group('counted', { from: 'named', keys: ['name'], values: { records } });
  const rows = await query.rows(`SELECT name, records FROM counted ORDER BY records DESC, name LIMIT ${limit}`);
  return rows.map(({ name, records }) => ({ name: String(name), count: Number(records) }));
}
