import { unreachable } from '../../../base/unreachable.ts';
import type { Apply, Between, Plan } from '../../plan/plan.ts';
import type { Order } from '../../plan/range.ts';
import { BOOLEAN, CONDITION, isSubset } from '../../types.ts';
import type { Channels } from './channels.ts';
import type { ComparedOperand, Comparisons } from './comparisons.ts';
import { isDefined, isUndefined, joinConditions, lowerNegation, NEVER, type SqlCondition } from './condition.ts';
import type { Dialect } from './dialect.ts';
import { isNearbyDate } from './is-nearby-date.ts';
import { and, between, bindParameter, compare, FALSE, isSimple, not, or, type Sql, TRUE } from './sql.ts';

/** Lowers the operands of conditions. */
interface ValueLowering {
  getChannels(plan: Plan): Channels;
  lowerContainment(left: Plan, right: Plan): Sql[];
  castToBooleans(plan: Apply): Sql[];
}

/** Lowers plans to conditions. Unlike a value, a condition need not distinguish false from undefined. */
export class ConditionLowering {
  constructor(
    private readonly values: ValueLowering,
    private readonly comparisons: Comparisons,
    private readonly dialect: Dialect,
  ) {}

  /** Returns a condition that is true if and only if the plan is true. */
  lower(plan: Plan): SqlCondition {
    switch (plan.kind) {
      case 'constant':
        return plan.value === true ? { sql: TRUE, isNullable: false } : NEVER;
      case 'chain':
        return joinConditions(
          plan.decidedBy ? 'or' : 'and',
          plan.operands.map((operand) => this.lower(operand.plan)),
        );
      case 'oneOf': {
        const found = this.comparisons.isOneOf(this.toComparedOperand(plan.operand), plan.values);
        return plan.negated ? lowerNegation(found, this.dialect) : found;
      }
      case 'between':
        return { sql: this.lowerRange(plan), isNullable: plan.types !== BOOLEAN };
      case 'apply':
        return this.lowerApply(plan);
      case 'read':
      case 'time':
        return this.lowerValue(plan);
      default:
        return unreachable(plan);
    }
  }

  private lowerValue(plan: Plan): SqlCondition {
    const { boolean } = this.values.getChannels(plan);
    return boolean === undefined ? NEVER : { sql: boolean.isTrue ?? boolean.sql, isNullable: plan.types !== BOOLEAN };
  }

  private lowerApply(plan: Apply & Plan): SqlCondition {
    const { dialect, comparisons } = this;
    const [left, right] = plan.operands as [Plan, Plan];
    switch (plan.row.name) {
      case '==':
        return comparisons.lowerEqual(this.toComparedOperand(left), this.toComparedOperand(right));
      case '!=':
        return lowerNegation(
          comparisons.lowerEqual(this.toComparedOperand(left), this.toComparedOperand(right)),
          dialect,
        );
      case 'defined':
        return { sql: isDefined(this.values.getChannels(left), dialect), isNullable: false };
      case 'in':
        return { sql: or(...this.values.lowerContainment(left, right)), isNullable: true };
      case 'not':
        return this.lowerNot(left);
      case 'boolean':
        return { sql: or(...this.values.castToBooleans(plan)), isNullable: true };
      default:
        return this.lowerValue(plan);
    }
  }

  private lowerNot(operand: Plan): SqlCondition {
    if (isSubset(operand.types, CONDITION)) return lowerNegation(this.lower(operand), this.dialect);
    const channels = this.values.getChannels(operand);
    const isNothing = isUndefined(channels, this.dialect);
    if (channels.boolean === undefined) return { sql: isNothing, isNullable: false };
    return { sql: or(not(channels.boolean.sql), isNothing), isNullable: true };
  }

  /** Lowers a comparison with a constant number. An expensive number is computed once, with `BETWEEN`. */
  private lowerRange({ operand, order, limit, low, high }: Between): Sql {
    const { number } = this.values.getChannels(operand);
    if (number === undefined) return FALSE;
    const comparison = compare(number.sql, order, bindParameter(limit));
    if (number.isFinite) return comparison;
    if (!isSimple(number.sql))
      return and(
        this.prefilterDates(operand, order, limit),
        between(number.sql, bindParameter(low), bindParameter(high)),
      );
    const { negative, positive } = this.dialect.infinity;
    const isUpwards = order === '>' || order === '>=';
    return and(comparison, isUpwards ? compare(number.sql, '<', positive) : compare(number.sql, '>', negative));
  }

  /** Returns a cheap lexical prefilter for a comparison with a date column. */
  private prefilterDates(date: Plan, order: Order, seconds: number): Sql {
    const [operand] = date.kind === 'apply' && date.row.name === 'datetime' ? date.operands : [];
    const { string, number } = operand === undefined ? {} : this.values.getChannels(operand);
    if (string === undefined || number !== undefined || !isSimple(string.sql)) return TRUE;
    return isNearbyDate(string.sql, order, seconds, this.dialect);
  }

  private toComparedOperand(plan: Plan): ComparedOperand {
    return { channels: this.values.getChannels(plan), types: plan.types };
  }
}
