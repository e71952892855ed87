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

/** Lowers the operators that compare values of any type. */
export class Comparisons {
  constructor(
    private readonly dialect: Dialect,
    private readonly finite: FiniteNumbers,
  ) {}

  /** Lowers `==`: true if both values have the same type and are equal. */
  lowerEqual(left: ComparedOperand, right: ComparedOperand): SqlCondition {
    const [lefts, rights] = [left.channels, right.channels];
    const conditions: SqlCondition[] = [];
    const addComparison = (one: Sql, other: Sql, type: TypeSet) => {
      conditions.push({ sql: compare(one, '=', other), isNullable: left.types !== type || right.types !== type });
    };
    if (lefts.string && rights.string) addComparison(lefts.string.sql, rights.string.sql, STRING);
    if (lefts.number && rights.number) {
      // Only one side must be checked for infinity: a number equal to it is finite too.
      const [finite, other] = lefts.number.isFinite ? [lefts, rights] : [rights, lefts];
      addComparison(other.number?.sql ?? FALSE, this.finite.get(finite) ?? FALSE, NUMBER);
    }
    if (lefts.boolean && rights.boolean) addComparison(lefts.boolean.sql, rights.boolean.sql, BOOLEAN);
    if (lefts.list && rights.list)
      conditions.push({ sql: this.dialect.areEqual(lefts.list, rights.list), isNullable: true });
    if (lefts.null && rights.null) conditions.push({ sql: and(lefts.null, rights.null), isNullable: false });
    if ((left.types & right.types & UNDEFINED) !== 0) {
      const sql = and(isUndefined(lefts, this.dialect), isUndefined(rights, this.dialect));
      conditions.push({ sql, isNullable: false });
    }
    return joinConditions('or', conditions);
  }

  /** Tests whether an operand is one of the values. */
  isOneOf({ channels, types }: ComparedOperand, values: OneOf['values']): SqlCondition {
    const { number, string, boolean, null: isNull } = channels;
    const strings = values.filter((value) => typeof value === 'string');
    const numbers = values.filter((value) => typeof value === 'number');
    const conditions: SqlCondition[] = [];
    const add = (sql: Sql, isNullable: boolean) => conditions.push({ sql, isNullable });
    if (string && strings.length > 0) {
      add(string.isOneOf?.(strings) ?? isIn(string.sql, strings.map(bindParameter)), types !== STRING);
    }
    if (number && numbers.length > 0) add(isOneOfNumbers(number.sql, numbers), types !== NUMBER);
    if (boolean && values.includes(true)) add(boolean.sql, types !== BOOLEAN);
    if (boolean && values.includes(false)) add(not(boolean.sql), types !== BOOLEAN);
    if (isNull && values.includes(null)) add(isNull, false);
    if (values.includes(undefined)) add(isUndefined(channels, this.dialect), false);
    return joinConditions('or', conditions);
  }

  /** Tests for a substring; NULL if an operand is not a string. Undefined if an operand cannot be a string. */
  isPart({ string: part }: Channels, { string: whole }: Channels): Sql | undefined {
    return part && whole && this.dialect.overloads.part(part.sql, whole.sql);
  }

  /** Tests for a list element; NULL if the right side is not a list. Undefined if it cannot be a list. */
  isElement(value: Channels, { list }: Channels, constant: unknown): Sql | undefined {
    const key = typeof constant === 'string' ? bindParameter(encodeString(constant)) : this.getElementKey(value);
    return list && this.dialect.hasElement(list, key);
  }

  /** Returns the key to search a list for. A value that cannot be an element gets a key that no element has. */
  private getElementKey(value: Channels): Sql {
    const { elementKeys } = this.dialect;
    const { string, boolean, null: isNull } = value;
    const number = this.finite.get(value);
    const keys = [
      ...(string ? [elementKeys.string(string.sql)] : []),
      ...(number ? [elementKeys.number(number)] : []),
      ...(boolean ? [elementKeys.boolean(boolean.sql)] : []),
      ...(isNull ? [caseWhen([[isNull, raw("'null'")]])] : []),
    ];
    return coalesce(...keys, raw("'undefined'"));
  }
}

/** Tests for several numbers. Some databases compare bits in `IN`, where negative zero differs from zero. */
function isOneOfNumbers(number: Sql, values: readonly number[]): Sql {
  const withoutNegativeZero =
    values.includes(0) && values.length > 1 ? infix(number, '+', raw('0'), PRECEDENCE.sum) : number;
  return isIn(withoutNegativeZero, values.map(bindParameter));
}
