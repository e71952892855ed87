import type { PropertySchema } from '../lang/check/schema.ts';
import type { OperatorRow, StrictRow } from '../lang/operators/row.ts';
import { ANY, getTypeNames, showTypes, UNDEFINED } from '../lang/types.ts';
import { listValues, showValue } from '../lang/value.ts';

/** Describes an operator, function or keyword in Markdown, with examples. */
export function describeOperator({ summary, examples }: OperatorRow): string {
  return [summary, ...examples.map(([expression, result]) => `${formatCode(expression)} → ${formatCode(result)}`)].join(
    '\n\n',
  );
}

/** Returns the types that a function accepts: `string or number`. */
export function showOperands({ overloads }: StrictRow): string {
  const types = overloads.reduce((all, { operands: [operand = 0] }) => all | operand, 0);
  return showTypes(getTypeNames(types === ANY ? types : types & ~UNDEFINED));
}

/** Describes a property in Markdown: its description and known values, if the schema has any. */
export function describeProperty({ description, values = [] }: PropertySchema): string | undefined {
  const knownValues =
    values.length > 0 ? [`Values: ${listValues(values, (value) => formatCode(showValue(value)))}`] : [];
  const parts = [...(description === undefined ? [] : [description]), ...knownValues];
  return parts.length > 0 ? parts.join('\n\n') : undefined;
}

/** Formats a string as inline code. Values come from data, so backticks in them must not end the code. */
function formatCode(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(0, ...runs.map(({ length }) => length)) + 1);
  return runs.length > 0 ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}
