import { type Expression, isDatetimeCall, type Literal } from '../ast.ts';
import { type ParseOptions, parse } from '../syntax/parse.ts';
import {
  type FormCondition,
  type FormGroup,
  type FormRow,
  type FormScalar,
  type FormTime,
  isFormTime,
} from './form.ts';

const NO_SPAN = { start: 0, end: 0 };

/**
 * Returns the tree that the rows of a form mean, undefined if they have no condition.
 *
 * @throws {ExpressionSyntaxError} if the source of an expression of the form is not one.
 */
export function writeForm(form: FormGroup, options: ParseOptions): Expression | undefined {
  const operands = form.rows.flatMap((row) => writeRow(row, options) ?? []);
  const [only] = operands;
  if (only === undefined) return undefined;
  const joined: Expression =
    operands.length === 1 ? only : { kind: 'logical', operator: form.join, operands, span: NO_SPAN };
  return form.negated ? not(joined) : joined;
}

function writeRow(row: FormRow, options: ParseOptions): Expression | undefined {
  switch (row.kind) {
    case 'group':
      return writeForm(row, options);
    case 'expression':
      return parse(row.source, options);
    case 'condition':
      return writeCondition(row);
  }
}

function writeCondition(condition: FormCondition): Expression {
  const { scope, property: name, function: called, operator, value } = condition;
  const property: Expression = { kind: 'property', scope, name, span: NO_SPAN };
  const subject = called === undefined ? property : call(called, property);
  switch (operator) {
    case 'defined':
      return call('defined', subject);
    case 'in': {
      const items = (value as readonly FormScalar[]).map(literal);
      return { kind: 'membership', operator, operand: subject, items, span: NO_SPAN };
    }
    case 'contains':
      return { kind: 'binary', operator: 'in', left: writeScalar(value as FormScalar), right: subject, span: NO_SPAN };
    case 'not defined':
      return not(writeCondition({ ...condition, operator: 'defined' }));
    case 'not in':
      return not(writeCondition({ ...condition, operator: 'in' }));
    case 'not contains':
      return not(writeCondition({ ...condition, operator: 'contains' }));
    default: {
      const right = isFormTime(value) ? writeTime(value) : writeScalar(value as FormScalar);
      const kind = isDatetimeCall(subject) || isDatetimeCall(right) ? 'timeComparison' : 'binary';
      return { kind, operator, left: subject, right, span: NO_SPAN };
    }
  }
}

function not(operand: Expression): Expression {
  return { kind: 'prefix', operator: 'not', operand, span: NO_SPAN };
}

function call(operator: NonNullable<FormCondition['function']>, operand: Expression): Expression {
  return { kind: 'call', operator, operand, span: NO_SPAN };
}

function writeTime({ datetime }: FormTime): Expression {
  return call('datetime', writeScalar(datetime));
}

function literal(value: FormScalar): Literal {
  return { kind: 'literal', value: value === 0 ? 0 : value, span: NO_SPAN };
}

/** Outside of lists, a negative number is a negation. */
function writeScalar(value: FormScalar): Expression {
  if (typeof value !== 'number' || value >= 0) return literal(value);
  return { kind: 'prefix', operator: '-', operand: literal(-value), span: NO_SPAN };
}
