import type { PropertySchema, Schema } from '../../../lang/check/schema.ts';
import type { RecordKind } from '../../store/store.ts';
import type { StoreSnapshot } from '../../store/store-snapshot.ts';

/** Returns the frequent properties, most of which have their own columns. None if some records are hidden. */
export function getSeenProperties({ versions, isFiltered }: StoreSnapshot): Schema {
  if (isFiltered) return {};
  const schemaOf = (kind: RecordKind) => {
    const names = versions.flatMap((version) => [
      ...Object.keys(version[kind].properties.columns ?? {}),
      ...(version.frequent?.[kind] ?? []),
    ]);
    return Object.fromEntries(names.map((name): [string, PropertySchema] => [name, { types: [] }]));
  };
  return { properties: schemaOf('events'), user: schemaOf('people') };
}
