import { unreachable } from '../../../base/unreachable.ts';
import type { Overload } from '../../operators/row.ts';
import type { OverloadId } from '../../operators/table.ts';
import type { Apply, Between, Plan, Read } from '../../plan/plan.ts';
import type { Order } from '../../plan/range.ts';
import {
  BOOLEAN,
  CONDITION,
  describeTypes,
  isSubset,
  LIST,
  NUMBER,
  STRING,
  type TypeSet,
  UNDEFINED,
} from '../../types.ts';
import type { Value } from '../../value.ts';
import type { CastName, Channels } from './channels.ts';
import { type ComparedOperand, Comparisons } from './comparisons.ts';
import {
  FiniteNumbers,
  isDefined,
  isPresent,
  isUndefined,
  joinConditions,
  lowerNegation,
  lowerTruth,
  NEVER,
  type SqlCondition,
} from './condition.ts';
import type { Dialect } from './dialect.ts';
import { isNearbyDate } from './is-nearby-date.ts';
import { lowerColumns } from './lower-columns.ts';
import type { Template } from './overloads.ts';
import {
  and,
  between,
  bindParameter,
  caseWhen,
  coalesce,
  compare,
  FALSE,
  isSimple,
  not,
  or,
  type Sql,
  shareExpression,
  TRUE,
} from './sql.ts';
import type { SqlSource } from './sql-source.ts';
import { zoneSeconds } from './zoned-seconds.ts';

const DIVISIONS: ReadonlySet<OverloadId> = new Set(['divide', 'remainder']);

/**
 * Lowers plans to SQL, with one expression for each type that a value can have. SQL NULL represents undefined, so most
 * operators are a single expression. Types that a value cannot have produce no SQL.
 */
export class Lowering {
  private readonly lowered = new Map<Plan, Channels>();
  private readonly reads = new Map<string, Channels>();
  private readonly finite: FiniteNumbers;
  private readonly comparisons: Comparisons;

  constructor(
    private readonly dialect: Dialect,
    private readonly source: SqlSource,
    /** Unix seconds. */
    private readonly now: number,
  ) {
    this.finite = new FiniteNumbers(dialect);
    this.comparisons = new Comparisons(dialect, this.finite);
  }

  /** Returns the value of a plan. */
  getChannels(plan: Plan): Channels {
    let channels = this.lowered.get(plan);
    if (channels === undefined) {
      channels = this.lower(plan);
      this.lowered.set(plan, channels);
    }
    return channels;
  }

  /** Returns the value of a plan as a number; NULL for any other type. Undefined if it cannot be a number. */
  getNumber(plan: Plan): Sql | undefined {
    return this.finite.get(this.getChannels(plan));
  }

  /** Returns a filter condition: true if the plan is true, NULL or false otherwise. */
  lowerFilter(plan: Plan): Sql {
    return this.lowerCondition(plan).sql;
  }

  private lower(plan: Plan): Channels {
    switch (plan.kind) {
      case 'constant':
        return lowerConstant(plan.value);
      case 'read':
        return this.lowerRead(plan);
      case 'time':
        return { number: { sql: bindParameter(this.now), isFinite: true } };
      case 'apply':
        return this.lowerApply(plan);
      case 'between':
        return toBooleanChannel(this.lowerBetween(plan));
      case 'oneOf':
      case 'chain':
        return toBooleanChannel(lowerTruth(this.lowerCondition(plan), this.dialect));
      default:
        return unreachable(plan);
    }
  }

  /** Returns the channels of a property. Every read of a property shares them. */
  private lowerRead({ scope, name }: Read): Channels {
    const key = `${scope} ${name}`;
    const channels = this.reads.get(key) ?? lowerColumns(this.dialect, this.source[scope], name);
    this.reads.set(key, channels);
    return channels;
  }

  private lowerApply(plan: Apply & Plan): Channels {
    const [left, right] = plan.operands as [Plan, Plan];
    switch (plan.row.name) {
      case '==':
      case '!=':
      case 'defined':
        return toBooleanChannel(lowerTruth(this.lowerCondition(plan), this.dialect));
      case 'in':
        return toBooleanChannel(this.lowerIn(left, right));
      case 'not':
        return toBooleanChannel(this.lowerNot(left));
      case 'boolean':
        return toBooleanChannel(this.lowerBoolean(plan));
      default:
        return this.lowerStrict(plan);
    }
  }

