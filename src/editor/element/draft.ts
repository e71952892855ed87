import { fromForm } from '../../api/forms.ts';
import { isKeyOf } from '../../base/objects.ts';
import type { FunctionName, LogicalName, Scope } from '../../lang/ast.ts';
import { getPropertySchemas, type Schema } from '../../lang/check/schema.ts';
import {
  FORM_OPERATORS,
  type FormCondition,
  type FormExpression,
  type FormGroup,
  type FormOperator,
  type FormRow,
  type FormScalar,
  type FormTime,
  isFormTime,
} from '../../lang/form/form.ts';
import { readListText, readValueText, showListText, showValueText } from './value-text.ts';

/** A comparison with a time has its own operator in the list of a row. */
export type RowOperator = FormOperator | `time ${keyof typeof TIME_LABELS}`;

const TIME_LABELS = {
  '<': 'is before',
  '<=': 'is at or before',
  '>': 'is after',
  '>=': 'is at or after',
  '==': 'is at',
  '!=': 'is not at',
} as const satisfies { [Operator in FormOperator]?: string };

/** The operators of a row with their labels. */
export const ROW_OPERATORS: readonly (readonly [RowOperator, label: string])[] = [
  ...Object.entries(FORM_OPERATORS).map(([operator, { label }]) => [operator as RowOperator, label] as const),
  ...Object.entries(TIME_LABELS).map(([operator, label]) => [`time ${operator}` as RowOperator, label] as const),
];

/** A condition as it is being edited: its value is text, and may be missing. */
export interface ConditionDraft {
  readonly kind: 'condition';
  scope: Scope;
  /** Undefined until one is chosen. */
  property: string | undefined;
  function: FunctionName | undefined;
  operator: RowOperator;
  text: string;
}

export interface GroupDraft {
  readonly kind: 'group';
  join: LogicalName;
  negated: boolean;
  readonly rows: RowDraft[];
}

export type RowDraft = ConditionDraft | FormExpression | GroupDraft;

/** Creates a condition whose property is still to be chosen. */
export function createCondition(): ConditionDraft {
  return { kind: 'condition', scope: 'properties', property: undefined, function: undefined, operator: '==', text: '' };
}

/** Returns whether a condition takes no value, one or a list. */
export function getArity({ operator }: ConditionDraft): 'none' | 'one' | 'many' {
  if (!isKeyOf(operator, FORM_OPERATORS)) return 'one';
  const { takes } = FORM_OPERATORS[operator];
  return takes === 'nothing' ? 'none' : takes === 'list' ? 'many' : 'one';
}

/** Returns whether every value of the field is a string: the property has only strings, or the value is a time. */
function isText(
  { scope, property, function: called, operator }: Omit<ConditionDraft, 'text'>,
  schema?: Schema,
): boolean {
  if (operator.startsWith('time ')) return false;
  const types = property === undefined ? undefined : getPropertySchemas(schema, scope)?.[property]?.types;
  return (
    called === 'string' || (called === undefined && types !== undefined && types.every((type) => type === 'string'))
  );
}

/** Returns a form to edit. */
export function draftOf(form: FormGroup, schema?: Schema): GroupDraft {
  return { kind: 'group', join: form.join, negated: form.negated, rows: form.rows.map((row) => draftRow(row, schema)) };
}

function draftRow(row: FormRow, schema: Schema | undefined): RowDraft {
  switch (row.kind) {
    case 'group':
      return draftOf(row, schema);
    case 'expression':
      return row;
    case 'condition':
      return draftCondition(row, schema) ?? { kind: 'expression', source: writeRow(row) };
  }
}

function writeRow(row: FormRow): string {
  return fromForm({ kind: 'group', join: 'and', negated: false, rows: [row] });
}

/** Returns undefined for a condition whose value no text reads as. */
function draftCondition(row: FormCondition, schema: Schema | undefined): ConditionDraft | undefined {
  const { scope, property, value } = row;
  const operator: RowOperator = isFormTime(value) ? (`time ${row.operator}` as RowOperator) : row.operator;
  const draft = { kind: row.kind, scope, property, function: row.function, operator } as const;
  const areStrings = isText(draft, schema);
  if (Array.isArray(value) && value.length === 0) return undefined;
  if (areStrings && [value].flat().some((item) => typeof item === 'number' || typeof item === 'boolean'))
    return undefined;
  return { ...draft, text: showText(value, areStrings) };
}

function showText(value: FormCondition['value'], isText: boolean): string {
  if (value === undefined) return '';
  if (isFormTime(value)) return showValueText(value.datetime, false);
  return typeof value === 'object' ? showListText(value, isText) : showValueText(value, isText);
}

/** Returns the form of a draft, without the rows that are not complete. */
export function formOf(draft: GroupDraft, schema?: Schema): FormGroup {
  const rows = draft.rows.flatMap((row): readonly FormRow[] => {
    if (row.kind === 'expression') return [row];
    return row.kind === 'group' ? [formOf(row, schema)] : formOfCondition(row, schema);
  });
  return { kind: 'group', join: draft.join, negated: draft.negated, rows };
}

function formOfCondition(draft: ConditionDraft, schema: Schema | undefined): readonly FormCondition[] {
  const { kind, scope, property } = draft;
  if (property === undefined) return [];
  const operator = draft.operator.replace('time ', '') as FormOperator;
  const subject = { kind, scope, property, ...(draft.function && { function: draft.function }), operator };
  if (getArity(draft) === 'none') return [subject];
  const value = readValue(draft, schema);
  return value === undefined ? [] : [{ ...subject, value }];
}

function readValue(
  draft: ConditionDraft,
  schema: Schema | undefined,
): FormScalar | FormTime | readonly FormScalar[] | undefined {
  if (getArity(draft) === 'many') {
    const values = readListText(draft.text, isText(draft, schema));
    return values.length === 0 ? undefined : values;
  }
  const value = readValueText(draft.text, isText(draft, schema));
  if (value === undefined || !draft.operator.startsWith('time ')) return value;
  return { datetime: typeof value === 'boolean' ? String(value) : value };
}
