import type { PropertyRead } from '../../check/check.ts';
import type { PropertySchema, Schema } from '../../check/schema.ts';
import { TYPE_NAMES, type TypeName } from '../../types.ts';
import { getPropertyColumns } from './lower-columns.ts';
import type { SqlSource } from './sql-source.ts';

/** The types that the properties of an expression can have in a source, for the checker. */
export function getSourceTypes(source: SqlSource, reads: readonly PropertyRead[]): Schema {
  const part = (scope: PropertyRead['scope']) => {
    const names = reads.filter((read) => read.scope === scope).map(({ name }) => name);
    return Object.fromEntries(
      names.map((name): [string, PropertySchema] => [name, { types: typesOf(source, scope, name) }]),
    );
  };
  return { properties: part('properties'), user: part('user') };
}

function typesOf(source: SqlSource, scope: PropertyRead['scope'], name: string): readonly TypeName[] {
  const place = source[scope];
  const columns = getPropertyColumns(place, name);
  if (columns !== undefined) return TYPE_NAMES.filter((type) => type !== 'undefined' && columns[type] !== undefined);
  const rest = place?.rest;
  if (rest?.kind === 'map' && rest.values === 'text') return ['string'];
  return rest === undefined ? [] : TYPE_NAMES;
}
