import type { PropertySchema } from '../lang/check/schema.ts';
import type { OperatorRow, StrictRow } from '../lang/operators/row.ts';
import { ANY, getTypeNames, showTypes, UNDEFINED } from '../lang/types.ts';
import { listValues, showValue } from '../lang/value.ts';

/** What an operator, a function or a word does, with examples, as Markdown. */
export function describeOperator({ summary, examples }: OperatorRow): string {
  return [summary, ...examples.map(([expression, answer]) => `${code(expression)} → ${code(answer)}`)].join('\n\n');
}

/** The operands that a function takes: `string or number`. */
export function showOperands({ overloads }: StrictRow): string {
  const types = overloads.reduce((all, { operands: [operand = 0] }) => all | operand, 0);
  return showTypes(getTypeNames(types === ANY ? types : types & ~UNDEFINED));
}

/** What is known of a property besides its types, as Markdown. */
export function describeProperty({ description, values = [] }: PropertySchema): string | undefined {
  const known = values.length > 0 ? [`Values: ${listValues(values, (value) => code(showValue(value)))}`] : [];
  const parts = [...(description === undefined ? [] : [description]), ...known];
  return parts.length > 0 ? parts.join('\n\n') : undefined;
}

/** A text as code, whatever it holds: values come from data, and must not become Markdown of their own. */
function code(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(0, ...runs.map(({ length }) => length)) + 1);
  return runs.length > 0 ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}
