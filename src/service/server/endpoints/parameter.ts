import { getOwnValue, type JsonObject } from '../../../lang/util/json.ts';
import { apiErrors } from './api-errors.ts';
import type { ParameterKind } from './kinds.ts';

/** A parameter of an endpoint: all that requests, documents and commands need to know of it. */
export interface Parameter<Value = unknown> {
  readonly kind: ParameterKind<Value>;
  readonly description: string;
  readonly isRequired: boolean;
  /** What it is where nobody says. */
  readonly otherwise: Value;
  /** Another name, which counts less. */
  readonly alias?: string;
}

export type Parameters = Readonly<Record<string, Parameter>>;

export type ValuesOf<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends Parameter<infer Value> ? Value : never;
};

/** A parameter without which nothing is answered. */
export function requireParameter<Value>(kind: ParameterKind<Value>, description: string): Parameter<Value> {
  return { kind, description, isRequired: true, otherwise: undefined as Value };
}

/** A parameter that may be left out. */
export function allowParameter<Value, Otherwise extends Value | undefined = undefined>(
  kind: ParameterKind<Value>,
  description: string,
  otherwise?: Otherwise,
): Parameter<Value | Otherwise> {
  return { kind, description, isRequired: false, otherwise: otherwise as Otherwise };
}

/**
 * The values of parameters as a request writes them. What is empty is as good as not there; what nothing is declared for is ignored.
 *
 * @throws {HttpError} for the first that is missing or invalid, in the order of their declaration
 */
export function readParameters<P extends Parameters>(parameters: P, written: JsonObject): ValuesOf<P> {
  const values = Object.entries(parameters).map(([name, { kind, isRequired, otherwise, alias = name }]) => {
    const given = isGiven(written, name) ? name : alias;
    if (isGiven(written, given)) return [name, readValue(kind, written[given], given)];
    if (isRequired) throw apiErrors.missing(name);
    return [name, otherwise];
  });
  return Object.fromEntries(values);
}

function readValue<Value>({ takes, read }: ParameterKind<Value>, written: unknown, name: string): Value {
  const reason = `It takes ${takes}.`;
  let value: Value | undefined;
  try {
    value = read(written);
  } catch {
    throw apiErrors.notJson(name, reason);
  }
  if (value === undefined) throw apiErrors.invalid(name, reason);
  return value;
}

/** The names of parameters, with their other names. */
export function listNames(parameters: Parameters): string[] {
  return Object.entries(parameters).flatMap(([name, { alias }]) => (alias === undefined ? [name] : [name, alias]));
}

/** Whether a request gives a parameter. */
export function isGiven(written: JsonObject, name: string): boolean {
  return (getOwnValue(written, name) ?? '') !== '';
}
