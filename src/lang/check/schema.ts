import type { Property, Scope } from '../ast.ts';
import type { TypeName } from '../types.ts';

/** What is known of a property. Any record may lack it. */
export interface PropertySchema {
  /** The types that its values have. */
  readonly types: readonly TypeName[];
  /** The values, besides null, that it has or that its lists hold; left out where there are too many to know. */
  readonly values?: readonly KnownValue[];
  /** What it means, for people. */
  readonly description?: string;
}

/** A value that has a literal. */
export type KnownValue = string | number | boolean;

type PropertySchemas = Readonly<Record<string, PropertySchema>>;

/** The properties that events have and that their users have. A part that is left out is not known. */
export interface Schema {
  readonly properties?: PropertySchemas;
  readonly user?: PropertySchemas;
}

/** The part of a schema that a scope reads from. */
export function getPropertySchemas(schema: Schema | undefined, scope: Scope): PropertySchemas | undefined {
  return scope === 'user' ? schema?.user : schema?.properties;
}

/** What a schema knows of a property. */
export function getPropertySchema(schema: Schema | undefined, { scope, name }: Property): PropertySchema | undefined {
  const part = getPropertySchemas(schema, scope);
  return part !== undefined && Object.hasOwn(part, name) ? part[name] : undefined;
}
