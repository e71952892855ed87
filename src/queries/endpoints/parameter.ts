import { getOwnValue, type JsonObject } from '../../base/json.ts';
import { apiErrors } from './api-errors.ts';
import type { ParameterKind } from './kinds.ts';

/** A parameter of an endpoint. */
export interface Parameter<Value = unknown> {
  readonly kind: ParameterKind<Value>;
  readonly description: string;
  readonly isRequired: boolean;
  readonly defaultValue: Value;
  /** Another name, read only if the parameter itself is missing. */
  readonly alias?: string;
}

export type Parameters = Readonly<Record<string, Parameter>>;

export type ValuesOf<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends Parameter<infer Value> ? Value : never;
};

/** The parameters of a query by their names in the HTTP interface, as strings. */
export type QueryParameters = Readonly<Record<string, string>>;

/** Declares a required parameter. */
export function requireParameter<Value>(kind: ParameterKind<Value>, description: string): Parameter<Value> {
  return { kind, description, isRequired: true, defaultValue: undefined as Value };
}

/** Declares an optional parameter. */
export function allowParameter<Value, Default extends Value | undefined = undefined>(
  kind: ParameterKind<Value>,
  description: string,
  defaultValue?: Default,
): Parameter<Value | Default> {
  return { kind, description, isRequired: false, defaultValue: defaultValue as Default };
}

/**
 * Reads the declared parameters of a request. Empty parameters count as missing; unknown ones are ignored.
 *
 * @throws {HttpError} for the first missing or invalid parameter, in order of declaration
 */
export function readParameters<P extends Parameters>(parameters: P, request: JsonObject): ValuesOf<P> {
  const values = Object.entries(parameters).map(([name, { kind, isRequired, defaultValue, alias = name }]) => {
    const givenName = isGiven(request, name) ? name : alias;
    if (isGiven(request, givenName)) return [name, readValue(kind, request[givenName], givenName)];
    if (isRequired) throw apiErrors.missing(name);
    return [name, defaultValue];
  });
  return Object.fromEntries(values);
}

function readValue<Value>({ takes, read }: ParameterKind<Value>, given: unknown, name: string): Value {
  const reason = `Expected ${takes}.`;
  let value: Value | undefined;
  try {
    value = read(given);
  } catch {
    throw apiErrors.notJson(name, reason);
  }
  if (value === undefined) throw apiErrors.invalid(name, reason);
  return value;
}

/** Returns the names and aliases of parameters. */
export function listNames(parameters: Parameters): string[] {
  return Object.entries(parameters).flatMap(([name, { alias }]) => (alias === undefined ? [name] : [name, alias]));
}

/** Reports whether a request has a parameter with a non-empty value. */
export function isGiven(request: JsonObject, name: string): boolean {
  return (getOwnValue(request, name) ?? '') !== '';
}
