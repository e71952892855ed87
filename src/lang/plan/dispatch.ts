import type { Overload } from '../operators/row.ts';
import { BOOLEAN, LIST, NULL, NUMBER, STRING, type TypeSet, UNDEFINED } from '../types.ts';
import { getType, type Value } from '../value.ts';

type Answer = (...operands: readonly Value[]) => Value;

/** A strict operator as a function of its operands, which finds the overload by the types that they have when it runs. */
export function dispatch(overloads: readonly Overload[]): Answer {
  return overloads[0]?.operands.length === 1 ? byType(overloads) : byTypes(overloads);
}

function byType(overloads: readonly Overload[]): Answer {
  const answerFor = (type: TypeSet) =>
    answerOf(overloads.find(({ operands: [accepted = 0] }) => (accepted & type) !== 0));
  const [ofText, ofNumber, ofBoolean] = [answerFor(STRING), answerFor(NUMBER), answerFor(BOOLEAN)];
  const [ofNull, ofUndefined, ofList] = [answerFor(NULL), answerFor(UNDEFINED), answerFor(LIST)];
  return (operand) => {
    switch (typeof operand) {
      case 'string':
        return ofText(operand);
      case 'number':
        return ofNumber(operand);
      case 'boolean':
        return ofBoolean(operand);
      case 'undefined':
        return ofUndefined(operand);
      default:
        return operand === null ? ofNull(operand) : ofList(operand);
    }
  };
}

function byTypes(overloads: readonly Overload[]): Answer {
  return (left, right) => {
    const leftType = getType(left);
    const rightType = getType(right);
    for (const { operands, answer } of overloads) {
      if ((leftType & (operands[0] ?? 0)) !== 0 && (rightType & (operands[1] ?? 0)) !== 0) {
        return (answer as Answer)(left, right);
      }
    }
    return undefined;
  };
}

function answerOf(overload: Overload | undefined): Answer {
  return (overload?.answer as Answer | undefined) ?? (() => undefined);
}
