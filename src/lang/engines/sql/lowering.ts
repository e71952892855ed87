import { unreachable } from '../../../base/unreachable.ts';
import type { Overload } from '../../operators/row.ts';
import type { OverloadId } from '../../operators/table.ts';
import type { Apply, Between, Plan, Read } from '../../plan/plan.ts';
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
import { Comparisons } from './comparisons.ts';
import { FiniteNumbers, isPresent, isUndefined, lowerNegation, lowerTruth } from './condition.ts';
import { ConditionLowering } from './condition-lowering.ts';
import type { Dialect } from './dialect.ts';
import { lowerColumns } from './lower-columns.ts';
import type { Template } from './overloads.ts';
import {
  bindParameter,
  caseWhen,
  coalesce,
  compare,
  FALSE,
  isSimple,
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
  private readonly conditions: ConditionLowering;

  constructor(
    private readonly dialect: Dialect,
    private readonly source: SqlSource,
    /** Unix seconds. */
    private readonly now: number,
  ) {
    this.finite = new FiniteNumbers(dialect);
    this.comparisons = new Comparisons(dialect, this.finite);
    this.conditions = new ConditionLowering(this, this.comparisons, dialect);
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
  lowerCondition(plan: Plan): Sql {
    return this.conditions.lower(plan).sql;
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
        return toBooleanChannel(lowerTruth(this.conditions.lower(plan), this.dialect));
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
        return toBooleanChannel(lowerTruth(this.conditions.lower(plan), this.dialect));
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
  lowerContainment(left: Plan, right: Plan): Sql[] {
    const [value, container] = [this.getChannels(left), this.getChannels(right)];
    const constant = left.kind === 'constant' ? left.value : undefined;
    const found = [this.comparisons.isPart(value, container), this.comparisons.isElement(value, container, constant)];
    return found.filter((one) => one !== undefined);
  }

  /** Lowers `not` as a value: NULL if the operand is neither a boolean nor undefined. */
  private lowerNot(operand: Plan): Sql {
    const opposite = lowerNegation(this.conditions.lower(operand), this.dialect).sql;
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
  castToBooleans({ overloads, operands }: Apply): Sql[] {
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
