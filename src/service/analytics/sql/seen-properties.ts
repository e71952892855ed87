import type { PropertySchema, Schema } from '../../../lang/check/schema.ts';
import type { VersionSources } from '../../store/store-snapshot.ts';

/** Returns the properties that have their own columns: those that most records have. */
export function getSeenProperties(versions: readonly VersionSources[]): Schema {
  const schemaOf = (kind: keyof VersionSources) => {
    const entries = versions.flatMap((version) => Object.entries(version[kind].properties.columns ?? {}));
    return Object.fromEntries(entries.map(([name]): [string, PropertySchema] => [name, { types: [] }]));
  };
  return { properties: schemaOf('events'), user: schemaOf('people') };
}
