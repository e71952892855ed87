import { USES, type Use } from '../../lang/check/check.ts';
import { readSchema } from '../../lang/check/read-schema.ts';
import type { Schema } from '../../lang/check/schema.ts';

/** What the documents of a client are checked by. */
export interface Settings {
  /** What the expressions are for. */
  readonly use: Use;
  readonly schema?: Schema;
}

/** Settings as a client writes them, in its section `onwhere`. */
export interface WrittenSettings {
  readonly use: Use;
  /** A schema, or the path of the file that holds it. */
  readonly schema?: Schema | string;
}

/**
 * Makes sure that parsed JSON holds settings.
 *
 * @throws {TypeError} that says where it does not.
 */
export function readSettings(json: unknown): WrittenSettings {
  if (json === undefined || json === null) return { use: 'value' };
  if (typeof json !== 'object')
    throw new TypeError('The settings are an object like {"use": "where", "schema": "schema.json"}');
  const { use = 'value', schema } = json as { readonly use?: unknown; readonly schema?: unknown };
  if (!isUse(use)) throw new TypeError(`\`use\` must be one of ${USES.join(', ')}, not ${JSON.stringify(use)}`);
  if (schema === undefined || schema === null || schema === '') return { use };
  return { use, schema: typeof schema === 'string' ? schema : readSchema(schema) };
}

function isUse(value: unknown): value is Use {
  return USES.some((use) => use === value);
}