  /** Lowers an operator whose overloads each take one type per operand. */
  private lowerStrict({ row, overloads, operands }: Apply): Channels {
    const { number, casts } = this.getChannels(operands[0] as Plan);
    const cast = overloads.some(({ timeZone }) => timeZone) ? undefined : casts?.[row.name as CastName];
    if (cast !== undefined) return { number: { sql: cast, isFinite: false } };
    // Casting a value that can only be a number is a no-op, so that a column stays a column.
    if (number && overloads.length === 1 && overloads[0]?.id === 'number.number') return { number };
    const lowerable = overloads.filter(({ id }) => id !== 'string.null');
    const results = lowerable.flatMap((overload) => {
      const sql = this.lowerOverload(overload, operands);
      return sql === undefined ? [] : [{ sql, ...overload }];
    });
    // Plain columns come first, so that rows with a value there skip the expensive expressions.
    results.sort((left, right) => Number(isSimple(right.sql)) - Number(isSimple(left.sql)));
    const select = (type: TypeSet) => results.filter(({ result }) => (result & type) !== 0).map(({ sql }) => sql);
    const [numbers, strings, booleans] = [select(NUMBER), select(STRING), select(BOOLEAN)];
    const isNull = row.name === 'string' ? this.getChannels(operands[0] as Plan).null : undefined;
    return {
      ...(numbers.length > 0 && {
        number: { sql: shareExpression(coalesce(...numbers)), isFinite: this.dialect.resultsAreFinite === true },
      }),
      ...(strings.length > 0 && { string: { sql: shareExpression(coalesce(...strings)) } }),
      ...(booleans.length > 0 && { boolean: { sql: shareExpression(coalesce(...booleans)) } }),
      ...(isNull && { null: isNull }),
    };
  }

  /**
   * Returns the SQL of an overload; undefined if an operand cannot have its type.
   *
   * @throws {Error} if the dialect has no template for the overload: leaving it out would give a wrong result.
   */
  private lowerOverload(
    { id, operands: accepted, result, timeZone }: Overload<OverloadId>,
    operands: readonly Plan[],
  ): Sql | undefined {
    const template = (this.dialect.overloads as Partial<Record<OverloadId, Template>>)[id];
    if (template === undefined) throw new Error(`${this.dialect.name} has no SQL for the overload ${id}`);
    if (!isSubset(result, NUMBER | STRING | BOOLEAN | UNDEFINED))
      throw new Error(`No channel holds the result of the overload ${id}`);
    const sqls = operands.map((operand, index) => {
      // Arithmetic keeps numbers that are not finite, except for a divisor: a number divided by infinity is 0.
      const mayBeInfinite = (result & NUMBER) !== 0 && !(index === 1 && DIVISIONS.has(id));
      return this.getOperand(operand, accepted[index] ?? 0, mayBeInfinite);
    });
    const known = sqls.filter((sql) => sql !== undefined);
    if (known.length < sqls.length) return undefined;
    const [first] = known;
    const sql = template(...known);
    return timeZone === undefined || first === undefined ? sql : zoneSeconds(sql, first, timeZone, this.dialect);
  }

  /** Returns an operand as a value of one type, or undefined if it cannot have that type. */
  private getOperand(plan: Plan, type: TypeSet, mayBeInfinite: boolean): Sql | undefined {
    const channels = this.getChannels(plan);
    switch (type) {
      case STRING:
        return channels.string?.sql;
      case BOOLEAN:
        return channels.boolean?.sql;
      case NUMBER:
        return mayBeInfinite && !this.dialect.resultsAreFinite ? channels.number?.sql : this.finite.get(channels);
      default:
        throw new Error(`No channel holds ${describeTypes(type)}`);
    }
  }

  /** Lowers `in` as a value. For lists it is always a boolean. */
  private lowerIn(left: Plan, right: Plan): Sql | undefined {
    const tests = this.lowerContainment(left, right);
    return tests.length === 0 ? undefined : coalesce(...tests);
  }

  /** Returns the tests of `in`: substring and list element. Each is NULL if the right side has another type. */
  private lowerContainment(left: Plan, right: Plan): Sql[] {
    const [value, container] = [this.getChannels(left), this.getChannels(right)];
    const constant = left.kind === 'constant' ? left.value : undefined;
    const found = [this.comparisons.isPart(value, container), this.comparisons.isElement(value, container, constant)];
    return found.filter((one) => one !== undefined);
  }

  /** Lowers `not` as a value: NULL if the operand is neither a boolean nor undefined. */
  private lowerNot(operand: Plan): Sql {
    const opposite = lowerNegation(this.lowerCondition(operand), this.dialect).sql;
    if (isSubset(operand.types, CONDITION)) return opposite;
    const channels = this.getChannels(operand);
    const takes = or(...(channels.boolean ? [isPresent(channels.boolean)] : []), isUndefined(channels, this.dialect));
    return caseWhen([[takes, opposite]]);
  }

