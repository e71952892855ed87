import { ANY, BOOLEAN, getTypeNames, LIST, NULL, NUMBER, STRING, type TypeSet, UNDEFINED } from '../types.ts';
import { getOwnValue, isJsonObject, type JsonObject } from '../util/json.ts';
import { getType } from '../value.ts';
import type { KnownValue, PropertySchema } from './schema.ts';

/** What a schema lets a property be; without `values` any of the types. */
interface Allowed {
  readonly types: TypeSet;
  readonly values: ReadonlySet<KnownValue> | undefined;
}

const ANYTHING: Allowed = { types: ANY & ~UNDEFINED, values: undefined };
const NOTHING: Allowed = { types: 0, values: new Set() };

/** What each type of JSON reads as (language, section 1): an object as undefined, which any property may be. */
const TYPES: Readonly<Record<string, TypeSet>> = {
  string: STRING,
  number: NUMBER,
  integer: NUMBER,
  boolean: BOOLEAN,
  null: NULL,
  array: LIST,
  object: 0,
};

const SCALARS = STRING | NUMBER | BOOLEAN;

/** More schemas within one another than anyone writes. */
const MAX_DEPTH = 64;

/** Whether parsed JSON is a JSON Schema rather than an object of properties by name, each of which is an object. */
export function isJsonSchema(json: JsonObject): boolean {
  const { type, $schema, $ref, allOf, anyOf, oneOf } = json;
  return (
    [type, $schema, $ref].some((keyword) => typeof keyword === 'string') || [allOf, anyOf, oneOf].some(Array.isArray)
  );
}

/**
 * The properties that a JSON Schema of an object names (https://json-schema.org/draft/2020-12; `definitions` and `nullable` too), of
 * all its alternatives. Where it says what a property of the language cannot tell, the property is taken for more than it is, never for less.
 */
export function readJsonSchema(root: JsonObject): Record<string, PropertySchema> {
  const reader = new Reader(root);
  const entries = [...reader.named(root)].map(([name, schemas]) => [name, reader.property(schemas)] as const);
  return Object.fromEntries(entries);
}

class Reader {
  /** What each schema allows: many references may lead to one. Until that is known, as in a schema of itself, anything. */
  private readonly known = new Map<JsonObject, Allowed>();

  constructor(private readonly root: JsonObject) {}

  /** The schemas of each property, wherever it is named. */
  named(root: JsonObject): Map<string, unknown[]> {
    const found = new Map<string, unknown[]>();
    const visited = new Set<unknown>([root]);
    for (const schema of visited) {
      if (!isJsonObject(schema)) continue;
      for (const [name, inner] of Object.entries(isJsonObject(schema.properties) ? schema.properties : {})) {
        const schemas = found.get(name);
        if (schemas === undefined) found.set(name, [inner]);
        else schemas.push(inner);
      }
      for (const part of [...this.referred(schema), ...PARTS.flatMap((key) => arrayOf(schema[key]))]) visited.add(part);
    }
    return found;
  }

  property(schemas: readonly unknown[]): PropertySchema {
    const { types, values } = union(schemas.map((schema) => this.allowed(schema, 0)));
    const described = schemas.flatMap((schema) => [schema, ...this.referred(schema)]).filter(isJsonObject);
    const description = described.map((schema) => schema.description).find((text) => typeof text === 'string');
    return {
      types: getTypeNames(types),
      ...(values && values.size > 0 && { values: [...values] }),
      ...(description !== undefined && { description }),
    };
  }

  private allowed(schema: unknown, depth: number): Allowed {
    if (schema === false) return NOTHING;
    if (!isJsonObject(schema) || depth > MAX_DEPTH) return ANYTHING;
    const known = this.known.get(schema);
    if (known !== undefined) return known;
    this.known.set(schema, ANYTHING);
    const allowed = this.read(schema, depth);
    this.known.set(schema, allowed);
    return allowed;
  }

  private read(schema: JsonObject, depth: number): Allowed {
    const inner = (each: unknown) => this.allowed(each, depth + 1);
    const all = [
      ...(schema.type === undefined ? [] : [ofTypes(schema)]),
      ...(schema.const === undefined ? [] : [ofValues([schema.const])]),
      ...(Array.isArray(schema.enum) ? [ofValues(schema.enum)] : []),
      ...this.referred(schema).map(inner),
      ...arrayOf(schema.allOf).map(inner),
      ...[schema.anyOf, schema.oneOf].filter(Array.isArray).map((alternatives) => union(alternatives.map(inner))),
    ];
    const { types, values } = all.reduce(intersection, ANYTHING);
    if (types !== LIST || schema.items === undefined) return { types, values };
    return { types, values: inner(schema.items).values };
  }

  /** What a reference within the schema leads to; one to elsewhere tells nothing. */
  private referred(schema: unknown): unknown[] {
    const reference = isJsonObject(schema) ? schema.$ref : undefined;
    if (typeof reference !== 'string' || !reference.startsWith('#')) return [];
    let found: unknown = this.root;
    for (const part of reference.split('/').slice(1)) {
      const name = unescaped(part);
      found = isJsonObject(found) ? getOwnValue(found, name) : undefined;
    }
    return found === undefined ? [] : [found];
  }
}

/** A name in a JSON Pointer that is a fragment of a URI (RFC 6901, section 6). */
function unescaped(part: string): string {
  const text = part.replace(/(?:%[0-9a-f]{2})+/gi, decoded);
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}

function decoded(escaped: string): string {
  try {
    return decodeURIComponent(escaped);
  } catch {
    return escaped;
  }
}

const PARTS = ['allOf', 'anyOf', 'oneOf'] as const;

function ofTypes({ type, nullable }: JsonObject): Allowed {
  let types: TypeSet = nullable === true ? NULL : 0;
  for (const name of [type].flat()) types |= TYPES[String(name)] ?? ANYTHING.types;
  return { types, values: (types & (SCALARS | LIST)) === 0 ? new Set() : undefined };
}

function ofValues(values: readonly unknown[]): Allowed {
  let types: TypeSet = 0;
  for (const value of values) types |= isJsonObject(value) ? 0 : getType(value as KnownValue);
  const known = values.filter((value): value is KnownValue => (getType(value as KnownValue) & SCALARS) !== 0);
  return { types, values: (types & LIST) === 0 ? new Set(known) : undefined };
}

function union(all: readonly Allowed[]): Allowed {
  const types = all.reduce((known, allowed) => known | allowed.types, 0);
  const values = new Set<KnownValue>();
  for (const allowed of all) {
    if (allowed.values === undefined) return { types, values: undefined };
    for (const value of allowed.values) values.add(value);
  }
  return { types, values };
}

function intersection(left: Allowed, right: Allowed): Allowed {
  const types = left.types & right.types;
  const known = left.values ?? right.values;
  if (known === undefined) return { types, values: undefined };
  // A list can hold a value of any type.
  const possible = (types & LIST) === 0 ? types : ANY;
  const values = [...known].filter((value) => (getType(value) & possible) !== 0 && (right.values?.has(value) ?? true));
  return { types, values: new Set(values) };
}

function arrayOf(json: unknown): unknown[] {
  return Array.isArray(json) ? json : [];
}
