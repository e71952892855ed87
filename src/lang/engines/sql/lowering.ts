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
import { unreachable } from '../../util/unreachable.ts';
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

const DIVISIONS: ReadonlySet<OverloadId> = new Set(['divide', 'remainder']);

/**
 * Lowers plans to SQL by channels. SQL NULL plays undefined, so that most operators are one expression; what the types rule out is
 * not written.
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

  /** The value of a plan. */
  channels(plan: Plan): Channels {
    let channels = this.lowered.get(plan);
    if (channels === undefined) {
      channels = this.lower(plan);
      this.lowered.set(plan, channels);
    }
    return channels;
  }

  /** The number that a plan is, NULL for anything else. */
  number(plan: Plan): Sql | undefined {
    return this.finite.of(this.channels(plan));
  }

  /** Whether a plan is true, as a filter asks: NULL or false where it is false, undefined, or no boolean. */
  condition(plan: Plan): Sql {
    return this.holds(plan).sql;
  }

  private lower(plan: Plan): Channels {
    switch (plan.kind) {
      case 'constant':
        return constant(plan.value);
      case 'read':
        return this.read(plan);
      case 'time':
        return { number: { sql: bindParameter(this.now), isFinite: true } };
      case 'apply':
        return this.apply(plan);
      case 'between':
        return asBoolean(this.between(plan));
      case 'oneOf':
      case 'chain':
        return asBoolean(lowerTruth(this.holds(plan), this.dialect));
      default:
        return unreachable(plan);
    }
  }

  /** A property: the same expression wherever it is read. */
  private read({ scope, name }: Read): Channels {
    const key = `${scope} ${name}`;
    const channels = this.reads.get(key) ?? lowerColumns(this.dialect, this.source[scope], name);
    this.reads.set(key, channels);
    return channels;
  }

  private apply(plan: Apply & Plan): Channels {
    const [left, right] = plan.operands as [Plan, Plan];
    switch (plan.row.name) {
      case '==':
      case '!=':
      case 'defined':
        return asBoolean(lowerTruth(this.holds(plan), this.dialect));
      case 'in':
        return asBoolean(this.contained(left, right));
      case 'not':
        return asBoolean(this.opposite(left));
      case 'boolean':
        return asBoolean(this.toBoolean(plan));
      default:
        return this.strict(plan);
    }
  }

  /** An operator each of whose overloads takes one type of each operand. */
  private strict({ row, overloads, operands }: Apply): Channels {
    const { number, casts } = this.channels(operands[0] as Plan);
    const cast = casts?.[row.name as CastName];
    if (cast !== undefined) return { number: { sql: cast, isFinite: false } };
    // A cast of what can only be a number is the number itself, so that a column stays a column.
    if (number && overloads.length === 1 && overloads[0]?.id === 'number.number') return { number };
    const answering = overloads.filter(({ id }) => id !== 'string.null');
    const results = answering.flatMap((overload) => {
      const sql = this.answer(overload, operands);
      return sql === undefined ? [] : [{ sql, ...overload }];
    });
    // A column is asked for before what takes some work, which is then left to the rows without it.
    results.sort((left, right) => Number(isSimple(right.sql)) - Number(isSimple(left.sql)));
    const of = (type: TypeSet) => results.filter(({ result }) => (result & type) !== 0).map(({ sql }) => sql);
    const [numbers, strings, booleans] = [of(NUMBER), of(STRING), of(BOOLEAN)];
    const isNull = row.name === 'string' ? this.channels(operands[0] as Plan).null : undefined;
    return {
      ...(numbers.length > 0 && {
        number: { sql: shareExpression(coalesce(...numbers)), isFinite: this.dialect.answersAreFinite === true },
      }),
      ...(strings.length > 0 && { string: { sql: shareExpression(coalesce(...strings)) } }),
      ...(booleans.length > 0 && { boolean: { sql: shareExpression(coalesce(...booleans)) } }),
      ...(isNull && { null: isNull }),
    };
  }

  /**
   * The SQL of an overload; undefined if an operand cannot have its type.
   *
   * @throws {Error} if the dialect has no template for the overload: leaving it out would be a wrong answer.
   */
  private answer({ id, operands: accepted, result }: Overload<OverloadId>, operands: readonly Plan[]): Sql | undefined {
    const template = (this.dialect.overloads as Partial<Record<OverloadId, Template>>)[id];
    if (template === undefined) throw new Error(`${this.dialect.name} has no SQL for the overload ${id}`);
    if (!isSubset(result, NUMBER | STRING | BOOLEAN | UNDEFINED))
      throw new Error(`No channel holds what ${id} answers`);
    const sqls = operands.map((operand, index) => {
      // Numbers that are not finite stay so in arithmetic, but for a divisor: a number divided by infinity is 0.
      const mayBeInfinite = (result & NUMBER) !== 0 && !(index === 1 && DIVISIONS.has(id));
      return this.valueOf(operand, accepted[index] ?? 0, mayBeInfinite);
    });
    const known = sqls.filter((sql) => sql !== undefined);
    return known.length < sqls.length ? undefined : template(...known);
  }

  /** An operand as a value of one type. */
  private valueOf(plan: Plan, type: TypeSet, mayBeInfinite: boolean): Sql | undefined {
    const channels = this.channels(plan);
    switch (type) {
      case STRING:
        return channels.string?.sql;
      case BOOLEAN:
        return channels.boolean?.sql;
      case NUMBER:
        return mayBeInfinite && !this.dialect.answersAreFinite ? channels.number?.sql : this.finite.of(channels);
      default:
        throw new Error(`No channel holds ${describeTypes(type)}`);
    }
  }

  /** `in` as a value. Whether a list has an element is always a boolean. */
  private contained(left: Plan, right: Plan): Sql | undefined {
    const places = this.places(left, right);
    return places.length === 0 ? undefined : coalesce(...places);
  }

  /** Whether a value is part of a text, and whether it is an element of a list: NULL where the place is neither. */
  private places(left: Plan, right: Plan): Sql[] {
    const [value, place] = [this.channels(left), this.channels(right)];
    const constant = left.kind === 'constant' ? left.value : undefined;
    const found = [this.comparisons.isPart(value, place), this.comparisons.isElement(value, place, constant)];
    return found.filter((one) => one !== undefined);
  }

  /** `not` as a value: undefined for what is neither a boolean nor undefined. */
  private opposite(operand: Plan): Sql {
    const opposite = lowerNegation(this.holds(operand), this.dialect).sql;
    if (isSubset(operand.types, CONDITION)) return opposite;
    const channels = this.channels(operand);
    const takes = or(...(channels.boolean ? [isPresent(channels.boolean)] : []), isUndefined(channels, this.dialect));
    return caseWhen([[takes, opposite]]);
  }

  /** `boolean(...)` as a value. */
  private toBoolean(plan: Apply & Plan): Sql {
    const [operand] = plan.operands as [Plan];
    const answers = this.booleans(plan);
    if (this.channels(operand).casts?.boolean !== undefined) return coalesce(...answers);
    if (!plan.overloads.some(({ id }) => id === 'boolean.nothing')) return coalesce(...answers);
    // What is left is null or undefined, unless a text or a list can be there that has no answer.
    if ((operand.types & (STRING | LIST)) === 0) return coalesce(...answers, FALSE);
    const channels = this.channels(operand);
    const isNothing = or(...(channels.null ? [channels.null] : []), isUndefined(channels, this.dialect));
    return coalesce(...answers, caseWhen([[isNothing, FALSE]]));
  }

  /** What `boolean(...)` makes of each type. */
  private booleans({ overloads, operands }: Apply): Sql[] {
    const cast = this.channels(operands[0] as Plan).casts?.boolean;
    if (cast !== undefined) return [cast];
    const answering = overloads.filter(({ id }) => id !== 'boolean.nothing');
    return answering.flatMap((overload) => this.answer(overload, operands) ?? []);
  }

  /** A comparison with a constant number as a value. */
  private between({ operand, order, limit }: Between): Sql | undefined {
    const number = this.number(operand);
    return number && compare(number, order, bindParameter(limit));
  }

  /** Whether a plan is true. Unlike a value, a condition need not tell false from undefined. */
  private holds(plan: Plan): SqlCondition {
    switch (plan.kind) {
      case 'constant':
        return plan.value === true ? { sql: TRUE, isNullable: false } : NEVER;
      case 'chain':
        return joinConditions(
          plan.decidedBy ? 'or' : 'and',
          plan.operands.map((operand) => this.holds(operand.plan)),
        );
      case 'oneOf': {
        const found = this.comparisons.isOneOf(this.operand(plan.operand), plan.values);
        return plan.negated ? lowerNegation(found, this.dialect) : found;
      }
      case 'between':
        return { sql: this.inRange(plan), isNullable: plan.types !== BOOLEAN };
      case 'apply':
        return this.applied(plan);
      case 'read':
      case 'time':
        return this.valueHolds(plan);
      default:
        return unreachable(plan);
    }
  }

  private valueHolds(plan: Plan): SqlCondition {
    const { boolean } = this.channels(plan);
    return boolean === undefined ? NEVER : { sql: boolean.isTrue ?? boolean.sql, isNullable: plan.types !== BOOLEAN };
  }

  private applied(plan: Apply & Plan): SqlCondition {
    const { dialect, comparisons } = this;
    const [left, right] = plan.operands as [Plan, Plan];
    switch (plan.row.name) {
      case '==':
        return comparisons.equal(this.operand(left), this.operand(right));
      case '!=':
        return lowerNegation(comparisons.equal(this.operand(left), this.operand(right)), dialect);
      case 'defined':
        return { sql: isDefined(this.channels(left), dialect), isNullable: false };
      case 'in':
        return { sql: or(...this.places(left, right)), isNullable: true };
      case 'not':
        return this.isOpposite(left);
      case 'boolean':
        return { sql: or(...this.booleans(plan)), isNullable: true };
      default:
        return this.valueHolds(plan);
    }
  }

  private isOpposite(operand: Plan): SqlCondition {
    if (isSubset(operand.types, CONDITION)) return lowerNegation(this.holds(operand), this.dialect);
    const channels = this.channels(operand);
    const isNothing = isUndefined(channels, this.dialect);
    if (channels.boolean === undefined) return { sql: isNothing, isNullable: false };
    return { sql: or(not(channels.boolean.sql), isNothing), isNullable: true };
  }

  /** A comparison with a constant number. A number that takes some work is asked for once. */
  private inRange({ operand, order, limit, low, high }: Between): Sql {
    const { number } = this.channels(operand);
    if (number === undefined) return FALSE;
    const plain = compare(number.sql, order, bindParameter(limit));
    if (number.isFinite) return plain;
    if (!isSimple(number.sql))
      return and(this.isNear(operand, order, limit), between(number.sql, bindParameter(low), bindParameter(high)));
    const { negative, positive } = this.dialect.infinity;
    const isUpwards = order === '>' || order === '>=';
    return and(plain, isUpwards ? compare(number.sql, '<', positive) : compare(number.sql, '>', negative));
  }

  /** Of a date that a column holds, a condition that is asked with less than reading the date takes. */
  private isNear(date: Plan, order: Order, seconds: number): Sql {
    const [text] = date.kind === 'apply' && date.row.name === 'datetime' ? date.operands : [];
    const { string, number } = text === undefined ? {} : this.channels(text);
    if (string === undefined || number !== undefined || !isSimple(string.sql)) return TRUE;
    return isNearbyDate(string.sql, order, seconds, this.dialect);
  }

  private operand(plan: Plan): ComparedOperand {
    return { channels: this.channels(plan), types: plan.types };
  }
}

function asBoolean(sql: Sql | undefined): Channels {
  return sql === undefined ? {} : { boolean: { sql: shareExpression(sql) } };
}

function constant(value: Value): Channels {
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
