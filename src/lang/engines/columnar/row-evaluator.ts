import { toCondition } from '../../operators/coercions.ts';
import { BINARY } from '../../operators/table.ts';
import { dispatch } from '../../plan/dispatch.ts';
import type { Apply, LogicalChain, Plan, Predicate, Read } from '../../plan/plan.ts';
import { unreachable } from '../../util/unreachable.ts';
import type { Value } from '../../value.ts';

/** A part of an expression as a function of a row: of its position in the block, or of an entry of a dictionary. */
type OfRow<Answer = Value> = (row: number) => Answer;

/** Evaluates plans row by row, where no loop over columns can. */
export class RowEvaluator {
  /** @param read how to read a property of a row. */
  constructor(
    private readonly read: (read: Read) => OfRow,
    private readonly context: { readonly source: string; readonly now: number },
  ) {}

  /** The value of a plan. */
  value(plan: Plan): OfRow {
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
        return this.apply(plan);
      case 'oneOf': {
        const { negated } = plan;
        const values = new Set<Value>(plan.values);
        const operand = this.value(plan.operand);
        return (row) => values.has(operand(row)) !== negated;
      }
      case 'between': {
        const { low, high } = plan;
        const operand = this.value(plan.operand);
        return (row) => {
          const number = operand(row);
          return typeof number === 'number' ? number >= low && number <= high : undefined;
        };
      }
      case 'chain':
        return this.chain(plan);
      default:
        return unreachable(plan);
    }
  }

  /**
   * Whether a plan is true, as an operand of `and` or `or` or as a filter.
   *
   * The function throws {@link ExpressionTypeError} for a row where it is neither a boolean nor undefined.
   */
  judged({ plan, operator, span }: Predicate): OfRow<boolean> {
    const { source } = this.context;
    const value = this.value(plan);
    return (row) => toCondition(value(row), operator, span, source);
  }

  private apply({ row: operator, overloads, operands }: Apply): OfRow {
    const answer = dispatch(overloads);
    const [first, second] = operands.map((operand) => this.value(operand)) as [OfRow, OfRow | undefined];
    if (second === undefined) return (row) => answer(first(row));
    const [left] = operands as [Plan];
    if (operator === BINARY.in && left.kind === 'constant' && typeof left.value === 'string') {
      // Searches are common and long: they need not find out each time what the operands are.
      const part = left.value;
      return (row) => {
        const value = second(row);
        return typeof value === 'string' ? value.includes(part) : answer(part, value);
      };
    }
    return (row) => answer(first(row), second(row));
  }

  private chain({ decidedBy, operands, strictOperands }: LogicalChain): OfRow<boolean> {
    const conditions = operands.map((operand) => this.judged(operand));
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
