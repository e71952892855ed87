import type { PropertySchema, Schema } from '../../../lang/check/schema.ts';
import type { StoreSnapshot, VersionSources } from '../../store/store-snapshot.ts';

/** Returns the properties that have their own columns: those that most records have. None if some records are hidden. */
export function getSeenProperties({ versions, isFiltered }: StoreSnapshot): Schema {
  if (isFiltered) return {};
  const schemaOf = (kind: keyof VersionSources) => {
    const entries = versions.flatMap((version) => Object.entries(version[kind].properties.columns ?? {}));
    return Object.fromEntries(entries.map(([name]): [string, PropertySchema] => [name, { types: [] }]));
  };
  return { properties: schemaOf('events'), user: schemaOf('people') };
}
