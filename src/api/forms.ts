import type { Expression } from '../lang/ast.ts';
import { assertForm, type FormGroup } from '../lang/form/form.ts';
import { readForm } from '../lang/form/read-form.ts';
import { writeForm } from '../lang/form/write-form.ts';
import { assertTree } from '../lang/syntax/expect-tree.ts';
import { type ParseOptions, parseFor } from '../lang/syntax/parse.ts';
import { assertOptions } from './arguments.ts';
import { format } from './expressions.ts';
import { limitsOf } from './query-options.ts';

/**
 * Returns the rows of a form that edits a filter: conditions on properties, in groups of `and` and `or`. A part that no
 * row can show stays in the form as its source. Blank source is a form without rows.
 *
 * `fromForm(toForm(source))` is `format(source)`.
 *
 * @throws {ExpressionSyntaxError} if the source is not an expression.
 *
 * @example
 * toForm('number(properties["amount"]) > 100').rows;
 * // [{ kind: 'condition', scope: 'properties', property: 'amount', function: 'number', operator: '>', value: 100 }]
 */
export function toForm(expression: string | Expression, options: ParseOptions = {}): FormGroup {
  assertOptions(options, ['limits']);
  if (typeof expression !== 'string') assertTree(expression, 'expression');
  else if (expression.trim() === '') return { kind: 'group', join: 'and', negated: false, rows: [] };
  return readForm(typeof expression === 'string' ? parseFor(toForm, expression, limitsOf(options)) : expression);
}

/**
 * Returns the canonical source of a filter from the rows of a form: an empty string if it has no condition.
 *
 * @throws {TypeError} if the form is not one, with the path of the wrong part.
 * @throws {ExpressionSyntaxError} if the source of an expression of the form is not one, or the filter is longer or deeper
 *   than the limits.
 *
 * @example
 * fromForm({
 *   kind: 'group', join: 'and', negated: false,
 *   rows: [{ kind: 'condition', scope: 'properties', property: 'plan', operator: 'in', value: ['pro', 'team'] }],
 * }); // 'properties["plan"] in ["pro", "team"]'
 */
export function fromForm(form: FormGroup, options: ParseOptions = {}): string {
  assertOptions(options, ['limits']);
  assertForm(form, 'form');
  const tree = writeForm(form, limitsOf(options));
  if (tree === undefined) return '';
  const source = format(tree);
  parseFor(fromForm, source, limitsOf(options));
  return source;
}
