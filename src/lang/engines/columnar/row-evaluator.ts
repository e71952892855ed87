import { isPart } from '../../../base/is-part.ts';
import { unreachable } from '../../../base/unreachable.ts';
import { toCondition } from '../../operators/coercions.ts';
import { BINARY } from '../../operators/table.ts';
import { dispatch } from '../../plan/dispatch.ts';
import type { Apply, LogicalChain, Plan, Predicate, Read } from '../../plan/plan.ts';
import type { Value } from '../../value.ts';

/** Evaluates a part of an expression for a row: its position in the block, or an entry of a dictionary. */
type RowFunction<Result = Value> = (row: number) => Result;

/** Compiles plans to functions of one row, where no loop over columns is possible. */
export class RowEvaluator {
  /** @param read Returns the function that reads a property of a row. */
  constructor(
    private readonly read: (read: Read) => RowFunction,
    private readonly context: { readonly source: string; readonly now: number },
  ) {}

  /** Compiles the value of a plan. */
  compileValue(plan: Plan): RowFunction {
    switch (plan.kind) {
      case 'constant': {
        const { value } = plan;
        return () => value;
      }
      case 'read':
        return this.read(plan);
      case 'time': {
        const { now } = this.context;
        return () => now;
      }
      case 'apply':
        return this.compileApply(plan);
      case 'oneOf': {
        const { negated } = plan;
        const values = new Set<Value>(plan.values);
        const operand = this.compileValue(plan.operand);
        return (row) => values.has(operand(row)) !== negated;
      }
      case 'between': {
        const { low, high } = plan;
        const operand = this.compileValue(plan.operand);
        return (row) => {
          const number = operand(row);
          return typeof number === 'number' ? number >= low && number <= high : undefined;
        };
      }
      case 'chain':
        return this.compileChain(plan);
      default:
        return unreachable(plan);
    }
  }

  /**
   * Compiles a boolean for an operand of `and` or `or`, or for a filter. The function throws an
   * {@link ExpressionTypeError} for a row where the value is neither a boolean nor undefined.
   */
  compileCondition({ plan, operator, span }: Predicate): RowFunction<boolean> {
    const { source } = this.context;
    const value = this.compileValue(plan);
    return (row) => toCondition(value(row), operator, span, source);
  }

  private compileApply({ row: operator, overloads, operands }: Apply): RowFunction {
    const applyOverload = dispatch(overloads);
    const [first, second] = operands.map((operand) => this.compileValue(operand)) as [
      RowFunction,
      RowFunction | undefined,
    ];
    if (second === undefined) return (row) => applyOverload(first(row));
    const [left] = operands as [Plan];
    if (operator === BINARY.in && left.kind === 'constant' && typeof left.value === 'string') {
      // Searches are common and slow, so skip the dispatch on the types of the operands.
      const part = left.value;
      return (row) => {
        const value = second(row);
        return typeof value === 'string' ? isPart(part, value) : applyOverload(part, value);
      };
    }
    return (row) => applyOverload(first(row), second(row));
  }

  private compileChain({ decidedBy, operands, strictOperands }: LogicalChain): RowFunction<boolean> {
    const conditions = operands.map((operand) => this.compileCondition(operand));
    return (row) => {
      let isDecided = false;
      for (let index = 0; index < conditions.length; index++) {
        if (isDecided && index >= strictOperands) break;
        if (conditions[index]?.(row) === decidedBy) isDecided = true;
      }
      return isDecided === decidedBy;
    };
  }
}
