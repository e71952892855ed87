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
 * The overloads that are about whether there is a value, of which type, or about lists: the lowering writes them for
 * all dialects.
 */
type OfChannels =
  | 'equal'
  | 'unequal'
  | 'element'
  | 'defined'
  | 'string.null'
  | 'boolean.nothing'
  | 'not.boolean'
  | 'not.undefined';

/**
 * What an overload is in SQL: NULL where an operand is NULL. Where the answer is a number, operands that are not finite give one
 * that is not, or NULL; elsewhere operands are finite.
 */
export type Template = (...operands: Sql[]) => Sql;

export type Overloads = Readonly<Record<Exclude<OverloadId, OfChannels>, Template>>;

const TRUE_WORDS = ['true', '1', 'yes'].map((word) => raw(`'${word}'`));
const FALSE_WORDS = ['false', '0', 'no'].map((word) => raw(`'${word}'`));

const same = (operand: Sql) => operand;

/** A call of a function that the dialect's setup makes. */
export function callHelper(name: string): Template {
  return (...operands) => call(`onwhere_${name}`, ...operands);
}

/** An order of two values. */
function order(operator: string): Template {
  return (left: Sql, right: Sql) => compare(left, operator, right);
}

/** What all dialects have in common; each names what it does in its own way. */
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

  'less.number': order('<'),
  'atMost.number': order('<='),
  'greater.number': order('>'),
  'atLeast.number': order('>='),
  'less.string': order('<'),
  'atMost.string': order('<='),
  'greater.string': order('>'),
  'atLeast.string': order('>='),

  'string.string': same,
  'string.number': callHelper('text'),
  'string.boolean': (operand: Sql) => caseWhen([[operand, raw("'true'")], [not(operand), raw("'false'")]]),
  'number.string': callHelper('decimal'),
  'number.number': same,
  'boolean.string': (operand: Sql) => caseWhen([[isIn(operand, TRUE_WORDS), TRUE], [isIn(operand, FALSE_WORDS), FALSE]]),
  'boolean.number': (operand: Sql) => compare(operand, '<>', raw('0')),
  'boolean.boolean': same,

  'datetime.string': callHelper('time'),
  'datetime.number': callHelper('seconds'),
} as const satisfies Partial<Overloads>;
