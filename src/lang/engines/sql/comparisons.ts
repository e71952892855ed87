import type { OneOf } from '../../plan/plan.ts';
import { BOOLEAN, NUMBER, STRING, type TypeSet, UNDEFINED } from '../../types.ts';
import type { Channels } from './channels.ts';
import type { FiniteNumbers } from './condition.ts';
import { isUndefined, joinConditions, type SqlCondition } from './condition.ts';
import type { Dialect } from './dialect.ts';
import { encodeString } from './encode-element.ts';
import {
  and,
  bindParameter,
  caseWhen,
  coalesce,
  compare,
  FALSE,
  infix,
  isIn,
  not,
  PRECEDENCE,
  raw,
  type Sql,
} from './sql.ts';

/** An operand: its channels, and the types that it can have. */
export interface ComparedOperand {
  readonly channels: Channels;
  readonly types: TypeSet;
}

/** What compares values of any type. */
export class Comparisons {
  constructor(
    private readonly dialect: Dialect,
    private readonly finite: FiniteNumbers,
  ) {}

  /** `==`: of one type and equal. */
  equal(left: ComparedOperand, right: ComparedOperand): SqlCondition {
    const [lefts, rights] = [left.channels, right.channels];
    const conditions: SqlCondition[] = [];
    const compared = (one: Sql, other: Sql, type: TypeSet) => {
      conditions.push({ sql: compare(one, '=', other), isNullable: left.types !== type || right.types !== type });
    };
    if (lefts.string && rights.string) compared(lefts.string.sql, rights.string.sql, STRING);
    if (lefts.number && rights.number) {
      // It is enough that one side is finite: what is equal to it is finite too.
      const [finite, other] = lefts.number.isFinite ? [lefts, rights] : [rights, lefts];
      compared(other.number?.sql ?? FALSE, this.finite.of(finite) ?? FALSE, NUMBER);
    }
    if (lefts.boolean && rights.boolean) compared(lefts.boolean.sql, rights.boolean.sql, BOOLEAN);
    if (lefts.list && rights.list)
      conditions.push({ sql: this.dialect.areEqual(lefts.list, rights.list), isNullable: true });
    if (lefts.null && rights.null) conditions.push({ sql: and(lefts.null, rights.null), isNullable: false });
    if ((left.types & right.types & UNDEFINED) !== 0) {
      const sql = and(isUndefined(lefts, this.dialect), isUndefined(rights, this.dialect));
      conditions.push({ sql, isNullable: false });
    }
    return joinConditions('or', conditions);
  }

  /** Whether an operand is one of the values. */
  isOneOf({ channels, types }: ComparedOperand, values: OneOf['values']): SqlCondition {
    const { number, string, boolean, null: isNull } = channels;
    const texts = values.filter((value) => typeof value === 'string');
    const numbers = values.filter((value) => typeof value === 'number');
    const conditions: SqlCondition[] = [];
    const add = (sql: Sql, isNullable: boolean) => conditions.push({ sql, isNullable });
    if (string && texts.length > 0) {
      add(string.isOneOf?.(texts) ?? isIn(string.sql, texts.map(bindParameter)), types !== STRING);
    }
    if (number && numbers.length > 0) add(isOneOfNumbers(number.sql, numbers), types !== NUMBER);
    if (boolean && values.includes(true)) add(boolean.sql, types !== BOOLEAN);
    if (boolean && values.includes(false)) add(not(boolean.sql), types !== BOOLEAN);
    if (isNull && values.includes(null)) add(isNull, false);
    if (values.includes(undefined)) add(isUndefined(channels, this.dialect), false);
    return joinConditions('or', conditions);
  }

  /** Whether a text is part of another; nothing where one of them can be none. NULL where one of them is none. */
  isPart({ string: part }: Channels, { string: whole }: Channels): Sql | undefined {
    return part && whole && this.dialect.overloads.part(part.sql, whole.sql);
  }

  /** Whether a value is an element of a list; nothing where that can be none. NULL where it is none. */
  isElement(value: Channels, { list }: Channels, constant: unknown): Sql | undefined {
    const key = typeof constant === 'string' ? bindParameter(encodeString(constant)) : this.elementKey(value);
    return list && this.dialect.hasElement(list, key);
  }

  /** The key that a list is searched for; that of a value that no list holds is the key of no element. */
  private elementKey(value: Channels): Sql {
    const { elementKeys } = this.dialect;
    const { string, boolean, null: isNull } = value;
    const number = this.finite.of(value);
    const keys = [
      ...(string ? [elementKeys.string(string.sql)] : []),
      ...(number ? [elementKeys.number(number)] : []),
      ...(boolean ? [elementKeys.boolean(boolean.sql)] : []),
      ...(isNull ? [caseWhen([[isNull, raw("'null'")]])] : []),
    ];
    return coalesce(...keys, raw("'undefined'"));
  }
}

/** Some databases look in a set for the bits of a number, where negative zero is not zero. */
function isOneOfNumbers(number: Sql, values: readonly number[]): Sql {
  const zeroed = values.includes(0) && values.length > 1 ? infix(number, '+', raw('0'), PRECEDENCE.sum) : number;
  return isIn(zeroed, values.map(bindParameter));
}
