import type { OverloadId } from '../../operators/table.ts';
import {
  call,
  caseWhen,
  compare,
  FALSE,
  fragment,
  infix,
  isIn,
  not,
  PRECEDENCE,
  raw,
  type Sql,
  TRUE,
  wrapOperand,
} from './sql.ts';

/**
 * The overloads that test for presence or types, or that take lists. The lowering handles them for all dialects.
 */
type ChannelOverload =
  | 'equal'
  | 'unequal'
  | 'element'
  | 'defined'
  | 'string.null'
  | 'boolean.nothing'
  | 'not.boolean'
  | 'not.undefined';

/**
 * Returns the SQL of an overload, which is NULL if an operand is NULL. If the result is a number, operands may be
 * infinite or NaN; then the result is not finite either, or NULL. For other results, operands are finite.
 */
export type Template = (...operands: Sql[]) => Sql;

export type Overloads = Readonly<Record<Exclude<OverloadId, ChannelOverload>, Template>>;

const TRUE_WORDS = ['true', '1', 'yes'].map((word) => raw(`'${word}'`));
const FALSE_WORDS = ['false', '0', 'no'].map((word) => raw(`'${word}'`));

const identity = (operand: Sql) => operand;

/** Returns the template of a function that the dialect's setup creates. */
export function callHelper(name: string): Template {
  return (...operands) => call(`onwhere_${name}`, ...operands);
}

/** Returns the template of an ordering comparison. */
function createOrder(operator: string): Template {
  return (left: Sql, right: Sql) => compare(left, operator, right);
}

/** The templates that dialects share. A dialect overrides those that differ. */
// biome-ignore format: a table, to be read by its rows
export const STANDARD = {
  'add': (left: Sql, right: Sql) => infix(left, '+', right, PRECEDENCE.sum),
  'subtract': (left: Sql, right: Sql) => infix(left, '-', right, PRECEDENCE.sum),
  'multiply': (left: Sql, right: Sql) => infix(left, '*', right, PRECEDENCE.product),
  'negate': (operand: Sql) => fragment(PRECEDENCE.sign)`-${wrapOperand(operand, PRECEDENCE.cast)}`,
  'floor': (operand: Sql) => call('floor', operand),
  'ceil': (operand: Sql) => call('ceil', operand),
  'round': callHelper('round'),
  'remainder': (left: Sql, right: Sql) => call('onwhere_remainder', left, right),

  'join': (left: Sql, right: Sql) => infix(left, '||', right, PRECEDENCE.concat),
  'part': (left: Sql, right: Sql) => call('contains', right, left),

  'less.number': createOrder('<'),
  'atMost.number': createOrder('<='),
  'greater.number': createOrder('>'),
  'atLeast.number': createOrder('>='),
  'less.string': createOrder('<'),
  'atMost.string': createOrder('<='),
  'greater.string': createOrder('>'),
  'atLeast.string': createOrder('>='),

  'string.string': identity,
  'string.number': callHelper('text'),
  'string.boolean': (operand: Sql) => caseWhen([[operand, raw("'true'")], [not(operand), raw("'false'")]]),
  'number.string': callHelper('decimal'),
  'number.number': identity,
  'boolean.string': (operand: Sql) => caseWhen([[isIn(operand, TRUE_WORDS), TRUE], [isIn(operand, FALSE_WORDS), FALSE]]),
  'boolean.number': (operand: Sql) => compare(operand, '<>', raw('0')),
  'boolean.boolean': identity,

  'datetime.string': callHelper('time'),
  'datetime.number': callHelper('seconds'),
} as const satisfies Partial<Overloads>;
