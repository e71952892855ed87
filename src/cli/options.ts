import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { InvalidArgumentError, Option } from 'commander';
import { readSchema } from '../lang/check/read-schema.ts';
import type { Schema } from '../lang/check/schema.ts';
import { applyOperator } from '../lang/operators/overloads.ts';
import { FUNCTIONS } from '../lang/operators/table.ts';
import { isJsonObject } from '../lang/util/json.ts';
import type { Properties } from '../lang/value.ts';
import { UsageError } from './exit.ts';
import { explainSystemError } from './input/input-error.ts';
import { getUnixTime, type Io } from './io.ts';

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

/** The option that fixes `now`: Unix seconds, or a date that `datetime` takes. Without it, the clock when the program starts. */
export function createNowOption(io: Io): Option {
  return new Option('--now <time>', 'the time that `now` stands for: Unix seconds or a date')
    .argParser(queryTime)
    .default(getUnixTime(io), 'the clock');
}

function queryTime(text: string): number {
  const time = /^\d{1,12}$/.test(text) ? Number(text) : applyOperator(FUNCTIONS.datetime, [text]);
  if (typeof time === 'number') return time;
  throw new InvalidArgumentError('It takes Unix seconds or a date such as 2025-06-01 or 2025-06-01T12:00:00Z.');
}

/**
 * Reads a schema from a file of JSON.
 *
 * @throws {InputError} where the file cannot be read, {@link UsageError} where it holds no schema.
 */
export async function loadSchema(file: string): Promise<Schema> {
  const text = await readFile(file, 'utf8').catch((error) => Promise.reject(explainSystemError(error, file)));
  try {
    return readSchema(JSON.parse(text.replace(/^\ufeff/, '')));
  } catch (error) {
    throw new UsageError(`The schema ${file} cannot be used: ${(error as Error).message}`);
  }
}

/** An expression from the command line; `-` stands for standard input, whose last line break is not part of it. */
export async function readSource(io: Io, argument: string): Promise<string> {
  return argument === '-' ? (await text(io.in)).replace(/\r?\n$/, '') : argument;
}
