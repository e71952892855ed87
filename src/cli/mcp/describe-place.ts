import { EVENT_PROPERTY } from '../../data/field-mapping.ts';
import type { Scope } from '../../lang/ast.ts';
import { addValue, createPropertyStats, toPropertySchema } from '../../lang/check/property-stats.ts';
import type { PropertySchema, Schema } from '../../lang/check/schema.ts';
import type { Value } from '../../lang/value.ts';
import type { ServiceApi } from '../api/service-api.ts';
import type { ApiOptions } from '../api/with-api.ts';
import { toJson } from '../commands/describe.ts';
import { getUnixTime, type Io } from '../io.ts';
import { scan } from '../scan.ts';
import { RecordCensus } from '../workers/record-census.ts';

/** A description of data, for models and for the checker. */
export interface DataDescription {
  /** For people and models: events, times and properties with types and values. */
  readonly description: object;
  /** The IANA name of the time zone of days. */
  readonly timeZone: string;
  /** The properties. Undefined if there are none, or too many to know all. */
  readonly schema: Schema | undefined;
}

/** Reads files once and describes them. */
export async function describeFiles(
  io: Io,
  files: readonly string[],
  { timeZone = 'UTC', ...options }: ApiOptions,
): Promise<DataDescription> {
  const census = new RecordCensus(true);
  const job = {
    ...options,
    timeZone,
    now: getUnixTime(io),
    kind: 'describe',
    countsValues: true,
  } as const;
  await scan(io, files, job, { part: (part) => census.merge(part) });
  const { properties, events, period, limited } = census;
  const schemas = new Map(Array.from(properties, ([name, seen]) => [name, toPropertySchema(seen)]));
  if (events.size > 0 && !schemas.has(EVENT_PROPERTY)) schemas.set(EVENT_PROPERTY, describeNames([...events.keys()]));
  const isKnown = period.count > 0 && !limited.has('properties');
  return {
    description: { time_zone: timeZone, ...toJson(census) },
    timeZone,
    schema: isKnown ? { properties: Object.fromEntries(schemas) } : undefined,
  };
}

/** Returns the schema of the property that has the name of each event. */
function describeNames(names: readonly string[]): PropertySchema {
  return { types: ['string'], ...(names.length < MAX_VALUES && { values: names }) };
}

/** The most names that a server lists. If it has that many, there may be more. */
const MAX_NAMES = 1_000;

/** The values of each property take a query. Those of rarer properties are not read. */
const MAX_DETAILED = 30;

/** One more than a schema lists, so that it is known whether there are more. */
const MAX_VALUES = 21;

interface CountedName {
  readonly name: string;
  readonly count: number;
}

interface CountedValue {
  readonly value: string;
  readonly type: string;
  readonly count: number;
}

/** Describes a project by the queries of its overview, which a server caches. */
export async function describeProject(api: ServiceApi): Promise<DataDescription> {
  const ask = async (path: string, parameters: Readonly<Record<string, string>> = {}) =>
    JSON.parse(await api.query(path, parameters));
  const { time_zone: timeZone } = await ask('/overview/project');
  const { from_date, to_date, events } = await ask('/overview', { limit: String(MAX_NAMES) });
  const describeScope = async (scope: Scope) => {
    const names: readonly CountedName[] = await ask('/overview/properties', { scope, limit: String(MAX_NAMES) });
    const schemas: [string, PropertySchema][] = [];
    const described: object[] = [];
    for (const [index, { name, count }] of names.entries()) {
      if (index >= MAX_DETAILED) {
        schemas.push([name, { types: ['string', 'number', 'boolean', 'null', 'list'] }]);
        described.push({ name, scope, count });
        continue;
      }
      const values: readonly CountedValue[] = await ask('/overview/values', { scope, name, limit: String(MAX_VALUES) });
      const schema = toSchema(values);
      schemas.push([name, schema]);
      described.push({
        name,
        scope,
        count,
        types: schema.types,
        top: values.slice(0, 10).map(({ value, count }) => ({ value, count })),
      });
    }
    return { described, schema: names.length < MAX_NAMES ? Object.fromEntries(schemas) : undefined };
  };
  const [properties, user] = [await describeScope('properties'), await describeScope('user')];
  const counted = events.map(({ event, count }: { readonly event: string; readonly count: number }) => ({
    event,
    count,
  }));
  return {
    description: {
      time_zone: timeZone,
      from_date,
      to_date,
      events: counted,
      properties: [...properties.described, ...user.described],
    },
    timeZone,
    schema: {
      ...(properties.schema !== undefined && { properties: properties.schema }),
      ...(user.schema !== undefined && { user: user.schema }),
    },
  };
}

/** Returns the schema of a property from its most frequent values. */
function toSchema(values: readonly CountedValue[]): PropertySchema {
  const stats = createPropertyStats();
  for (const { value, type, count } of values) {
    addValue(stats, readValue(value, type));
    stats.scalars += count - 1;
  }
  const { types, ...known } = toPropertySchema(stats);
  // Rarer values than those that were counted may have other types.
  return values.length < MAX_VALUES ? { types, ...known } : { types };
}

function readValue(text: string, type: string): Value {
  if (type === 'number') return Number(text);
  if (type === 'boolean') return text === 'true';
  if (type === 'null') return null;
  return type === 'list' ? [text] : text;
}
