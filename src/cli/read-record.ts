import type { Properties } from '../language/value.ts';
import { isJsonObject } from '../util/json-object.ts';
import { UsageError } from './exit.ts';

/** A record on the command line: JSON objects. */
export interface RecordOptions {
  readonly properties?: string;
  readonly user?: string;
}

/** The record that the options say. A part that they leave out is left out. */
export function readRecord(options: RecordOptions): { readonly properties?: Properties; readonly user?: Properties } {
  const { properties, user } = options;
  return {
    ...(properties !== undefined && { properties: readObject('--properties', properties) }),
    ...(user !== undefined && { user: readObject('--user', user) }),
  };
}

function readObject(option: string, text: string): Properties {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${option} is not JSON: ${(error as Error).message}`);
  }
  if (isJsonObject(json)) return json;
  throw new UsageError(`${option} takes a JSON object, like {"plan": "pro"}`);
}
