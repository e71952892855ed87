import type { PropertyRead } from '../../check/check.ts';
import type { Batch } from '../../plan/batch.ts';
import type { BatchColumn } from '../../plan/batch-column.ts';
import { assertArray, assertIterable, assertParts, assertString, oneOf, refuse } from '../../util/guard.ts';
import { type Properties, readProperty } from '../../value.ts';
import { ColumnBuilder } from './column-builder.ts';
import { addSignatures } from './text-signatures.ts';

/** A row before it is one: an event, with its user where expressions read that. What else is on it does not matter. */
export interface BatchRecord {
  readonly properties: Properties;
  readonly user?: Properties | undefined;
}

type Scope = PropertyRead['scope'];

/**
 * Turns records into a batch. Each property is read as expressions read it (language, section 1).
 *
 * @param columns the only properties to take, such as the `properties` of compiled expressions. Default: all that the records have;
 *   each takes 4 to 12 bytes a row, whether the row has it or not.
 * @throws {TypeError} for properties in place of records, and other arguments of another type.
 */
export function createBatchFromRecords(records: readonly BatchRecord[], columns?: Iterable<PropertyRead>): Batch {
  assertArray(records, 'records');
  if (columns !== undefined) assertIterable(columns, 'columns');
  const builders = { properties: new Map<string, ColumnBuilder>(), user: new Map<string, ColumnBuilder>() };
  const builderOf = (scope: Scope, name: string): ColumnBuilder => {
    const known = builders[scope].get(name);
    if (known !== undefined) return known;
    const builder = new ColumnBuilder(records.length);
    builders[scope].set(name, builder);
    return builder;
  };
  const chosen =
    columns &&
    [...columns].map((read, index) => {
      assertParts(read, `columns[${index}]`, { scope: oneOf(['properties', 'user']), name: assertString });
      return { ...read, builder: builderOf(read.scope, read.name) };
    });
  for (const [row, record] of records.entries()) {
    if (!isRecord(record)) refuse(`records[${row}]`, 'an object such as { properties: { plan: "pro" } }', record);
    if (chosen) {
      for (const { scope, name, builder } of chosen) builder.set(row, readProperty(record[scope], name));
    } else {
      for (const scope of ['properties', 'user'] as const) {
        const own = record[scope];
        for (const name of ownNames(own)) builderOf(scope, name).set(row, readProperty(own, name));
      }
    }
  }
  return { length: records.length, properties: finished(builders.properties), user: finished(builders.user) };
}

/** Whatever the properties are: what is no object has none (language, section 1). */
function isRecord(record: unknown): boolean {
  return typeof record === 'object' && record !== null && 'properties' in record;
}

/** A host object may throw instead of telling its names: then it has none. */
function ownNames(record: Properties | undefined): readonly string[] {
  try {
    return typeof record === 'object' && record !== null ? Object.getOwnPropertyNames(record) : [];
  } catch {
    return [];
  }
}

function finished(builders: ReadonlyMap<string, ColumnBuilder>): Map<string, BatchColumn> {
  return new Map([...builders].map(([name, builder]) => [name, addSignatures(builder.finish())]));
}
