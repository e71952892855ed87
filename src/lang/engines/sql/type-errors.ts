import { getOperands, type Plan, type Predicate } from '../../plan/plan.ts';
import type { Span } from '../../source.ts';
import { CONDITION, isSubset, type TypeName } from '../../types.ts';
import { isNumber, isPresent } from './condition.ts';
import type { Dialect } from './dialect.ts';
import type { Lowering } from './lowering.ts';
import { caseWhen, coalesce, raw, type Sql } from './sql.ts';

/** A type error that a record can raise. */
export interface ErrorSite {
  readonly operator: Predicate['operator'];
  readonly found: TypeName;
  /** The operand's position in the source. */
  readonly span: Span;
}

/** Lowers type errors to data, so that an error neither stops a scan nor depends on its order. */
export class TypeErrors {
  /** The errors found so far. SQL refers to them by one-based index. */
  readonly sites: ErrorSite[] = [];

  constructor(
    private readonly lowering: Lowering,
    private readonly dialect: Dialect,
  ) {}

  /**
   * Returns the index of the first type error that a record raises, in the interpreter's order; NULL if there is none.
   */
  lowerPredicate(predicate: Predicate): Sql | undefined {
    return coalesceErrors(this.collectPredicateErrors(predicate));
  }

  /** Like `lowerPredicate`, for a plan whose own value may have any type. */
  lowerPlan(plan: Plan): Sql | undefined {
    return coalesceErrors(this.collectPlanErrors(plan));
  }

  private collectPredicateErrors({ plan, ...predicate }: Predicate): Sql[] {
    return [...this.collectPlanErrors(plan), ...this.lowerSites(plan, predicate)];
  }

  private collectPlanErrors(plan: Plan): Sql[] {
    if (plan.kind !== 'chain') return getOperands(plan).flatMap((operand) => this.collectPlanErrors(operand));
    return plan.operands.flatMap((operand) => (operand.canFail ? this.collectPredicateErrors(operand) : []));
  }

  /** Lowers the test that finds out which wrong type an operand has. */
  private lowerSites(plan: Plan, predicate: Omit<Predicate, 'plan'>): Sql[] {
    if (isSubset(plan.types, CONDITION)) return [];
    const { string, number, boolean, null: isNull, list } = this.lowering.getChannels(plan);
    const createBranch = (found: TypeName, when: Sql | undefined) =>
      when === undefined ? [] : [[when, this.addSite({ ...predicate, found })] as const];
    const branches = [
      ...createBranch('string', string && isPresent(string)),
      ...createBranch('number', number && isNumber(number, this.dialect)),
      ...createBranch('null', isNull),
      ...createBranch('list', list && isPresent(list)),
    ];
    if (branches.length === 0) return [];
    // Most records have a boolean, which needs no other test.
    return [caseWhen([...(boolean?.present ? [[boolean.present, raw('NULL')] as const] : []), ...branches])];
  }

  private addSite({ operator, found, span }: ErrorSite): Sql {
    return raw(String(this.sites.push({ operator, found, span })));
  }
}

function coalesceErrors(errors: readonly Sql[]): Sql | undefined {
  return errors.length === 0 ? undefined : coalesce(...errors);
}
