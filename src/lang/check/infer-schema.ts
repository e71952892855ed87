import { assertIterable, assertObject, assertParts } from '../../base/guard.ts';
import { readProperty } from '../value.ts';
import { addValue, createPropertyStats, type PropertyStats, toPropertySchema } from './property-stats.ts';
import type { PropertySchema, Schema } from './schema.ts';

/** A record of a sample: its properties and, if it has a user, those of the user. */
export interface SampleRecord {
  readonly properties: object;
  readonly user?: object | null | undefined;
}

const EXAMPLE = 'an object such as { properties: { plan: "pro" } }';

/**
 * Infers a schema from sample records: each property with the types that occur and, if they are few and repeat, the
 * values. Pass it to `check` to find misspelled properties and values. The schema has a `user` part if a record has a
 * user.
 *
 * @throws {TypeError} for a record without properties.
 *
 * @example
 * inferSchema([{ properties: { plan: 'pro' } }]); // { properties: { plan: { types: ['string'] } } }
 */
export function inferSchema(records: Iterable<SampleRecord>): Schema {
  assertIterable(records, 'records');
  const stats = new Map<string, PropertyStats>();
  const userStats = new Map<string, PropertyStats>();
  let hasUsers = false;
  let index = 0;
  for (const record of records) {
    assertParts(record, `records[${index++}]`, { properties: assertObject }, EXAMPLE);
    const { properties, user } = record;
    addRecord(stats, properties);
    if (user === undefined || user === null) continue;
    assertObject(user, `records[${index - 1}].user`);
    hasUsers = true;
    addRecord(userStats, user);
  }
  return { properties: toSchemas(stats), ...(hasUsers && { user: toSchemas(userStats) }) };
}

function addRecord(stats: Map<string, PropertyStats>, record: object): void {
  for (const name of Object.keys(record)) {
    let property = stats.get(name);
    if (property === undefined) {
      property = createPropertyStats();
      stats.set(name, property);
    }
    addValue(property, readProperty(record, name));
  }
}

function toSchemas(stats: ReadonlyMap<string, PropertyStats>): Record<string, PropertySchema> {
  return Object.fromEntries([...stats].map(([name, property]) => [name, toPropertySchema(property)]));
}
