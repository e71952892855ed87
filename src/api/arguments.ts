import {
  arrayOf,
  assertBoolean,
  assertFields,
  assertFunction,
  assertNumber,
  assertObject,
  assertParts,
  assertString,
  type Guard,
  guardIf,
  oneOf,
  optional,
  recordOf,
} from '../base/guard.ts';
import { USES } from '../lang/check/check.ts';
import { isTimeZone } from '../lang/operators/time-zone.ts';
import { assertLimits, assertSource } from '../lang/syntax/parse.ts';
import { TYPE_NAMES } from '../lang/types.ts';

/** Guards for the options of all public functions, by option name. */
const OPTIONS = {
  diagnosticUrl: assertFunction,
  engine: assertEngine,
  limits: assertLimits,
  max: assertNumber,
  now: guardIf((value) => typeof value === 'number' || typeof value === 'function', 'Unix seconds or a function'),
  parametersBefore: assertNumber,
  schema: assertSchema,
  strict: assertBoolean,
  timeZone: guardIf((value) => typeof value === 'string' && isTimeZone(value), 'a name like "Europe/Berlin"'),
  relations: assertFunction,
  translate: assertFunction,
  use: oneOf(USES),
} satisfies Readonly<Record<string, Guard>>;

type OptionName = keyof typeof OPTIONS;

/**
 * Checks the options of a function.
 *
 * @throws {TypeError} if an option is unknown to the function or has the wrong type.
 */
export function assertOptions(options: unknown, names: readonly OptionName[]): void {
  const guards = Object.fromEntries(names.map((name) => [name, optional(OPTIONS[name])]));
  assertFields(options, 'options', guards, `an object of ${names.join(', ')}`);
}

/**
 * Checks a source and the options of a function.
 *
 * @throws {TypeError} as {@link assertOptions}, and if the source is not a string.
 */
export function assertSourceAndOptions(source: unknown, options: unknown, names: readonly OptionName[]): void {
  assertSource(source, 'source');
  assertOptions(options, names);
}

/**
 * Checks the properties of a record and of its user. The user may be undefined or, as in JSON, null.
 *
 * @throws {TypeError} if either is not an object.
 */
export function assertRecord(properties: unknown, user: unknown): void {
  assertObject(properties, 'properties', 'an object such as { plan: "pro" }');
  if (user !== undefined && user !== null) assertObject(user, 'user', 'an object such as { country: "DE" }');
}

/**
 * Checks the known properties and time that partial evaluation takes.
 *
 * @throws {TypeError} if a value has the wrong type or a field is not `properties`, `user` or `now`.
 */
export function assertKnown(known: unknown): void {
  const guards = { properties: optional(assertObject), user: optional(assertObject), now: optional(OPTIONS.now) };
  assertFields(known, 'known', guards, 'an object such as { properties: { plan: "pro" } }');
}

function assertEngine(engine: unknown, name: string): void {
  const guards = { toClosure: assertFunction, toCondition: assertFunction };
  assertParts(engine, name, guards, 'an engine, such as the export `codegen`');
}

const assertPropertySchemas = recordOf((value, name) => {
  assertFields(
    value,
    name,
    {
      types: arrayOf(oneOf(TYPE_NAMES)),
      values: optional(arrayOf(guardIf(isKnownValue, 'a string, a number or a boolean'))),
      description: optional(assertString),
    },
    'an object such as { types: ["string"] }',
  );
});

/** Schemas that passed the check before: an editor passes the same large schema with every keystroke. */
const validSchemas = new WeakSet<object>();

function assertSchema(schema: unknown, name: string): void {
  assertObject(schema, name, 'a schema, as `readSchema` and `inferSchema` return it');
  if (validSchemas.has(schema)) return;
  assertFields(schema, name, { properties: optional(assertPropertySchemas), user: optional(assertPropertySchemas) });
  validSchemas.add(schema);
}

function isKnownValue(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

const assertColumns = guardIf((value) => value instanceof Map, 'a Map of columns');

const assertSelection = optional(guardIf((value) => value instanceof Uint32Array, 'a Uint32Array of rows'));

/** @throws {TypeError} if the value is not a batch, or the selection not one of rows. */
export function assertBatch(batch: unknown, selection: unknown): void {
  const guards = { length: assertNumber, properties: assertColumns, user: assertColumns };
  assertParts(batch, 'batch', guards, 'a batch, as `batchFromRecords` returns it');
  assertSelection(selection, 'selection');
}
