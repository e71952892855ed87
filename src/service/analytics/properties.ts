import { check } from '../../api/expressions.ts';
import { formatProperty } from '../../lang/util/strings.ts';
import { assertAnswerSize } from './answer-limits.ts';
import { Buckets } from './buckets.ts';
import { QueryError } from './errors.ts';
import { type EventFilter, EventQuery } from './event-query.ts';
import type { PropertyRequest, PropertyValuesRequest, Series, TopPropertiesRequest, TopProperty } from './queries.ts';
import type { QueryContext } from './query-context.ts';
import { querySeries } from './query-series.ts';
import { getSqlFunctions } from './sql-functions.ts';

/** How often an event was done with each value of a property. */
export async function queryProperty(scope: QueryContext, request: PropertyRequest): Promise<Series> {
  const { event, name, values, type, unit, period, limit } = request;
  const buckets = Buckets.of(period, unit, scope);
  const question = valuesOf(scope, { events: [event], span: buckets }, name);
  const asked = values && [...new Set(values)].slice(0, limit);
  assertAnswerSize((asked?.length ?? 0) * buckets.labels.length);
  const among =
    asked && (asked.length === 0 ? '1 = 0' : `segment IN (${asked.map((value) => question.bind(value)).join(', ')})`);
  const most = asked?.length ?? limit;
  const found = await querySeries(question, { buckets, type, on: 'segment', ...(among && { among }), limit: most });
  if (asked === undefined) return found;
  const byName = new Map(found.series.map((series) => [series.name, series]));
  const none = buckets.labels.map(() => 0);
  return { ...found, series: asked.map((value) => byName.get(value) ?? { name: value, values: none }) };
}

/** The most frequent properties of an event, over all time. */
export async function queryTopProperties(
  scope: QueryContext,
  request: TopPropertiesRequest,
): Promise<readonly TopProperty[]> {
  const { event, limit } = request;
  const question = new EventQuery(scope, { events: [event] }, { record: { use: 'properties' } });
  question.define('named', `SELECT ${getSqlFunctions(question.dialect).namesOf('record')} AS name FROM selected`);
  const rows = await question.rows(
    `SELECT name, count(*) AS events FROM named GROUP BY name ORDER BY events DESC, name LIMIT ${limit}`,
  );
  return rows.map(({ name, events }) => ({ name: name as string, count: Number(events) }));
}

/** The most frequent values of a property of an event, over all time. */
export async function queryPropertyValues(
  scope: QueryContext,
  request: PropertyValuesRequest,
): Promise<readonly string[]> {
  const { event, name, limit } = request;
  const question = valuesOf(scope, { events: [event] }, name);
  question.define('valued', `SELECT ${question.segmentOf('segment')} AS segment FROM selected`);
  const rows = await question.rows(
    `SELECT segment, count(*) AS events FROM valued GROUP BY segment ORDER BY events DESC, segment LIMIT ${limit}`,
  );
  return rows.map(({ segment }) => segment as string);
}

/**
 * The values of a property of the events that have it.
 *
 * @throws {QueryError} if the name is too long or not Unicode
 */
function valuesOf(scope: QueryContext, filter: EventFilter, name: string): EventQuery {
  const expression = formatProperty('properties', name);
  if (!check(expression).ok) throw new QueryError('parameter', 'No property can have this name.', ['name']);
  // Nothing divided by 0 is anything: only what is undefined equals it.
  return new EventQuery(scope, { ...filter, where: `${expression} != 1 / 0` }, { segment: { use: 'on', expression } });
}