  /** Lowers `boolean(...)` as a value. */
  private lowerBoolean(plan: Apply & Plan): Sql {
    const [operand] = plan.operands as [Plan];
    const results = this.castToBooleans(plan);
    if (this.getChannels(operand).casts?.boolean !== undefined) return coalesce(...results);
    if (!plan.overloads.some(({ id }) => id === 'boolean.nothing')) return coalesce(...results);
    // The rest is null or undefined, unless the operand can be a string or a list for which the cast is undefined.
    if ((operand.types & (STRING | LIST)) === 0) return coalesce(...results, FALSE);
    const channels = this.getChannels(operand);
    const isNothing = or(...(channels.null ? [channels.null] : []), isUndefined(channels, this.dialect));
    return coalesce(...results, caseWhen([[isNothing, FALSE]]));
  }

  /** Returns the result of `boolean(...)` for each type of the operand. */
  private castToBooleans({ overloads, operands }: Apply): Sql[] {
    const cast = this.getChannels(operands[0] as Plan).casts?.boolean;
    if (cast !== undefined) return [cast];
    const lowerable = overloads.filter(({ id }) => id !== 'boolean.nothing');
    return lowerable.flatMap((overload) => this.lowerOverload(overload, operands) ?? []);
  }

  /** Lowers a comparison with a constant number as a value. */
  private lowerBetween({ operand, order, limit }: Between): Sql | undefined {
    const number = this.getNumber(operand);
    return number && compare(number, order, bindParameter(limit));
  }

  /**
   * Returns a condition that is true if and only if the plan is true. Unlike a value, it need not distinguish false from
   * undefined.
   */
  private lowerCondition(plan: Plan): SqlCondition {
    switch (plan.kind) {
      case 'constant':
        return plan.value === true ? { sql: TRUE, isNullable: false } : NEVER;
      case 'chain':
        return joinConditions(
          plan.decidedBy ? 'or' : 'and',
          plan.operands.map((operand) => this.lowerCondition(operand.plan)),
        );
      case 'oneOf': {
        const found = this.comparisons.isOneOf(this.toComparedOperand(plan.operand), plan.values);
        return plan.negated ? lowerNegation(found, this.dialect) : found;
      }
      case 'between':
        return { sql: this.lowerRangeCondition(plan), isNullable: plan.types !== BOOLEAN };
      case 'apply':
        return this.lowerApplyCondition(plan);
      case 'read':
      case 'time':
        return this.lowerBooleanCondition(plan);
      default:
        return unreachable(plan);
    }
  }

  private lowerBooleanCondition(plan: Plan): SqlCondition {
    const { boolean } = this.getChannels(plan);
    return boolean === undefined ? NEVER : { sql: boolean.isTrue ?? boolean.sql, isNullable: plan.types !== BOOLEAN };
  }

  private lowerApplyCondition(plan: Apply & Plan): SqlCondition {
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
        return { sql: isDefined(this.getChannels(left), dialect), isNullable: false };
      case 'in':
        return { sql: or(...this.lowerContainment(left, right)), isNullable: true };
      case 'not':
        return this.lowerNotCondition(left);
      case 'boolean':
        return { sql: or(...this.castToBooleans(plan)), isNullable: true };
      default:
        return this.lowerBooleanCondition(plan);
    }
  }

  private lowerNotCondition(operand: Plan): SqlCondition {
    if (isSubset(operand.types, CONDITION)) return lowerNegation(this.lowerCondition(operand), this.dialect);
    const channels = this.getChannels(operand);
    const isNothing = isUndefined(channels, this.dialect);
    if (channels.boolean === undefined) return { sql: isNothing, isNullable: false };
    return { sql: or(not(channels.boolean.sql), isNothing), isNullable: true };
  }

  /** Lowers a comparison with a constant number. An expensive number is computed once, with `BETWEEN`. */
  private lowerRangeCondition({ operand, order, limit, low, high }: Between): Sql {
    const { number } = this.getChannels(operand);
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
    const { string, number } = operand === undefined ? {} : this.getChannels(operand);
    if (string === undefined || number !== undefined || !isSimple(string.sql)) return TRUE;
    return isNearbyDate(string.sql, order, seconds, this.dialect);
  }

  private toComparedOperand(plan: Plan): ComparedOperand {
    return { channels: this.getChannels(plan), types: plan.types };
  }
}

function toBooleanChannel(sql: Sql | undefined): Channels {
  return sql === undefined ? {} : { boolean: { sql: shareExpression(sql) } };
}

function lowerConstant(value: Value): Channels {
  switch (typeof value) {
    case 'string':
      return { string: { sql: bindParameter(value) } };
    case 'number':
      return { number: { sql: bindParameter(value), isFinite: true } };
    case 'boolean':
      return { boolean: { sql: value ? TRUE : FALSE } };
    default:
      return value === null ? { null: TRUE } : {};
  }
}
