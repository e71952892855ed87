import type { Plan, Predicate } from '../../plan/plan.ts';
import type { Span } from '../../source.ts';
import { CONDITION, isSubset, type TypeName } from '../../types.ts';
import { unreachable } from '../../util/unreachable.ts';
import { isNumber, isPresent } from './condition.ts';
import type { Dialect } from './dialect.ts';
import type { Lowering } from './lowering.ts';
import { caseWhen, coalesce, raw, type Sql } from './sql.ts';

/** A type error that a record can raise. */
export interface ErrorSite {
  readonly operator: Predicate['operator'];
  readonly found: TypeName;
  /** Where in the source the operand is. */
  readonly span: Span;
}

/** The error channels of expressions: type errors are data, so that none stops a scan or depends on its order. */
export class TypeErrors {
  /** What the numbers in the channels mean, counted from 1. */
  readonly sites: ErrorSite[] = [];

  constructor(
    private readonly lowering: Lowering,
    private readonly dialect: Dialect,
  ) {}

  /** The number of the first type error that a record raises, in the order in which the interpreter meets them; NULL for none. */
  of(judged: Predicate): Sql | undefined {
    return firstOf(this.judging(judged));
  }

  /** As {@link of}, of a plan whose own value is not judged. */
  within(plan: Plan): Sql | undefined {
    return firstOf(this.evaluating(plan));
  }

  private judging({ plan, ...judged }: Predicate): Sql[] {
    return [...this.evaluating(plan), ...this.misjudged(plan, judged)];
  }

  private evaluating(plan: Plan): Sql[] {
    switch (plan.kind) {
      case 'constant':
      case 'read':
      case 'time':
        return [];
      case 'apply':
        return plan.operands.flatMap((operand) => this.evaluating(operand));
      case 'oneOf':
      case 'between':
        return this.evaluating(plan.operand);
      case 'chain':
        return plan.operands.flatMap((operand) => (operand.canFail ? this.judging(operand) : []));
      default:
        return unreachable(plan);
    }
  }

  /** Which type an operand has that it must not have. */
  private misjudged(plan: Plan, judged: Omit<Predicate, 'plan'>): Sql[] {
    if (isSubset(plan.types, CONDITION)) return [];
    const { string, number, boolean, null: isNull, list } = this.lowering.channels(plan);
    const branch = (found: TypeName, when: Sql | undefined) =>
      when === undefined ? [] : [[when, this.site({ ...judged, found })] as const];
    const branches = [
      ...branch('string', string && isPresent(string)),
      ...branch('number', number && isNumber(number, this.dialect)),
      ...branch('null', isNull),
      ...branch('list', list && isPresent(list)),
    ];
    if (branches.length === 0) return [];
    // Most records have a boolean, which is then not asked for anything else.
    return [caseWhen([...(boolean?.present ? [[boolean.present, raw('NULL')] as const] : []), ...branches])];
  }

  private site({ operator, found, span }: ErrorSite): Sql {
    return raw(String(this.sites.push({ operator, found, span })));
  }
}

function firstOf(errors: readonly Sql[]): Sql | undefined {
  return errors.length === 0 ? undefined : coalesce(...errors);
}
