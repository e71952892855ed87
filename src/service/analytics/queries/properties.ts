import { check } from '../../../api/expressions.ts';
import { formatProperty } from '../../../base/strings.ts';
import { assertAnswerSize } from '../../../queries/answer-limits.ts';
import { Buckets } from '../../../queries/buckets.ts';
import { QueryError } from '../../../queries/errors.ts';
import type {
  NameCount,
  PropertyRequest,
  PropertyValuesRequest,
  Series,
  TopPropertiesRequest,
} from '../../../queries/requests.ts';
import type { EventColumn, EventFilter } from '../sql/event-columns.ts';
import { EventQuery } from '../sql/event-query.ts';
import type { QueryContext } from '../sql/query-context.ts';
import { ROW_COUNT } from '../sql/shard-aggregate.ts';
import { getSqlFunctions } from '../sql/sql-functions.ts';
import { isCountOfHours, querySeries } from './query-series.ts';

/** Counts an event for each value of a property. */
export async function queryProperty(context: QueryContext, request: PropertyRequest): Promise<Series> {
  const { event, name, values, type, unit, period, limit } = request;
  const buckets = Buckets.of(period, unit, context);
  const query = createValuesQuery(
    context,
    { events: [event], span: buckets, countsHours: isCountOfHours(type, buckets) },
    name,
  );
  const requested = values && [...new Set(values)].slice(0, limit);
  assertAnswerSize((requested?.length ?? 0) * buckets.labels.length);
  const among =
    requested &&
    (requested.length === 0 ? '1 = 0' : `segment IN (${requested.map((value) => query.bind(value)).join(', ')})`);
  const maxSeries = requested?.length ?? limit;
  const found = await querySeries(query, { buckets, type, on: 'segment', ...(among && { among }), limit: maxSeries });
  if (requested === undefined) return found;
  const byName = new Map(found.series.map((series) => [series.name, series]));
  const none = buckets.labels.map(() => 0);
  return { ...found, series: requested.map((value) => byName.get(value) ?? { name: value, values: none }) };
}

/** Returns the most frequent properties of an event over all time. */
export async function queryTopProperties(
  context: QueryContext,
  request: TopPropertiesRequest,
): Promise<readonly NameCount[]> {
  const { event, limit } = request;
  const query = new EventQuery(context, { events: [event] }, { record: { use: 'properties' } });
  query.define('named', `SELECT ${getSqlFunctions(query.dialect).namesOf('record')} AS name FROM selected`);
  query.group('counted', { from: 'named', keys: ['name'], values: { events: ROW_COUNT } });
  const rows = await query.rows(`SELECT name, events FROM counted ORDER BY events DESC, name LIMIT ${limit}`);
  return rows.map(({ name, events }) => ({ name: name as string, count: Number(events) }));
}

/** Returns the most frequent values of a property of an event over all time. */
export async function queryPropertyValues(
  context: QueryContext,
  request: PropertyValuesRequest,
): Promise<readonly string[]> {
  const { event, name, limit } = request;
  const query = createValuesQuery(context, { events: [event], countsHours: true }, name);
  query.define('valued', `SELECT ${query.segmentOf('segment')} AS segment, ${query.unit} FROM selected`);
  query.group('counted', { from: 'valued', keys: ['segment'], values: { events: query.eventCount } });
  const rows = await query.rows(`SELECT segment, events FROM counted ORDER BY events DESC, segment LIMIT ${limit}`);
  return rows.map(({ segment }) => segment as string);
}

/** Creates a query for the values of a property as `segment`, over the events that have it. */
export function createValuesQuery(
  context: QueryContext,
  filter: EventFilter,
  name: string,
  of: 'properties' | 'user' = 'properties',
  columns: Readonly<Record<string, EventColumn>> = {},
): EventQuery {
  const expression = formatProperty(of, name);
  if (!check(expression).ok) throw new QueryError('parameter', 'No property can have this name.', ['name']);
  // 1 / 0 is undefined, so only undefined values equal it.
  const where = `${expression} != 1 / 0`;
  return new EventQuery(context, { ...filter, where }, { segment: { use: 'on', expression }, ...columns });
}
