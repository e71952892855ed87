/** Whether a table has an entry of its own for a key. */
export function isKeyOf<Table extends object>(key: PropertyKey, table: Table): key is keyof Table {
  return Object.hasOwn(table, key);
}
