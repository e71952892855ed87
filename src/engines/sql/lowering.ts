import type { Span } from '../../language/source.ts';
import { BOOLEAN, CONDITION, isSubset, LIST, NUMBER, STRING, type TypeName, UNDEFINED } from '../../language/types.ts';
import type { Value } from '../../language/value.ts';
import type { Overload } from '../../operators/row.ts';
import type { Apply, Between, Judged, OneOf, Plan, Read } from '../../plan/plan.ts';
import { unreachable } from '../../util/unreachable.ts';
import type { Channels } from './channels.ts';
import { columnChannels } from './column-channels.ts';
import type { Dialect } from './dialect.ts';
import { textKey } from './element-key.ts';
import type { Overloads } from './overloads.ts';
import { isDefined, isNumber, isPresent, isUndefined } from './presence.ts';
import type { SqlSource } from './source.ts';
import {
  and,
  between,
  cases,
  coalesce,
  compare,
  FALSE,
  isIn,
  isSimple,
  not,
  or,
  parameter,
  type Sql,
  shared,
  TRUE,
  verbatim,
} from './sql.ts';

/** A kind of type error that a record can raise. */
export interface ErrorSite {
  readonly operator: Judged['operator'];
  readonly found: TypeName;
  /** Where in the source the operand is. */
  readonly span: Span;
}

/** A condition; where it is NULL, it does not hold. */
interface Condition {
  readonly sql: Sql;
  readonly isNullable: boolean;
}

const DIVISIONS = new Set(['divide', 'remainder']);

const NEVER: Condition = { sql: FALSE, isNullable: false };

/**
 * Lowers plans to SQL by channels. SQL NULL plays undefined, so that most operators are one expression; what the types rule out is
 * not written.
 */
export class Lowering {
  /** What the numbers of the error channels mean, counted from 1. */
  readonly errorSites: ErrorSite[] = [];
  private readonly lowered = new Map<Plan, Channels>();
  private readonly reads = new Map<string, Channels>();
  private readonly finites = new Map<Sql, Sql>();

