import { USES, type Use } from '../../lang/check/check.ts';
import { readSchema } from '../../lang/check/read-schema.ts';
import type { Schema } from '../../lang/check/schema.ts';
import { isTimeZone } from '../../lang/operators/time-zone.ts';

/** The settings that documents are checked with. */
export interface Settings {
  /** The use of the expressions. */
  readonly use: Use;
  readonly timeZone: string;
  readonly schema?: Schema;
}

export const DEFAULT_SETTINGS: Settings = { use: 'value', timeZone: 'UTC' };

/** The settings of a client, in its section `onwhere`. */
export interface WrittenSettings {
  readonly use: Use;
  readonly timeZone: string;
  /** A schema, or the path of its file. */
  readonly schema?: Schema | string;
}

/**
 * Checks and returns the settings in parsed JSON.
 *
 * @throws {TypeError} if they are invalid.
 */
export function readSettings(json: unknown): WrittenSettings {
  if (json === undefined || json === null) return DEFAULT_SETTINGS;
  if (typeof json !== 'object')
    throw new TypeError('Settings must be an object such as {"use": "where", "schema": "schema.json"}');
  const { use, timeZone, schema }: Readonly<Record<string, unknown>> = { ...DEFAULT_SETTINGS, ...json };
  if (!isUse(use)) throw new TypeError(`\`use\` must be one of ${USES.join(', ')}, not ${JSON.stringify(use)}`);
  if (typeof timeZone !== 'string' || !isTimeZone(timeZone))
    throw new TypeError(`\`timeZone\` must be a name like "Europe/Berlin", not ${JSON.stringify(timeZone)}`);
  if (schema === undefined || schema === null || schema === '') return { use, timeZone };
  return { use, timeZone, schema: typeof schema === 'string' ? schema : readSchema(schema) };
}

function isUse(value: unknown): value is Use {
  return USES.some((use) => use === value);
}
