import type { Use } from '../lang/check/check.ts';
import type { Diagnostic } from '../lang/diagnostic.ts';
import { formatPosition, LineIndex } from '../lang/source.ts';
import { assertOptions } from './arguments.ts';
import { type CheckOptions, check } from './expressions.ts';
import type { StandardSchemaV1 } from './standard-schema.ts';

export interface ValidatorOptions extends Omit<CheckOptions, 'use'> {
  /** Whether warnings count as issues, such as a property that the schema does not have. Default `false`. */
  readonly strict?: boolean;
}

/** An issue that a validator reports. It is about the value itself, so it has no path. */
export interface ExpressionIssue extends StandardSchemaV1.Issue {
  /** The error or warning with its code, span and fixes. Missing if the value is not a string. */
  readonly diagnostic?: Diagnostic;
}

/**
 * Returns a validator for filters that works with every library that accepts a Standard Schema, for example to validate
 * form fields, requests or procedures. A valid string is returned unchanged. The issues are of type
 * {@link ExpressionIssue}.
 *
 * @throws {TypeError} if an option is unknown or has the wrong type.
 *
 * @example
 * const filter = createWhereValidator({ schema, strict: true });
 * const result = filter['~standard'].validate('properties["plan"] == "pro"'); // { value: … } or { issues: […] }
 */
export function createWhereValidator(options: ValidatorOptions = {}): StandardSchemaV1<string, string> {
  return createValidator('where', options);
}

/** Returns a validator for segmentations; see {@link createWhereValidator}. */
export function createOnValidator(options: ValidatorOptions = {}): StandardSchemaV1<string, string> {
  return createValidator('on', options);
}

function createValidator(use: Use, validatorOptions: ValidatorOptions): StandardSchemaV1<string, string> {
  assertOptions(validatorOptions, ['limits', 'relations', 'schema', 'strict']);
  const { strict = false, ...options } = validatorOptions;
  const validate = (value: unknown): StandardSchemaV1.Result<string> => {
    if (typeof value !== 'string') return { issues: [createTypeIssue(value)] };
    const { diagnostics } = check(value, { ...options, use });
    const wrong = strict ? diagnostics : diagnostics.filter(({ severity }) => severity === 'error');
    return wrong.length === 0 ? { value } : { issues: toIssues(value, wrong) };
  };
  return { '~standard': { version: 1, vendor: 'onwhere', validate } };
}

function createTypeIssue(value: unknown): ExpressionIssue {
  const found = value === null ? 'null' : typeof value;
  return { message: `Expected a string with an expression, such as properties["name"] == "value", not ${found}.` };
}

function toIssues(source: string, diagnostics: readonly Diagnostic[]): ExpressionIssue[] {
  const lines = new LineIndex(source);
  return diagnostics.map((diagnostic) => {
    const { message, help, span } = diagnostic;
    const advice = help === undefined ? '' : ` ${help}`;
    return { message: `${message}${advice} (${formatPosition(lines.positionAt(span.start))})`, diagnostic };
  });
}
