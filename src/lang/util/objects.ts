/** What an object has that is not undefined, for where a name must have a value or not be there. */
export function omitUndefined<Given extends object>(
  object: Given,
): { [Name in keyof Given]?: Exclude<Given[Name], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as never;
}

/** Whether a table has an entry of its own for a key. */
export function isKeyOf<Table extends object>(key: PropertyKey, table: Table): key is keyof Table {
  return Object.hasOwn(table, key);
}
