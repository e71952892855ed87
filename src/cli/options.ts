import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { isJsonObject } from '../base/json.ts';
import { DECIMALS } from '../data/csv-table.ts';
import { ENCODINGS } from '../data/encoding.ts';
import { isRecordPath } from '../data/inner-lists.ts';
import { describeRepeatedName } from '../data/problems.ts';
import { readSchema } from '../lang/check/read-schema.ts';
import type { Schema } from '../lang/check/schema.ts';
import { applyOperator } from '../lang/operators/overloads.ts';
import { FUNCTIONS } from '../lang/operators/table.ts';
import { isTimeZone } from '../lang/operators/time-zone.ts';
import type { Properties } from '../lang/value.ts';
import { SETTINGS } from '../service/server/settings/settings.ts';
import { UsageError } from './exit.ts';
import { explainSystemError } from './input/input-error.ts';
import { getUnixTime, type Io } from './io.ts';
import { DEFAULT_TIME_LIMIT } from './query/file-limits.ts';

/** The options that give a record: JSON objects. */
export interface RecordOptions {
  readonly properties?: string;
  readonly user?: string;
}

/** Parses the record of the options. Omits what the options omit. */
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
  throw new UsageError(`${option} takes a JSON object such as {"plan": "pro"}`);
}

/** Creates the option for the time zone of the query. */
export function createTimeZoneOption(): Option {
  const what = 'the time zone of days, and of dates without one in expressions, such as Europe/Berlin (default: UTC)';
  return new Option('--time-zone <name>', what).argParser((name) => {
    if (isTimeZone(name)) return name;
    throw new InvalidArgumentError('Expected the name of a time zone such as Europe/Berlin.');
  });
}

/** Creates the option that fixes `now`: Unix seconds, or a date in UTC. Its default is the clock. */
export function createNowOption(io: Io): Option {
  return new Option('--now <time>', 'the value of `now` in expressions: Unix seconds or a date (UTC)')
    .argParser(parseTime)
    .default(getUnixTime(io), 'the clock');
}

/** Adds the options for files whose columns have other names than those of events. */
export function addFieldOptions(command: Command): Command {
  return command
    .option('--time <column>', 'the column of the time, or none (default: guessed from names and values)')
    .option('--user <column>', 'the column of the user, or none (default: guessed)')
    .option('--event-column <column>', 'the column of the name of the event, or none (default: guessed)')
    .option('--flatten', 'read nested objects as properties with dotted names, such as properties["geo.country"]');
}

function parseTime(text: string): number {
  const time = /^\d{1,12}$/.test(text) ? Number(text) : applyOperator(FUNCTIONS.datetime, [text]);
  if (typeof time === 'number') return time;
  throw new InvalidArgumentError('Expected Unix seconds or a date such as 2025-06-01 or 2025-06-01T12:00:00Z.');
}

/** Adds the options that say how to read files whose format cannot be guessed. */
export function addFormatOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--delimiter <character>', 'the delimiter of CSV files, or "tab" (default: guessed)').argParser(
        parseDelimiter,
      ),
    )
    .addOption(
      new Option(
        '--encoding <name>',
        'the encoding of text files (default: UTF-8, or UTF-16 with a byte order mark)',
      ).choices(ENCODINGS),
    )
    .addOption(
      new Option(
        '--records <path>',
        'the list of records in JSON objects, such as log.entries (default: guessed)',
      ).argParser(parsePath),
    )
    .addOption(
      new Option('--columns <names>', 'the columns of CSV files without a header row, separated by commas').argParser(
        parseColumns,
      ),
    )
    .option('--no-header', 'read CSV files without a header row; their columns are column1, column2 and so on')
    .addOption(new Option('--decimal <separator>', 'the decimal separator of numbers in CSV').choices(DECIMALS))
    .option('--table <name>', 'the table to read from a .duckdb file with several tables')
    .addOption(
      new Option('--time-limit <seconds>', 'the time limit of DuckDB for a query of one file')
        .default(DEFAULT_TIME_LIMIT)
        .argParser(parseSeconds),
    );
}

/** The option of commands that print records as they are. */
export const RAW_OPTION = ['--raw', 'also print control characters to a terminal, which can change it'] as const;

/** The option for what is known of properties. */
export const SCHEMA_OPTION = [
  '--schema <file>',
  'a schema of the properties: the JSON of `onwhere properties --json`, or a JSON Schema',
] as const;

/** Adds the option for the memory of commands that do not have it as a setting of the service. */
export function addMemoryLimit(command: Command): Command {
  const { placeholder, takes, read } = SETTINGS.memoryLimit;
  return command.addOption(
    new Option(
      `--memory-limit <${placeholder}>`,
      'the memory limit of DuckDB for files, such as 8GB (default: 4GB)',
    ).argParser((text) => {
      const size = read(text);
      if (size === undefined) throw new InvalidArgumentError(`Expected ${takes}.`);
      return size;
    }),
  );
}

function parseSeconds(text: string): number {
  if (/^\d{1,6}(?:\.\d+)?$/.test(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError('Expected a number of seconds such as 60.');
}

function parsePath(text: string): string {
  if (isRecordPath(text)) return text;
  throw new InvalidArgumentError('Expected at most 8 names joined by dots, such as "log.entries".');
}

function parseColumns(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  const flaw = names.includes('') ? 'has an empty name' : describeRepeatedName(names, 'columns');
  if (flaw === undefined) return names;
  throw new InvalidArgumentError(`Expected different names such as "time,user,event", and this list ${flaw}.`);
}

function parseDelimiter(text: string): string {
  if (text === 'tab' || text === '\\t') return '\t';
  if (/^[!-~\t ]$/.test(text) && !/["\w]/.test(text)) return text;
  throw new InvalidArgumentError('Expected one punctuation character such as ";", or "tab".');
}

/**
 * Reads a schema from a file of JSON.
 *
 * @throws {InputError} if the file cannot be read.
 * @throws {UsageError} if the file does not hold a schema.
 */
export async function loadSchema(file: string): Promise<Schema> {
  const text = await readFile(file, 'utf8').catch((error) => Promise.reject(explainSystemError(error, file)));
  try {
    return readSchema(JSON.parse(text.replace(/^\ufeff/, '')));
  } catch (error) {
    throw new UsageError(`Invalid schema ${file}: ${(error as Error).message}`);
  }
}

/** @throws {UsageError} if more than one of the arguments is standard input. */
export function ensureOneInput(given: readonly string[], what: string): void {
  if (given.filter((argument) => argument === '-').length > 1)
    throw new UsageError(`Standard input can be only one of ${what}: write - once`);
}

/** Returns an expression of the command line. Reads `-` from standard input, without the last line break. */
export async function readSource(io: Io, argument: string): Promise<string> {
  return argument === '-' ? (await text(io.in)).replace(/\r?\n$/, '') : argument;
}
