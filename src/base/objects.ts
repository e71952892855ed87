/** Returns an object without its undefined properties, as `exactOptionalPropertyTypes` requires. */
export function omitUndefined<Given extends object>(
  object: Given,
): { [Name in keyof Given]?: Exclude<Given[Name], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as never;
}

/** Returns whether a table has an own property for a key. */
export function isKeyOf<Table extends object>(key: PropertyKey, table: Table): key is keyof Table {
  return Object.hasOwn(table, key);
}
