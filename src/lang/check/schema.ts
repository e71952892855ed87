import type { Property, Scope } from '../ast.ts';
import type { TypeName } from '../types.ts';

/** The schema of a property. Every property can be missing from a record. */
export interface PropertySchema {
  /** The types that its values have. */
  readonly types: readonly TypeName[];
  /** The values, besides null, that it or the elements of its lists have. Omitted if there are too many to list. */
  readonly values?: readonly KnownValue[];
  /** A description that editors show. */
  readonly description?: string;
}

/** A value that has a literal. */
export type KnownValue = string | number | boolean;

type PropertySchemas = Readonly<Record<string, PropertySchema>>;

/** The properties of events and of their users. An omitted part is unknown: `check` accepts all names there. */
export interface Schema {
  readonly properties?: PropertySchemas;
  readonly user?: PropertySchemas;
}

/** Returns the properties that a scope reads from, undefined if unknown. */
export function getPropertySchemas(schema: Schema | undefined, scope: Scope): PropertySchemas | undefined {
  return scope === 'user' ? schema?.user : schema?.properties;
}

/** Returns the schema of a property, undefined if unknown. */
export function getPropertySchema(schema: Schema | undefined, { scope, name }: Property): PropertySchema | undefined {
  const part = getPropertySchemas(schema, scope);
  return part !== undefined && Object.hasOwn(part, name) ? part[name] : undefined;
}
