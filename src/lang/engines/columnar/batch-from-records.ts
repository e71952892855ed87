import { assertArray, assertIterable, assertParts, assertString, oneOf, refuse } from '../../../base/guard.ts';
import type { PropertyRead } from '../../check/check.ts';
import type { Batch } from '../../plan/batch.ts';
import type { BatchColumn } from '../../plan/batch-column.ts';
import { readProperty } from '../../value.ts';
import { ColumnBuilder } from './column-builder.ts';
import { addSignatures } from './string-signatures.ts';

/** The properties of an event and, for `user[...]`, of its user. Other fields are ignored. */
export interface BatchRecord {
  readonly properties: object;
  readonly user?: object | undefined;
}

type Scope = PropertyRead['scope'];

/**
 * Returns a batch with one row per record. Properties are read as expressions read them (language, section 1).
 *
 * @param columns The properties to include, such as the `properties` of compiled expressions. Default: all properties
 *   of the records. Each column takes 4 to 12 bytes per row, even if the row has no value.
 * @throws {TypeError} if an argument has the wrong type, such as bare properties instead of records.
 *
 * @example
 * const batch = createBatchFromRecords([{ properties: { plan: 'pro' }, user: { country: 'DE' } }]);
 */
export function createBatchFromRecords(records: readonly BatchRecord[], columns?: Iterable<PropertyRead>): Batch {
  assertArray(records, 'records');
  if (columns !== undefined) assertIterable(columns, 'columns');
  const builders = { properties: new Map<string, ColumnBuilder>(), user: new Map<string, ColumnBuilder>() };
  const getBuilder = (scope: Scope, name: string): ColumnBuilder => {
    const known = builders[scope].get(name);
    if (known !== undefined) return known;
    const builder = new ColumnBuilder(records.length);
    builders[scope].set(name, builder);
    return builder;
  };
  const selected =
    columns &&
    [...columns].map((read, index) => {
      assertParts(read, `columns[${index}]`, { scope: oneOf(['properties', 'user']), name: assertString });
      return { ...read, builder: getBuilder(read.scope, read.name) };
    });
  for (const [row, record] of records.entries()) {
    if (!isRecord(record)) refuse(`records[${row}]`, 'an object such as { properties: { plan: "pro" } }', record);
    if (selected) {
      for (const { scope, name, builder } of selected) builder.set(row, readProperty(record[scope], name));
    } else {
      for (const scope of ['properties', 'user'] as const) {
        const properties = record[scope];
        for (const name of getOwnNames(properties)) getBuilder(scope, name).set(row, readProperty(properties, name));
      }
    }
  }
  return { length: records.length, properties: finishColumns(builders.properties), user: finishColumns(builders.user) };
}

function isRecord(record: unknown): boolean {
  return typeof record === 'object' && record !== null && 'properties' in record;
}

/** Returns the names of the properties. Values that are not objects, and objects that throw, have none. */
function getOwnNames(record: object | undefined): readonly string[] {
  try {
    return typeof record === 'object' && record !== null ? Object.getOwnPropertyNames(record) : [];
  } catch {
    return [];
  }
}

function finishColumns(builders: ReadonlyMap<string, ColumnBuilder>): Map<string, BatchColumn> {
  return new Map([...builders].map(([name, builder]) => [name, addSignatures(builder.finish())]));
}
