import type { PropertyRead } from '../../check/check.ts';
import type { PropertySchema, Schema } from '../../check/schema.ts';
import { TYPE_NAMES, type TypeName } from '../../types.ts';
import { getPropertyColumns } from './lower-columns.ts';
import type { SqlSource } from './sql-source.ts';

/** Returns the types that the properties of an expression can have in a source, as a schema for the checker. */
export function getSourceTypes(source: SqlSource, reads: readonly PropertyRead[]): Schema {
  const getScopeTypes = (scope: PropertyRead['scope']) => {
    const names = reads.filter((read) => read.scope === scope).map(({ name }) => name);
    return Object.fromEntries(
      names.map((name): [string, PropertySchema] => [name, { types: getTypes(source, scope, name) }]),
    );
  };
  return { properties: getScopeTypes('properties'), user: getScopeTypes('user') };
}

function getTypes(source: SqlSource, scope: PropertyRead['scope'], name: string): readonly TypeName[] {
  const place = source[scope];
  const columns = getPropertyColumns(place, name);
  if (columns !== undefined) return TYPE_NAMES.filter((type) => type !== 'undefined' && columns[type] !== undefined);
  const rest = place?.rest;
  if (rest?.kind === 'map' && rest.values === 'text') return ['string'];
  return rest === undefined ? [] : TYPE_NAMES;
}
