import { parseDecimal, readValue, typeOf, type Value } from '../../language/value.ts';
import type { Overload } from '../../operators/row.ts';
import { FUNCTIONS } from '../../operators/table.ts';
import { holdsText } from '../../operators/text.ts';

type Answer = (...operands: readonly Value[]) => Value;

/** A strict operator by the types that its operands have when it runs. */
export function generalCase(overloads: readonly Overload[]): Answer {
  return (first, second) => {
    const [firstType, secondType] = [typeOf(first), typeOf(second)];
    const overload = overloads.find(({ operands: [left = 0, right] }) => {
      return (firstType & left) !== 0 && (right === undefined || (secondType & right) !== 0);
    });
    return (overload?.answer as Answer | undefined)?.(first, second);
  };
}

const toBoolean = generalCase(FUNCTIONS.boolean.overloads);

/** What every generated function can use, by name. */
export const RUNTIME = {
  /** Marks a property that has not been read yet. */
  UNREAD: Symbol('unread'),
  /** The properties of a user where there is none. */
  NOBODY: Object.freeze({}),
  /** Thrown where a record may answer for another. */
  UNSURE: Symbol('unsure'),
  PLAIN: Object.prototype,
  /** Has what somebody added to `Object.prototype`. */
  BARE: {},
  floor: Math.floor,
  ceil: Math.ceil,
  readValue,
  finite: (number: number) => (number - number === 0 ? number : Number.NaN),
  numberOf: (value: Value) => (typeof value === 'number' ? value : Number.NaN),
  holdsText,
  /** Whole numbers of 32 bits, as most are, have a much faster remainder. */
  remainder(left: number, right: number): number {
    const whole = left | 0;
    const divisor = right | 0;
    return whole === left && divisor === right && divisor !== 0 ? whole % divisor : left % right;
  },
  /** `number(...)` of what a property holds, NaN for what has none. */
  toNumber(raw: unknown): number {
    if (typeof raw === 'number') return raw - raw === 0 ? raw : Number.NaN;
    if (typeof raw === 'string') return parseDecimal(raw) ?? Number.NaN;
    return typeof raw === 'boolean' ? Number(raw) : Number.NaN;
  },
  /** Whether `boolean(...)` of what a property holds is true. */
  toTruth(raw: unknown): boolean {
    return raw === true || (raw !== false && raw !== undefined && raw !== null && toBoolean(readValue(raw)) === true);
  },
} as const;
