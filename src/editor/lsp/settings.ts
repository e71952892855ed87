import { USES, type Use } from '../../lang/check/check.ts';
import { readSchema } from '../../lang/check/read-schema.ts';
import type { Schema } from '../../lang/check/schema.ts';

/** The settings that documents are checked with. */
export interface Settings {
  /** The use of the expressions. */
  readonly use: Use;
  readonly schema?: Schema;
}

/** The settings of a client, in its section `onwhere`. */
export interface WrittenSettings {
  readonly use: Use;
  /** A schema, or the path of its file. */
  readonly schema?: Schema | string;
}

/**
 * Checks and returns the settings in parsed JSON.
 *
 * @throws {TypeError} if they are invalid.
 */
export function readSettings(json: unknown): WrittenSettings {
  if (json === undefined || json === null) return { use: 'value' };
  if (typeof json !== 'object')
    throw new TypeError('Settings must be an object such as {"use": "where", "schema": "schema.json"}');
  const { use = 'value', schema } = json as { readonly use?: unknown; readonly schema?: unknown };
  if (!isUse(use)) throw new TypeError(`\`use\` must be one of ${USES.join(', ')}, not ${JSON.stringify(use)}`);
  if (schema === undefined || schema === null || schema === '') return { use };
  return { use, schema: typeof schema === 'string' ? schema : readSchema(schema) };
}

function isUse(value: unknown): value is Use {
  return USES.some((use) => use === value);
}
