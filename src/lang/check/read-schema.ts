import { getOwnValue, isJsonObject, type JsonObject } from '../../base/json.ts';
import { TYPE_NAMES, type TypeName } from '../types.ts';
import { isJsonSchema, readJsonSchema } from './json-schema.ts';
import type { KnownValue, PropertySchema, Schema } from './schema.ts';

const HINT = 'a JSON Schema has "type": "object" at the top level';
const EXAMPLE = '{"properties": {"plan": {"types": ["string"]}}}';

/**
 * Reads a schema from parsed JSON. There are two formats:
 *
 * - `{"properties": {"plan": {"types": ["string"], "values": ["free", "pro"]}}}`, as `onwhere properties --json` prints
 *   it. Each of its parts, `properties` and `user`, can be a JSON Schema too.
 * - A JSON Schema of the properties of an event.
 *
 * Other members are ignored.
 *
 * @throws {TypeError} with the name of the part that is not valid.
 */
export function readSchema(json: unknown): Schema {
  if (!isJsonObject(json)) throw new TypeError(`A schema must be an object like ${EXAMPLE}, or a JSON Schema`);
  if (isJsonSchema(json)) return { properties: readJsonSchema(json) };
  return { ...readPart(json, 'properties'), ...readPart(json, 'user') };
}

function readPart(json: JsonObject, part: 'properties' | 'user'): Schema {
  const known = getOwnValue(json, part);
  if (known === undefined) return {};
  if (!isJsonObject(known)) throw new TypeError(`\`${part}\` in the schema must be an object of properties by name`);
  if (isJsonSchema(known)) return { [part]: readJsonSchema(known) };
  const entries = Object.entries(known).map(([name, property]) => [name, readProperty(name, property)] as const);
  return { [part]: Object.fromEntries(entries) };
}

function readProperty(name: string, property: unknown): PropertySchema {
  const createError = (problem: string) => new TypeError(`${JSON.stringify(name)} in the schema: ${problem}`);
  const { types, values, description } = isJsonObject(property) ? property : {};
  if (!isTypes(types)) throw createError(`\`types\` must be an array of ${TYPE_NAMES.join(', ')}; ${HINT}`);
  if (!isValues(values)) throw createError('`values` must be an array of strings, numbers and booleans');
  if (description !== undefined && typeof description !== 'string') throw createError('`description` must be a string');
  return { types, ...(values && { values }), ...(description !== undefined && { description }) };
}

function isTypes(types: unknown): types is TypeName[] {
  return Array.isArray(types) && types.every((type) => TYPE_NAMES.includes(type));
}

function isValues(values: unknown): values is KnownValue[] | undefined {
  const isKnown = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
  return values === undefined || (Array.isArray(values) && values.every(isKnown));
}
