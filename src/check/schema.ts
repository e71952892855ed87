import type { Property, Scope } from '../language/ast.ts';
import { ANY, TYPE_NAMES, type TypeName, type TypeSet, typeSet, UNDEFINED } from '../language/types.ts';

/** What is known of a property. Any record may lack it. */
export interface PropertySchema {
  /** The types that its values have. */
  readonly types: readonly TypeName[];
  /** The values, besides null, that it has or that its lists hold; left out where there are too many to know. */
  readonly values?: readonly (string | number | boolean)[];
  /** What it means, for people. */
  readonly description?: string;
}

/** The properties that events have and that their users have. A part that is left out is not known. */
export interface Schema {
  readonly properties?: Readonly<Record<string, PropertySchema>>;
  readonly user?: Readonly<Record<string, PropertySchema>>;
}

/** Looks properties up in a schema; without one, each may be of any type. */
export class KnownProperties {
  constructor(private readonly schema: Schema | undefined) {}

  /** The types of a property; undefined where the schema has others in its place. */
  types({ scope, name }: Property): TypeSet | undefined {
    const known = this.in(scope);
    if (known === undefined) return ANY;
    if (!Object.hasOwn(known, name)) return undefined;
    const property = known[name];
    return property === undefined ? ANY : typeSet(property.types) | UNDEFINED;
  }

  /** The names to choose from. */
  names(scope: Scope): string[] {
    return Object.keys(this.in(scope) ?? {});
  }

  private in(scope: Scope): Schema['properties'] {
    return scope === 'user' ? this.schema?.user : this.schema?.properties;
  }
}

/**
 * Makes sure that parsed JSON is a schema.
 *
 * @throws {TypeError} that says where it is not.
 */
export function readSchema(json: unknown): Schema {
  if (!isObject(json))
    throw new TypeError('A schema is an object like {"properties": {"plan": {"types": ["string"]}}}');
  return { ...readPart(json, 'properties'), ...readPart(json, 'user') };
}

function readPart(json: object, part: 'properties' | 'user'): Schema {
  const known = Object.hasOwn(json, part) ? (json as Record<string, unknown>)[part] : undefined;
  if (known === undefined) return {};
  if (!isObject(known)) throw new TypeError(`\`${part}\` in the schema must be an object of properties by name`);
  const entries = Object.entries(known).map(
    ([name, property]) => [name, { types: readTypes(name, property) }] as const,
  );
  return { [part]: Object.fromEntries(entries) };
}

function readTypes(name: string, property: unknown): TypeName[] {
  const types: unknown = isObject(property) ? (property as { types?: unknown }).types : undefined;
  if (Array.isArray(types) && types.every((type) => TYPE_NAMES.includes(type))) return types;
  throw new TypeError(
    `\`types\` of ${JSON.stringify(name)} in the schema must be an array of ${TYPE_NAMES.join(', ')}`,
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
