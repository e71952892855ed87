import { quoteString, truncate } from '../../base/strings.ts';
import { describeTypes, isSubset } from '../types.ts';
import { getType, type Value } from '../value.ts';
import { applyOperator } from './overloads.ts';
import type { StrictRow } from './row.ts';
import type { OverloadId } from './table.ts';
import { DATE_TIME } from './time.ts';

/** The maximum columns of a string in a reason. */
const MAX_WIDTH = 40;

const TOO_LARGE = 'the result is too large for a number';
const BY_ZERO = 'division by zero';

/** The reasons of overloads that accept operands and yet have no result. The others compute a number that is too large. */
const REASONS: Readonly<Partial<Record<OverloadId, (...operands: never[]) => string>>> = {
  divide: (_: number, right: number) => (right === 0 ? BY_ZERO : TOO_LARGE),
  remainder: (_: number, right: number) => (right === 0 ? BY_ZERO : TOO_LARGE),
  'number.string': (operand: string) => `${quote(operand)} is not a number`,
  'boolean.string': (operand: string) => `${quote(operand)} is not a boolean`,
  'datetime.string': explainDate,
  'datetime.number': () => 'a time is at least 1 second after 1970-01-01',
};

/**
 * Explains why a strict operator has no result, as in `division by zero` or `no month 13`. Returns undefined if it has
 * one, or if an operand is undefined itself: then that operand has the reason.
 */
export function explainUndefined(row: StrictRow, operands: readonly Value[]): string | undefined {
  if (operands.includes(undefined) || applyOperator(row, operands) !== undefined) return undefined;
  const types = operands.map(getType);
  const overload = row.overloads.find(({ operands: accepted }) =>
    accepted.every((set, index) => isSubset(types[index] ?? 0, set)),
  );
  if (overload === undefined)
    return `\`${row.name}\` takes ${describeOperands(row)}, not ${types.map(describeTypes).join(' and ')}`;
  return REASONS[overload.id as OverloadId]?.(...(operands as never[])) ?? TOO_LARGE;
}

function describeOperands({ fixity, overloads }: StrictRow): string {
  if (fixity !== 'infix') return describeTypes(overloads.reduce((all, { operands: [set] }) => all | (set ?? 0), 0));
  return overloads.map(({ operands }) => operands.map(describeTypes).join(' and ')).join(', or ');
}

/** Explains why a string is not a date: the first field that does not exist. */
function explainDate(text: string): string {
  const [, , month = '', day = '', hour = '', minute = '', second = '', sign, zoneHour = '', zoneMinute = ''] =
    DATE_TIME.exec(text) ?? [];
  if (month === '') return `${quote(text)} is not a date such as 2025-06-01 or 2025-06-01T12:00:00Z`;
  if (Number(month) < 1 || Number(month) > 12) return `no month ${month}`;
  if (Number(hour) > 23) return `no hour ${hour}`;
  if (Number(minute) > 59) return `no minute ${minute}`;
  if (Number(second) > 59) return `no second ${second}`;
  if (Number(zoneHour) > 23 || Number(zoneMinute) > 59) return `no time zone ${sign}${zoneHour}:${zoneMinute}`;
  return `no day ${day} in ${text.slice(0, 7)}`;
}

function quote(text: string): string {
  return truncate(quoteString(text), MAX_WIDTH);
}
