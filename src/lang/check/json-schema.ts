import { getOwnValue, isJsonObject, type JsonObject } from '../../base/json.ts';
import { ANY, BOOLEAN, getTypeNames, LIST, NULL, NUMBER, STRING, type TypeSet, UNDEFINED } from '../types.ts';
import { getType } from '../value.ts';
import type { KnownValue, PropertySchema } from './schema.ts';

/** The types and values that a schema allows. Without `values`, any value of the types. */
interface Allowed {
  readonly types: TypeSet;
  readonly values: ReadonlySet<KnownValue> | undefined;
}

const ANYTHING: Allowed = { types: ANY & ~UNDEFINED, values: undefined };
const NOTHING: Allowed = { types: 0, values: new Set() };

/** The types of JSON Schema (language, section 1). An object reads as undefined, which every property can be anyway. */
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

/** A schema that is nested deeper allows anything. */
const MAX_DEPTH = 64;

/** Returns whether parsed JSON is a JSON Schema, and not an object of properties by name, whose values are objects. */
export function isJsonSchema(json: JsonObject): boolean {
  const { type, $schema, $ref, allOf, anyOf, oneOf } = json;
  return (
    [type, $schema, $ref].some((keyword) => typeof keyword === 'string') || [allOf, anyOf, oneOf].some(Array.isArray)
  );
}

/**
 * Reads the properties of a JSON Schema of an object, including those of its alternatives. It reads
 * https://json-schema.org/draft/2020-12, `definitions` and `nullable`. Constraints that a property of the language
 * cannot express are dropped, so the result allows more than the schema, never less.
 */
export function readJsonSchema(root: JsonObject): Record<string, PropertySchema> {
  const reader = new Reader(root);
  const entries = [...reader.findProperties(root)].map(
    ([name, schemas]) => [name, reader.readProperty(schemas)] as const,
  );
  return Object.fromEntries(entries);
}

class Reader {
  /** A cache, since many references can lead to one schema. A schema that refers to itself allows anything there. */
  private readonly cache = new Map<JsonObject, Allowed>();

  constructor(private readonly root: JsonObject) {}

  /** Returns the schemas of each property, from all parts of the schema that define it. */
  findProperties(root: JsonObject): Map<string, unknown[]> {
    const found = new Map<string, unknown[]>();
    const visited = new Set<unknown>([root]);
    for (const schema of visited) {
      if (!isJsonObject(schema)) continue;
      for (const [name, inner] of Object.entries(isJsonObject(schema.properties) ? schema.properties : {})) {
        const schemas = found.get(name);
        if (schemas === undefined) found.set(name, [inner]);
        else schemas.push(inner);
      }
      for (const part of [...this.follow(schema), ...PARTS.flatMap((key) => toArray(schema[key]))]) visited.add(part);
    }
    return found;
  }

  readProperty(schemas: readonly unknown[]): PropertySchema {
    const { types, values } = unite(schemas.map((schema) => this.read(schema, 0)));
    const described = schemas.flatMap((schema) => [schema, ...this.follow(schema)]).filter(isJsonObject);
    const description = described.map((schema) => schema.description).find((text) => typeof text === 'string');
    return {
      types: getTypeNames(types),
      ...(values && values.size > 0 && { values: [...values] }),
      ...(description !== undefined && { description }),
    };
  }

  private read(schema: unknown, depth: number): Allowed {
    if (schema === false) return NOTHING;
    if (!isJsonObject(schema) || depth > MAX_DEPTH) return ANYTHING;
    const cached = this.cache.get(schema);
    if (cached !== undefined) return cached;
    this.cache.set(schema, ANYTHING);
    const allowed = this.readObject(schema, depth);
    this.cache.set(schema, allowed);
    return allowed;
  }

  private readObject(schema: JsonObject, depth: number): Allowed {
    const readInner = (inner: unknown) => this.read(inner, depth + 1);
    const all = [
      ...(schema.type === undefined ? [] : [allowTypes(schema)]),
      ...(schema.const === undefined ? [] : [allowValues([schema.const])]),
      ...(Array.isArray(schema.enum) ? [allowValues(schema.enum)] : []),
      ...this.follow(schema).map(readInner),
      ...toArray(schema.allOf).map(readInner),
      ...[schema.anyOf, schema.oneOf].filter(Array.isArray).map((alternatives) => unite(alternatives.map(readInner))),
    ];
    const { types, values } = all.reduce(intersect, ANYTHING);
    if (types !== LIST || schema.items === undefined) return { types, values };
    return { types, values: readInner(schema.items).values };
  }

  /** Returns the schema that a `$ref` within this schema leads to. Other references are ignored. */
  private follow(schema: unknown): unknown[] {
    const reference = isJsonObject(schema) ? schema.$ref : undefined;
    if (typeof reference !== 'string' || !reference.startsWith('#')) return [];
    let found: unknown = this.root;
    for (const part of reference.split('/').slice(1)) {
      const name = unescapePointer(part);
      found = isJsonObject(found) ? getOwnValue(found, name) : undefined;
    }
    return found === undefined ? [] : [found];
  }
}

/** Decodes a part of a JSON Pointer in the fragment of a URI (RFC 6901, section 6). */
function unescapePointer(part: string): string {
  const decoded = part.replace(/(?:%[0-9a-f]{2})+/gi, decodePercent);
  return decoded.replaceAll('~1', '/').replaceAll('~0', '~');
}

function decodePercent(escaped: string): string {
  try {
    return decodeURIComponent(escaped);
  } catch {
    return escaped;
  }
}

const PARTS = ['allOf', 'anyOf', 'oneOf'] as const;

function allowTypes({ type, nullable }: JsonObject): Allowed {
  let types: TypeSet = nullable === true ? NULL : 0;
  for (const name of [type].flat()) types |= TYPES[String(name)] ?? ANYTHING.types;
  return { types, values: (types & (SCALARS | LIST)) === 0 ? new Set() : undefined };
}

function allowValues(values: readonly unknown[]): Allowed {
  let types: TypeSet = 0;
  for (const value of values) types |= isJsonObject(value) ? 0 : getType(value as KnownValue);
  const known = values.filter((value): value is KnownValue => (getType(value as KnownValue) & SCALARS) !== 0);
  return { types, values: (types & LIST) === 0 ? new Set(known) : undefined };
}

function unite(all: readonly Allowed[]): Allowed {
  const types = all.reduce((united, allowed) => united | allowed.types, 0);
  const values = new Set<KnownValue>();
  for (const allowed of all) {
    if (allowed.values === undefined) return { types, values: undefined };
    for (const value of allowed.values) values.add(value);
  }
  return { types, values };
}

function intersect(left: Allowed, right: Allowed): Allowed {
  const types = left.types & right.types;
  const known = left.values ?? right.values;
  if (known === undefined) return { types, values: undefined };
  // A list can contain values of any type.
  const possible = (types & LIST) === 0 ? types : ANY;
  const values = [...known].filter((value) => (getType(value) & possible) !== 0 && (right.values?.has(value) ?? true));
  return { types, values: new Set(values) };
}

function toArray(json: unknown): unknown[] {
  return Array.isArray(json) ? json : [];
}