  constructor(
    private readonly dialect: Dialect,
    private readonly source: SqlSource,
    /** Unix seconds. */
    private readonly now: number,
  ) {}

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
    return this.finite(this.channels(plan));
  }

  /** Whether a plan is true, as a filter asks: NULL or false where it is false, undefined, or no boolean. */
  condition(plan: Plan): Sql {
    return this.holds(plan).sql;
  }

  /** The number of the first type error that a record raises, in the order in which the interpreter meets them; NULL for none. */
  error(judged: Judged): Sql | undefined {
    return firstOf(this.errorsOf(judged));
  }

  /** As {@link error}, of a plan whose own value is not judged. */
  errorWithin(plan: Plan): Sql | undefined {
    return firstOf(this.errorsWithin(plan));
  }

  private errorsOf({ plan, ...judged }: Judged): Sql[] {
    return [...this.errorsWithin(plan), ...this.misjudged(plan, judged)];
  }

  private errorsWithin(plan: Plan): Sql[] {
    switch (plan.kind) {
      case 'constant':
      case 'read':
      case 'time':
        return [];
      case 'apply':
        return plan.operands.flatMap((operand) => this.errorsWithin(operand));
      case 'oneOf':
      case 'between':
        return this.errorsWithin(plan.operand);
      case 'chain':
        return plan.operands.flatMap((operand) => (operand.canFail ? this.errorsOf(operand) : []));
      default:
        return unreachable(plan);
    }
  }

  private misjudged(plan: Plan, judged: Omit<Judged, 'plan'>): Sql[] {
    if (isSubset(plan.types, CONDITION)) return [];
    const { string, number, null: isNull, list } = this.channels(plan);
    const branch = (found: TypeName, when: Sql | undefined) =>
      when === undefined ? [] : [[when, this.site({ ...judged, found })] as const];
    const branches = [
      ...branch('string', string && isPresent(string)),
      ...branch('number', number && isNumber(number, this.dialect)),
      ...branch('null', isNull),
      ...branch('list', list && isPresent(list)),
    ];
    return branches.length === 0 ? [] : [cases(branches)];
  }

  private site({ operator, found, span }: ErrorSite): Sql {
    return verbatim(String(this.errorSites.push({ operator, found, span })));
  }

  private lower(plan: Plan): Channels {
    switch (plan.kind) {
      case 'constant':
        return constant(plan.value);
      case 'read':
        return this.read(plan);
      case 'time':
        return { number: { sql: parameter(this.now), isFinite: true } };
      case 'apply':
        return this.apply(plan);
      case 'between':
        return boolean(this.between(plan));
      case 'oneOf':
      case 'chain':
        return boolean(this.truth(plan));
      default:
        return unreachable(plan);
    }
  }

  /** A property: the same expression wherever it is read. */
  private read({ scope, name }: Read): Channels {
    const key = `${scope} ${name}`;
    const channels = this.reads.get(key) ?? columnChannels(this.dialect, this.source[scope], name);
    this.reads.set(key, channels);
    return channels;
  }

  private apply(plan: Apply & Plan): Channels {
    const [left, right] = plan.operands as [Plan, Plan];
    switch (plan.row.name) {
      case '==':
      case '!=':
      case 'defined':
        return boolean(this.truth(plan));
      case 'in':
        return boolean(this.contained(left, right));
      case 'not':
        return boolean(this.opposite(left));
      case 'boolean':
        return boolean(this.toBoolean(plan));
      default:
        return this.strict(plan);
    }
  }

  /** An operator each of whose overloads takes one type of each operand. */
  private strict({ row, overloads, operands }: Apply): Channels {
    const results = overloads.flatMap((overload) => {
      const sql = this.answer(overload, operands);
      return sql === undefined ? [] : [{ sql, ...overload }];
    });
    const of = (type: number) => results.filter(({ result }) => (result & type) !== 0).map(({ sql }) => sql);
    const [numbers, strings, booleans] = [of(NUMBER), of(STRING), of(BOOLEAN)];
    const isNull = row.name === 'string' ? this.channels(operands[0] as Plan).null : undefined;
    return {
      ...(numbers.length > 0 && { number: { sql: shared(coalesce(...numbers)), isFinite: false } }),
      ...(strings.length > 0 && { string: { sql: shared(coalesce(...strings)) } }),
      ...(booleans.length > 0 && { boolean: { sql: shared(coalesce(...booleans)) } }),
      ...(isNull && { null: isNull }),
    };
  }

  /** What an overload answers; nothing where an operand cannot have its type. */
  private answer({ id, operands: accepted, result }: Overload, operands: readonly Plan[]): Sql | undefined {
    if (!Object.hasOwn(this.dialect.overloads, id)) return undefined;
    const template = this.dialect.overloads[id as keyof Overloads];
    const sqls = operands.map((operand, index) => {
      // Numbers that are not finite stay so in arithmetic, but for a divisor: a number divided by infinity is 0.
      const mayBeInfinite = (result & NUMBER) !== 0 && !(index === 1 && DIVISIONS.has(id));
      return this.operand(operand, accepted[index] ?? 0, mayBeInfinite);
    });
    return sqls.includes(undefined) ? undefined : template(...(sqls as [Sql, Sql]));
  }

  /** An operand as a value of one type. */
  private operand(plan: Plan, type: number, mayBeInfinite: boolean): Sql | undefined {
    const channels = this.channels(plan);
    if (type === STRING) return channels.string?.sql;
    if (type === BOOLEAN) return channels.boolean?.sql;
    return mayBeInfinite ? channels.number?.sql : this.finite(channels);
  }

  /** The number, NULL where it is not finite. */
  private finite({ number }: Channels): Sql | undefined {
    if (number === undefined || number.isFinite) return number?.sql;
    const finite = this.finites.get(number.sql) ?? shared(this.dialect.finite(number.sql));
    this.finites.set(number.sql, finite);
    return finite;
  }

  /** `in` as a value. Whether a list has an element is always a boolean. */
  private contained(left: Plan, right: Plan): Sql | undefined {
    const [part, element] = this.places(left, right);
    const { list } = this.channels(right);
    if (list === undefined || element === undefined) return part;
    const found = this.dialect.isTrue(element);
    return coalesce(...(part ? [part] : []), right.types === LIST ? found : cases([[isPresent(list), found]]));
  }

  /** Whether a value is part of a text, and whether it is an element of a list: NULL where the right side is none, left out where it cannot be one. */
  private places(left: Plan, right: Plan): [part: Sql | undefined, element: Sql | undefined] {
    const { list, string } = this.channels(right);
    const text = this.channels(left).string;
    const part = string && text && this.dialect.overloads.part(text.sql, string.sql);
    return [part, list && this.dialect.hasElement(list.sql, this.elementKey(left))];
  }

  /** What a list is searched for; NULL for what no list holds. */
  private elementKey(plan: Plan): Sql {
    if (plan.kind === 'constant' && typeof plan.value === 'string') return parameter(textKey(plan.value));
    const { elementKeys } = this.dialect;
    const channels = this.channels(plan);
    const { string, boolean: truth, null: isNull } = channels;
    const number = this.finite(channels);
    const keys = [
      ...(string ? [elementKeys.string(string.sql)] : []),
      ...(number ? [elementKeys.number(number)] : []),
      ...(truth ? [elementKeys.boolean(truth.sql)] : []),
      ...(isNull ? [cases([[isNull, verbatim("'null'")]])] : []),
    ];
    return keys.length === 0 ? verbatim('NULL') : coalesce(...keys);
  }

  /** `not` as a value: undefined for what is neither a boolean nor undefined. */
  private opposite(operand: Plan): Sql {
    const opposite = this.negated(this.holds(operand));
    if (isSubset(operand.types, CONDITION)) return opposite;
    const channels = this.channels(operand);
    const takes = or(...(channels.boolean ? [isPresent(channels.boolean)] : []), isUndefined(channels, this.dialect));
    return cases([[takes, opposite]]);
  }

  /** `boolean(...)` as a value. */
  private toBoolean(plan: Apply & Plan): Sql {
    const [operand] = plan.operands as [Plan];
    const casts = this.casts(plan);
    if (!plan.overloads.some(({ id }) => id === 'boolean.nothing')) return coalesce(...casts);
    // What is left is null or undefined, unless a text or a list can be there that has no answer.
    if ((operand.types & (STRING | LIST)) === 0) return coalesce(...casts, FALSE);
    const channels = this.channels(operand);
    const isNothing = or(...(channels.null ? [channels.null] : []), isUndefined(channels, this.dialect));
    return coalesce(...casts, cases([[isNothing, FALSE]]));
  }

  /** What `boolean(...)` makes of each type. */
  private casts({ overloads, operands }: Apply): Sql[] {
    return overloads.flatMap((overload) => this.answer(overload, operands) ?? []);
  }

  /** A comparison with a constant number as a value. */
  private between({ operand, order, limit }: Between): Sql | undefined {
    const number = this.finite(this.channels(operand));
    return number && compare(number, order, parameter(limit));
  }

  /** Whether a plan is true; never NULL. */
  private truth(plan: Plan): Sql {
    const { sql, isNullable } = this.holds(plan);
    return isNullable ? this.dialect.isTrue(sql) : sql;
  }

  private negated({ sql, isNullable }: Condition): Sql {
    return isNullable ? this.dialect.isNotTrue(sql) : not(sql);
  }

  private holds(plan: Plan): Condition {
    switch (plan.kind) {
      case 'constant':
        return plan.value === true ? { sql: TRUE, isNullable: false } : NEVER;
      case 'chain':
        return joined(
          plan.decidedBy ? or : and,
          plan.operands.map((operand) => this.holds(operand.plan)),
        );
      case 'oneOf': {
        const found = this.found(plan);
        return plan.negated ? { sql: this.negated(found), isNullable: false } : found;
      }
      case 'between':
        return { sql: this.inRange(plan), isNullable: plan.types !== BOOLEAN };
      case 'apply':
        return this.applied(plan);
      case 'read':
      case 'time':
        return this.channelHolds(plan);
      default:
        return unreachable(plan);
    }
  }

  private channelHolds(plan: Plan): Condition {
    const { boolean: truth } = this.channels(plan);
    return truth === undefined ? NEVER : { sql: truth.sql, isNullable: plan.types !== BOOLEAN };
  }

  private applied(plan: Apply & Plan): Condition {
    const [left, right] = plan.operands as [Plan, Plan];
    switch (plan.row.name) {
      case '==':
        return this.equal(left, right);
      case '!=':
        return { sql: this.negated(this.equal(left, right)), isNullable: false };
      case 'defined':
        return { sql: isDefined(this.channels(left), this.dialect), isNullable: false };
      case 'in':
        return { sql: or(...this.places(left, right).filter((place) => place !== undefined)), isNullable: true };
      case 'not':
        return this.isOpposite(left);
      case 'boolean':
        return { sql: or(...this.casts(plan)), isNullable: true };
      default:
        return this.channelHolds(plan);
    }
  }

  private isOpposite(operand: Plan): Condition {
    if (isSubset(operand.types, CONDITION)) return { sql: this.negated(this.holds(operand)), isNullable: false };
    const channels = this.channels(operand);
    const { boolean: truth } = channels;
    const nothing = isUndefined(channels, this.dialect);
    return { sql: truth === undefined ? nothing : or(not(truth.sql), nothing), isNullable: truth !== undefined };
  }

  /** Whether an operand is one of the values. */
  private found({ operand, values }: OneOf): Condition {
    const channels = this.channels(operand);
    const { number, string, boolean: truth, null: isNull } = channels;
    const texts = values.filter((value) => typeof value === 'string');
    const numbers = values.filter((value) => typeof value === 'number');
    const isCertain = {
      string: operand.types === STRING,
      number: operand.types === NUMBER,
      boolean: operand.types === BOOLEAN,
    };
    const conditions: Condition[] = [];
    const add = (sql: Sql, isNullable: boolean) => conditions.push({ sql, isNullable });
    if (string !== undefined && texts.length > 0) {
      add(string.isOneOf?.(texts) ?? isIn(string.sql, texts.map(parameter)), !isCertain.string);
    }
    if (number !== undefined && numbers.length > 0) add(isIn(number.sql, numbers.map(parameter)), !isCertain.number);
    if (truth !== undefined && values.includes(true)) add(truth.sql, !isCertain.boolean);
    if (truth !== undefined && values.includes(false)) add(not(truth.sql), !isCertain.boolean);
    if (isNull !== undefined && values.includes(null)) add(isNull, false);
    if (values.includes(undefined)) add(isUndefined(channels, this.dialect), false);
    return joined(or, conditions);
  }

  /** The same range whichever way it is asked; a number that takes some work is asked for once. */
  private inRange({ operand, order, limit, low, high }: Between): Sql {
    const { number } = this.channels(operand);
    if (number === undefined) return FALSE;
    const plain = compare(number.sql, order, parameter(limit));
    if (number.isFinite) return plain;
    if (!isSimple(number.sql)) return between(number.sql, parameter(low), parameter(high));
    const { infinity } = this.dialect;
    const isUpwards = order === '>' || order === '>=';
    return and(
      plain,
      isUpwards ? compare(number.sql, '<', infinity.positive) : compare(number.sql, '>', infinity.negative),
    );
  }

  /** `==`: of one type and equal. */
  private equal(left: Plan, right: Plan): Condition {
    const [lefts, rights] = [this.channels(left), this.channels(right)];
    const conditions: Sql[] = [];
    if (lefts.string && rights.string) conditions.push(compare(lefts.string.sql, '=', rights.string.sql));
    if (lefts.number && rights.number) {
      // One side that is finite is enough: what is equal to it is finite too.
      const [finite, other] = lefts.number.isFinite ? [lefts, rights] : [rights, lefts];
      conditions.push(compare(other.number?.sql ?? FALSE, '=', this.finite(finite) ?? FALSE));
    }
    if (lefts.boolean && rights.boolean) conditions.push(compare(lefts.boolean.sql, '=', rights.boolean.sql));
    if (lefts.list && rights.list) conditions.push(compare(lefts.list.sql, '=', rights.list.sql));
    if (lefts.null && rights.null) conditions.push(and(lefts.null, rights.null));
    if ((left.types & right.types & UNDEFINED) !== 0) {
      conditions.push(and(isUndefined(lefts, this.dialect), isUndefined(rights, this.dialect)));
    }
    return { sql: or(...conditions), isNullable: left.types !== right.types || conditions.length > 1 };
  }
}

function joined(join: typeof and, conditions: readonly Condition[]): Condition {
  return {
    sql: join(...conditions.map(({ sql }) => sql)),
    isNullable: conditions.some(({ isNullable }) => isNullable),
  };
}

function firstOf(errors: readonly Sql[]): Sql | undefined {
  return errors.length === 0 ? undefined : coalesce(...errors);
}

function boolean(sql: Sql | undefined): Channels {
  return sql === undefined ? {} : { boolean: { sql: shared(sql) } };
}

function constant(value: Value): Channels {
  switch (typeof value) {
    case 'string':
      return { string: { sql: parameter(value) } };
    case 'number':
      return { number: { sql: parameter(value), isFinite: true } };
    case 'boolean':
      return { boolean: { sql: value ? TRUE : FALSE } };
    default:
      return value === null ? { null: TRUE } : {};
  }
}
