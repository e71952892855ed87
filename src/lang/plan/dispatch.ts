import type { Overload } from '../operators/row.ts';
import { BOOLEAN, LIST, NULL, NUMBER, STRING, type TypeSet, UNDEFINED } from '../types.ts';
import { getType, type Value } from '../value.ts';

type Evaluate = (...operands: readonly Value[]) => Value;

/** Returns a function that finds the overload for the types of its operands and evaluates it. */
export function dispatch(overloads: readonly Overload[]): Evaluate {
  return overloads[0]?.operands.length === 1 ? dispatchUnary(overloads) : dispatchBinary(overloads);
}

function dispatchUnary(overloads: readonly Overload[]): Evaluate {
  const find = (type: TypeSet): Evaluate => {
    const overload = overloads.find(({ operands: [accepted = 0] }) => (accepted & type) !== 0);
    return (overload?.evaluate as Evaluate | undefined) ?? (() => undefined);
  };
  const [forString, forNumber, forBoolean] = [find(STRING), find(NUMBER), find(BOOLEAN)];
  const [forNull, forUndefined, forList] = [find(NULL), find(UNDEFINED), find(LIST)];
  return (operand) => {
    switch (typeof operand) {
      case 'string':
        return forString(operand);
      case 'number':
        return forNumber(operand);
      case 'boolean':
        return forBoolean(operand);
      case 'undefined':
        return forUndefined(operand);
      default:
        return operand === null ? forNull(operand) : forList(operand);
    }
  };
}

function dispatchBinary(overloads: readonly Overload[]): Evaluate {
  return (left, right) => {
    const leftType = getType(left);
    const rightType = getType(right);
    for (const { operands, evaluate } of overloads) {
      if ((leftType & (operands[0] ?? 0)) !== 0 && (rightType & (operands[1] ?? 0)) !== 0) {
        return (evaluate as Evaluate)(left, right);
      }
    }
    return undefined;
  };
}
