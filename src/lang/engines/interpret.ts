import { unreachable } from '../../base/unreachable.ts';
import { type Expression, isDatetimeCall } from '../ast.ts';
import { toCondition } from '../operators/coercions.ts';
import { isElement } from '../operators/functions.ts';
import { applyOperator } from '../operators/overloads.ts';
import { BINARY, LOGICAL, PREFIX } from '../operators/table.ts';
import type { TimeZone } from '../operators/time-zone.ts';
import { getFunctions } from '../operators/zoned-functions.ts';
import { readProperty, type Value } from '../value.ts';

/** The input of an evaluation: a record, its user and the time of the query. */
export interface InterpretInput {
  readonly properties: object;
  readonly user: object | undefined;
  /** Unix seconds. */
  readonly now: number;
  /** The time zone of dates without one. Undefined for UTC. */
  readonly timeZone?: TimeZone | undefined;
}

/**
 * Evaluates an expression and returns its value. This is the reference implementation of the language: every other
 * engine must return the same. It is written for clarity, not speed.
 *
 * @param value Evaluates a child; `trace` passes a function that records the results.
 * @throws {ExpressionTypeError} if an operand of `and` or `or` is neither a boolean nor undefined.
 */
export function interpret(
  node: Expression,
  input: InterpretInput,
  source: string,
  value = (child: Expression): Value => interpret(child, input, source),
): Value {
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'property':
      return readProperty(node.scope === 'user' ? input.user : input.properties, node.name);
    case 'now':
      return input.now;
    case 'call':
      return applyOperator(getFunctions(input.timeZone)[node.operator], [value(node.operand)]);
    case 'prefix':
      return applyOperator(PREFIX[node.operator], [value(node.operand)]);
    case 'binary':
      return applyOperator(BINARY[node.operator], [value(node.left), value(node.right)]);
    case 'timeComparison': {
      const readTime = (side: Expression) =>
        isDatetimeCall(side) ? value(side) : applyOperator(getFunctions(input.timeZone).datetime, [value(side)]);
      return applyOperator(BINARY[node.operator], [readTime(node.left), readTime(node.right)]);
    }
    case 'membership':
      return isElement(
        value(node.operand),
        node.items.map((item) => item.value),
      );
    case 'logical': {
      const { decidedBy } = LOGICAL[node.operator];
      const conditions = node.operands.map((operand) => {
        return toCondition(value(operand), node.operator, operand.span, source);
      });
      return conditions.includes(decidedBy) ? decidedBy : !decidedBy;
    }
    default:
      return unreachable(node);
  }
}
