import type { Schema } from '../../check/schema.ts';
import type { TypeName } from '../../types.ts';
import type { PropertyColumns, SqlSource } from './sql-source.ts';

/**
 * A table that has the properties of a schema in columns: one by the name of the property where it has a single type, else one for each
 * type, like `amount__number` and `amount__null`. Those of users begin with `user_`. A property that is not in the schema is missing on every record; where the
 * schema has no part for users, the table does not hold their properties.
 *
 * @throws {TypeError} where two properties would have one column: `user_plan` of the event and `plan` of the user.
 */
export function createSqlSource(schema: Schema, table: SqlSource['table']): SqlSource {
  const properties = columnsOf(schema.properties ?? {}, '');
  const user = schema.user && columnsOf(schema.user, 'user_');
  const columns = [properties, user ?? {}].flatMap((part) => Object.values(part)).flatMap(Object.values) as string[];
  const repeated = columns.find((column, index) => columns.indexOf(column) !== index);
  if (repeated !== undefined) {
    throw new TypeError(`Two properties would be in one column, ${JSON.stringify(repeated)}: rename one of them`);
  }
  return { table, properties: { columns: properties }, ...(user && { user: { columns: user } }) };
}

function columnsOf(properties: NonNullable<Schema['properties']>, prefix: string): Record<string, PropertyColumns> {
  const entries = Object.entries(properties).map(([name, { types }]): [string, PropertyColumns] => {
    const held = types.filter((type) => type !== 'undefined');
    const column = (type: TypeName) => `${prefix}${name}${held.length === 1 ? '' : `__${type}`}`;
    return [name, Object.fromEntries(held.map((type) => [type, column(type)]))];
  });
  return Object.fromEntries(entries);
}
