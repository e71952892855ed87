import {
  arrayOf,
  assertBoolean,
  assertFields,
  assertParts,
  assertString,
  type Guard,
  guardIf,
  oneOf,
  optional,
  refuse,
} from '../../base/guard.ts';
import { isKeyOf } from '../../base/objects.ts';
import { isWellFormed } from '../../base/strings.ts';
import { type FunctionName, type LogicalName, SCOPES, type Scope } from '../ast.ts';
import { FUNCTIONS, LOGICAL } from '../operators/table.ts';

/** A value of a condition that has a literal. */
export type FormScalar = string | number | boolean;

/** A time, as the operand of `datetime`. */
export interface FormTime {
  readonly datetime: string | number;
}

/** The operators of conditions: the label of each in a form, and the values that it takes. */
export const FORM_OPERATORS = {
  '==': { label: 'is', takes: 'value' },
  '!=': { label: 'is not', takes: 'value' },
  '<': { label: 'is less than', takes: 'value' },
  '<=': { label: 'is at most', takes: 'value' },
  '>': { label: 'is more than', takes: 'value' },
  '>=': { label: 'is at least', takes: 'value' },
  in: { label: 'is one of', takes: 'list' },
  'not in': { label: 'is none of', takes: 'list' },
  contains: { label: 'contains', takes: 'scalar' },
  'not contains': { label: 'does not contain', takes: 'scalar' },
  defined: { label: 'has a value', takes: 'nothing' },
  'not defined': { label: 'has no value', takes: 'nothing' },
} as const satisfies Readonly<Record<string, { label: string; takes: 'value' | 'scalar' | 'list' | 'nothing' }>>;

export type FormOperator = keyof typeof FORM_OPERATORS;

/** A comparison of one property, the row of a form. */
export interface FormCondition {
  readonly kind: 'condition';
  readonly scope: Scope;
  /** The name of the property. */
  readonly property: string;
  /** A function that is applied to the property first, as in `number(properties["amount"]) > 100`. */
  readonly function?: FunctionName;
  readonly operator: FormOperator;
  /**
   * A list for `in` and `not in`, a scalar for `contains` and `not contains`, nothing for `defined` and `not defined`,
   * a scalar or a time for the others.
   */
  readonly value?: FormScalar | FormTime | readonly FormScalar[];
}

/** A part that no row of a form can show: any other expression, as its source. */
export interface FormExpression {
  readonly kind: 'expression';
  readonly source: string;
}

/** Rows joined by `and` or `or`. A group without rows means that there is no filter. */
export interface FormGroup {
  readonly kind: 'group';
  readonly join: LogicalName;
  /** Whether the rows, joined, are behind a `not`. */
  readonly negated: boolean;
  readonly rows: readonly FormRow[];
}

export type FormRow = FormCondition | FormExpression | FormGroup;

const GUARDS: Readonly<Record<FormRow['kind'], Readonly<Record<string, Guard>>>> = {
  condition: {
    scope: oneOf(SCOPES),
    property: guardIf((value) => typeof value === 'string' && isWellFormed(value), 'the name of a property'),
    function: optional(oneOf(Object.keys(FUNCTIONS))),
    operator: oneOf(Object.keys(FORM_OPERATORS)),
    value: () => {},
  },
  expression: { source: assertString },
  group: { join: oneOf(Object.keys(LOGICAL)), negated: assertBoolean, rows: arrayOf(assertRow) },
};

/** More than any expression has, and few enough to follow by recursion. */
const MAX_GROUPS = 1000;

/** @throws {TypeError} if a value is not a form, with the path of the wrong part. */
export function assertForm(form: unknown, name: string): asserts form is FormGroup {
  assertParts(form, name, { kind: oneOf(['group']) }, 'a form that `toForm` returned');
  assertDepth(form as FormGroup, name);
  assertRow(form, name);
}

function assertDepth(form: FormGroup, name: string): void {
  let groups: readonly FormRow[] = [form];
  for (let depth = 0; groups.length > 0; depth++) {
    if (depth > MAX_GROUPS) throw new TypeError(`\`${name}\` has groups that are nested more than ${MAX_GROUPS} deep`);
    groups = groups.flatMap((row) => (row?.kind === 'group' && Array.isArray(row.rows) ? row.rows : []));
  }
}

function assertRow(row: unknown, name: string): void {
  assertParts(row, name, { kind: oneOf(Object.keys(GUARDS)) }, 'a row of a form');
  const { kind } = row as FormRow;
  assertFields(row, name, { kind: assertString, ...GUARDS[kind] });
  if (kind === 'condition') assertValue(row as FormCondition, `${name}.value`);
}

function assertValue({ operator, value }: FormCondition, name: string): void {
  switch (FORM_OPERATORS[operator].takes) {
    case 'nothing':
      if (value !== undefined) refuse(name, `left out, as \`${operator}\` takes no value`, value);
      return;
    case 'list':
      arrayOf(assertScalar)(value, name);
      return;
    case 'scalar':
      assertScalar(value, name);
      return;
    case 'value':
      if (isFormTime(value)) assertTime(value.datetime, `${name}.datetime`);
      else assertScalar(value, name);
  }
}

const assertScalar = guardIf(
  (value) => (typeof value === 'string' ? isWellFormed(value) : typeof value === 'boolean' || Number.isFinite(value)),
  'a string without half of a surrogate pair, a finite number or a boolean',
);

const assertTime = guardIf(
  (value) => (typeof value === 'string' ? isWellFormed(value) : Number.isFinite(value)),
  'a string without half of a surrogate pair or a finite number',
);

/** Returns whether the value of a condition is a time. */
export function isFormTime(value: FormCondition['value']): value is FormTime {
  return typeof value === 'object' && value !== null && isKeyOf('datetime', value as FormTime);
}
