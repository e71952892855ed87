import type { Use } from '../../lang/check/check.ts';
import { interpret } from '../../lang/engines/interpret.ts';
import { readArray, readRowValue } from '../../lang/engines/sql/read-row-value.ts';
import type { SqlTypeError } from '../../lang/engines/sql/to-statement.ts';
import { ExpressionTypeError } from '../../lang/errors.ts';
import { listSegments, toCondition, toNumberOrZero } from '../../lang/operators/coercions.ts';
import { findTimeZone } from '../../lang/operators/time-zone.ts';
import { parse } from '../../lang/syntax/parse.ts';
import type { Value } from '../../lang/value.ts';
import type { ProbeRecord } from './probe-group.ts';

const CHANNELS = ['number', 'string', 'boolean', 'null', 'list', 'json'] as const;

/** Returns the expected result of an expression for each record, as a string: JSON, `undefined`, or a type error. */
export function computeExpected(
  expression: string,
  use: Use,
  records: readonly ProbeRecord[],
  query: { readonly now: number; readonly timeZone: string },
): string[] {
  const tree = parse(expression);
  const moment = { now: query.now, timeZone: findTimeZone(query.timeZone) };
  const evaluate = ({ properties, user }: ProbeRecord): string => {
    const value = interpret(tree, { properties, user, ...moment }, expression);
    switch (use) {
      case 'where':
        return write(toCondition(value, 'where', tree.span, expression));
      case 'on':
        return write(listSegments(value).sort());
      case 'number':
        return write(toNumberOrZero(value));
      case 'value':
        return write(value);
    }
  };
  return records.map((record) => {
    try {
      return evaluate(record);
    } catch (error) {
      if (!(error instanceof ExpressionTypeError)) throw error;
      return writeTypeError(error);
    }
  });
}

/**
 * Formats the result of a database for one record like {@link computeExpected}.
 *
 * @param part Returns the value of a part of the expression for the record.
 * @param isSelected Whether the expression, if it is a filter, selects the record.
 */
export function formatAnswer(
  use: Use,
  part: (name: string) => unknown,
  errors: readonly SqlTypeError[],
  isSelected: boolean,
): string {
  const number = Number(part('error') ?? 0);
  if (number !== 0) {
    const error = errors[number - 1];
    return error === undefined ? `type error ${number}, which does not exist` : writeTypeError(error);
  }
  switch (use) {
    case 'where':
      return write(isSelected);
    case 'on': {
      const segments = readArray(part('segments')) ?? [String(part('segment'))];
      return write([...segments].sort());
    }
    case 'number':
      return write(Number(part('number')));
    case 'value':
      return write(readRowValue(Object.fromEntries(CHANNELS.map((channel) => [channel, part(channel)]))));
  }
}

function write(value: Value): string {
  return value === undefined ? 'undefined' : JSON.stringify(value);
}

function writeTypeError({ operator, found, span }: Pick<ExpressionTypeError, 'operator' | 'found' | 'span'>): string {
  return `type error: ${operator} found ${found} in column ${span.start + 1}`;
}
