import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Use } from '../lang/check/check.ts';
import type { Diagnostic } from '../lang/diagnostic.ts';
import { formatPosition, LineIndex } from '../lang/source.ts';
import { assertOptions } from './arguments.ts';
import { type CheckOptions, check } from './expressions.ts';

export interface ValidatorOptions extends Omit<CheckOptions, 'use'> {
  /** Whether warnings are issues too, such as a property that the schema does not have. Default `false`. */
  readonly strict?: boolean;
}

/** What a validator says is wrong: about the value itself, so that there is no path. */
export interface ExpressionIssue extends StandardSchemaV1.Issue {
  /** With the code, the place and perhaps a fix; left out where the value is no text. */
  readonly diagnostic?: Diagnostic;
}

/**
 * A validator of filters for every library that takes a Standard Schema: of form fields, of requests, of procedures. A valid text is
 * passed on unchanged. The issues are of type {@link ExpressionIssue}.
 */
export function createWhereValidator(options: ValidatorOptions = {}): StandardSchemaV1<string, string> {
  return validatorFor('where', options);
}

/** A validator of segmentations, as {@link createWhereValidator} is one of filters. */
export function createOnValidator(options: ValidatorOptions = {}): StandardSchemaV1<string, string> {
  return validatorFor('on', options);
}

function validatorFor(use: Use, validatorOptions: ValidatorOptions): StandardSchemaV1<string, string> {
  assertOptions(validatorOptions, ['limits', 'schema', 'strict']);
  const { strict = false, ...options } = validatorOptions;
  const validate = (value: unknown): StandardSchemaV1.Result<string> => {
    if (typeof value !== 'string') return { issues: [notText(value)] };
    const { diagnostics } = check(value, { ...options, use });
    const wrong = strict ? diagnostics : diagnostics.filter(({ severity }) => severity === 'error');
    return wrong.length === 0 ? { value } : { issues: issuesOf(value, wrong) };
  };
  return { '~standard': { version: 1, vendor: 'onwhere', validate } };
}

function notText(value: unknown): ExpressionIssue {
  const found = value === null ? 'null' : typeof value;
  return { message: `An expression is text, such as properties["name"] == "value", not ${found}.` };
}

function issuesOf(source: string, diagnostics: readonly Diagnostic[]): ExpressionIssue[] {
  const lines = new LineIndex(source);
  return diagnostics.map((diagnostic) => {
    const { message, help, span } = diagnostic;
    const advice = help === undefined ? '' : ` ${help}`;
    return { message: `${message}${advice} (${formatPosition(lines.positionAt(span.start))})`, diagnostic };
  });
}
