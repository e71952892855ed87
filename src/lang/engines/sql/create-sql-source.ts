import type { Schema } from '../../check/schema.ts';
import type { TypeName } from '../../types.ts';
import type { PropertyColumns, SqlSource } from './sql-source.ts';

/**
 * Returns the source for a table that has the properties of a schema in columns. A property with a single type has one
 * column with its name; otherwise it has one for each type, like `amount__number` and `amount__null`. The columns of
 * users begin with `user_`.
 *
 * A property that is not in the schema is missing on every record. If the schema has no `user`, the source does not
 * have the properties of users.
 *
 * @throws {TypeError} if two properties would share a column, such as `user_plan` of the event and `plan` of the user.
 */
export function createSqlSource(schema: Schema, table: SqlSource['table']): SqlSource {
  const properties = createColumns(schema.properties ?? {}, '');
  const user = schema.user && createColumns(schema.user, 'user_');
  const columns = [properties, user ?? {}].flatMap((part) => Object.values(part)).flatMap(Object.values) as string[];
  const repeated = columns.find((column, index) => columns.indexOf(column) !== index);
  if (repeated !== undefined) {
    throw new TypeError(`Two properties would share the column ${JSON.stringify(repeated)}. Rename one of them.`);
  }
  return { table, properties: { columns: properties }, ...(user && { user: { columns: user } }) };
}

function createColumns(properties: NonNullable<Schema['properties']>, prefix: string): Record<string, PropertyColumns> {
  const entries = Object.entries(properties).map(([name, { types }]): [string, PropertyColumns] => {
    const columnTypes = types.filter((type) => type !== 'undefined');
    const getColumnName = (type: TypeName) => `${prefix}${name}${columnTypes.length === 1 ? '' : `__${type}`}`;
    return [name, Object.fromEntries(columnTypes.map((type) => [type, getColumnName(type)]))];
  });
  return Object.fromEntries(entries);
}
