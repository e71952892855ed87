import type { OverloadId } from '../../operators/table.ts';
import { BINDS, call, cases, compare, FALSE, hole, infix, isIn, not, piece, type Sql, TRUE, verbatim } from './sql.ts';

/** The overloads that are about whether there is a value, of which type, or about lists: the lowering has them in no dialect's words. */
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
export type Template = (...operands: [left: Sql, right: Sql]) => Sql;

export type Overloads = Readonly<Record<Exclude<OverloadId, OfChannels>, Template>>;

const TRUE_WORDS = ['true', '1', 'yes'].map((word) => verbatim(`'${word}'`));
const FALSE_WORDS = ['false', '0', 'no'].map((word) => verbatim(`'${word}'`));

const same: Template = (operand) => operand;

/** A call of a function of one operand that the dialect's setup makes. */
export function helper(name: string): Template {
  return (operand) => call(`onwhere_${name}`, operand);
}

/** An order of two values. */
export function order(operator: string): Template {
  return (left, right) => compare(left, operator, right);
}

/** What all dialects have in common; each names what it does in its own way. */
// biome-ignore format: a table, to be read by its rows
export const STANDARD = {
  'add': (left, right) => infix(left, '+', right, BINDS.sum),
  'subtract': (left, right) => infix(left, '-', right, BINDS.sum),
  'multiply': (left, right) => infix(left, '*', right, BINDS.product),
  'negate': (operand) => piece(BINDS.sign)`-${hole(operand, BINDS.cast)}`,
  'floor': (operand) => call('floor', operand),
  'ceil': (operand) => call('ceil', operand),
  'round': helper('round'),
  'remainder': (left, right) => call('onwhere_remainder', left, right),

  'join': (left, right) => infix(left, '||', right, BINDS.concat),
  'part': (left, right) => call('contains', right, left),

  'less.number': order('<'),
  'atMost.number': order('<='),
  'greater.number': order('>'),
  'atLeast.number': order('>='),
  'less.string': order('<'),
  'atMost.string': order('<='),
  'greater.string': order('>'),
  'atLeast.string': order('>='),

  'string.string': same,
  'string.number': helper('text'),
  'string.boolean': (operand) => cases([[operand, verbatim("'true'")], [not(operand), verbatim("'false'")]]),
  'number.string': helper('decimal'),
  'number.number': same,
  'boolean.string': (operand) => cases([[isIn(operand, TRUE_WORDS), TRUE], [isIn(operand, FALSE_WORDS), FALSE]]),
  'boolean.number': (operand) => compare(operand, '<>', verbatim('0')),
  'boolean.boolean': same,

  'datetime.string': helper('time'),
  'datetime.number': helper('seconds'),
} as const satisfies Partial<Overloads>;
