import { assertIterable, assertObject, assertParts } from '../util/guard.ts';
import { type Properties, readProperty } from '../value.ts';
import { addValue, createPropertyStats, type PropertyStats, toPropertySchema } from './property-stats.ts';
import type { PropertySchema, Schema } from './schema.ts';

/** A record to learn from: its properties and, where it has them, those of its user. */
export interface SampleRecord {
  readonly properties: Properties;
  readonly user?: Properties | null | undefined;
}

const EXAMPLE = 'an object such as { properties: { plan: "pro" } }';

/**
 * The properties that some records have, with the types and, where they are few and repeat, the values that occur: what a filter
 * over more of the same can be checked against. Users are known if some record has one.
 *
 * @throws {TypeError} for a record without properties.
 */
export function inferSchema(records: Iterable<SampleRecord>): Schema {
  assertIterable(records, 'records');
  const seen = new Map<string, PropertyStats>();
  const users = new Map<string, PropertyStats>();
  let hasUsers = false;
  let index = 0;
  for (const record of records) {
    assertParts(record, `records[${index++}]`, { properties: assertObject }, EXAMPLE);
    const { properties, user } = record;
    seeRecord(seen, properties);
    if (user === undefined || user === null) continue;
    assertObject(user, `records[${index - 1}].user`);
    hasUsers = true;
    seeRecord(users, user);
  }
  return { properties: toSchemas(seen), ...(hasUsers && { user: toSchemas(users) }) };
}

function seeRecord(seen: Map<string, PropertyStats>, record: Properties): void {
  for (const name of Object.keys(record)) {
    let values = seen.get(name);
    if (values === undefined) {
      values = createPropertyStats();
      seen.set(name, values);
    }
    addValue(values, readProperty(record, name));
  }
}

function toSchemas(seen: ReadonlyMap<string, PropertyStats>): Record<string, PropertySchema> {
  return Object.fromEntries([...seen].map(([name, values]) => [name, toPropertySchema(values)]));
}
